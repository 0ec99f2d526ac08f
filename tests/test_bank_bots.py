"""The bots of Bank: which is the stronger, and what each does in a situation."""

from __future__ import annotations

import random
from typing import Any

import pytest
from bank_asking import Choice, answer, mask_of
from conftest import any_rules, variant
from reference.bank import check

from analysis.ratios import bounded_estimate
from analysis.results import metric_sums
from analysis.shards import combine
from simcore import find_game, simulate
from simcore.games.bank.bots import GREEDY, THRIFTY
from simcore.games.bank.rules import PACK
from simcore.games.bank.state import CARDS, EXTRA, MOVE, NOBODY
from simcore.options import Setting
from simcore.replay import replay_variant

GAME = find_game("bank")


# Strength


@pytest.mark.parametrize(("stronger", "weaker"), [("thrifty", "greedy"), ("greedy", "random")])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_bot_beats_the_one_before(players: int, stronger: str, weaker: str) -> None:
    """At every mixed table, all seatings played evenly, in rounds and in games."""
    for copies in range(1, players):
        table = ",".join([stronger] * copies + [weaker] * (players - copies))
        run = simulate("bank", 4000, {"players": players}, bots=table, rotate_seats=True, seed=11)
        for name in ("entrant_round_win_share", "entrant_win_share"):
            metrics = [GAME.find_metric(f"{name}.{k}", players) for k in range(copies)]
            share = bounded_estimate(combine([(1 / copies, metric_sums(run, m, 0)) for m in metrics]), 0.95, 0.0, 1.0)
            assert share.low > 1 / players, (table, name, share)


VARIED: list[dict[str, Setting]] = [
    *({"trumps": trumps} for trumps in ("one", "two", "ranked")),
    *({"seven": seven} for seven in ("draw_play", "draw_skip", "nothing")),
    *({"penalty": penalty, "players": 2} for penalty in ("none", "hand_fixed", "hand_per_card", "fixed", "per_card")),
    {"trumps": "none", "max_rounds": 20, "players": 2},
    {"must_play": "no"},
    {"cover": "any_lower"},
    {"extra_move": "draw"},
    {"hand_size": 8},
]


@pytest.mark.parametrize("settings", VARIED, ids=str)
def test_thrifty_beats_greedy_under_other_rules(settings: dict[str, Setting]) -> None:
    players = int(settings.get("players", 3))
    bots = ",".join(["thrifty"] + ["greedy"] * (players - 1))
    run = simulate("bank", 2000, settings, bots=bots, rotate_seats=True, seed=12)
    share = metric_sums(run, GAME.find_metric("entrant_round_win_share.0", players), 0)
    assert bounded_estimate(share, 0.95, 0.0, 1.0).low > 1 / players


# Results


def test_bots_play_the_same_on_one_thread_and_on_two() -> None:
    runs = [
        simulate("bank", 600, {"must_play": "no"}, bots="thrifty,greedy,random", rotate_seats=True, threads=n)
        for n in (1, 2)
    ]
    assert runs[0].manifest.digest == runs[1].manifest.digest


@pytest.mark.parametrize("seed", range(12))
def test_decisions_are_legal_under_any_rules(seed: int) -> None:
    """Whole games of the bots pass the checker, and are what a batch plays."""
    rng = random.Random(seed)
    limits: dict[str, Setting] = {"max_rounds": 6, "must_play": rng.choice(["yes", "no"])}
    for number in range(8):
        rules = any_rules(GAME, rng, limits)
        bots = ",".join(rng.choice(["thrifty", "thrifty", "greedy", "random"]) for _ in range(rules.players))
        table = variant(GAME, rules, bots)
        games = [replay_variant(GAME, table, seed, number, rotate_seats=True) for _ in range(2)]
        assert games[0].events == games[1].events
        assert len(check(games[0].events).rounds) == games[0].counts["rounds"]


# Situations


def decide(
    bot: int,
    hand: str,
    top: str,
    *,
    rng: int = 1,
    settings: dict[str, Setting] | None = None,
    gone: str = "",
    **known: int,
) -> Choice:
    """What a bot does in a situation: a table of three with a bank of 10 points, if nothing else is said.

    Seat 0 (trump: spades) moves; `gone` names cards that were laid before.
    """
    rules = GAME.rules.rules(settings or {})
    seen = mask_of([*hand.split(), top, *gone.split()])
    usual = {"seat": 0, "phase": MOVE, "owner": 2, "cards": 4, "worth": 10, "kings": NOBODY, "stock": 10, "still_in": 3}
    usual |= {"follower": 1, "follower_cards": 4, "after": 2, "after_cards": 4, "unseen": ((1 << PACK) - 1) & ~seen}
    return answer(bot, rules, hand.split(), top, None, rng, **{**usual, **known})


NO = {"must_play": "no"}
KEEPS = "keeps its good cards"
LEAVES = "lays what the follower can hardly answer, the more so the richer the bank"
OUT = "goes out with what earns most"
DECLINES = "declines where that is better"
RISK = "sheds points that it would pay for"
SITUATIONS: list[tuple[str, int, tuple[str, str], dict[str, Any], str | None]] = [
    (KEEPS, THRIFTY, ("8c Kd Qh", "Td"), {}, "Kd"),
    (KEEPS, THRIFTY, ("9s Kd Qh", "Td"), {}, "Kd"),
    (KEEPS, THRIFTY, ("9h Kd Qc", "Td"), {"seat": 1, "follower": 2, "after": 0}, "Kd"),
    (KEEPS, THRIFTY, ("9d Kh Qc", "Th"), {"settings": {"trumps": "two"}}, "Kh"),
    (KEEPS, THRIFTY, ("6d Kd Qh", "Td"), {}, "Kd"),
    (KEEPS, THRIFTY, ("Kc Ks", "Kh"), {}, "Kc"),
    (KEEPS, THRIFTY, ("Ks Js", "9d"), {}, "Js"),
    (LEAVES, THRIFTY, ("Qh 6h As", "Kh"), {"worth": 0}, "Qh"),
    (LEAVES, THRIFTY, ("Qh 6h As", "Kh"), {"worth": 70}, "6h"),
    (LEAVES, THRIFTY, ("9c 9d", "9h"), {"worth": 40, "gone": "6c", "settings": {"trumps": "none"}}, "9c"),
    (LEAVES, THRIFTY, ("9c 9d", "9h"), {"worth": 40, "gone": "6d", "settings": {"trumps": "none"}}, "9d"),
    (OUT, THRIFTY, ("8c Ks", "9d"), {}, "8c"),
    (OUT, THRIFTY, ("Ks", "8c"), {"phase": EXTRA, "settings": NO}, "Ks"),
    (OUT, THRIFTY, ("7c 7d 7h 7s", "8c"), {}, "7c 7h 7s 7d"),
    (OUT, THRIFTY, ("Kc Kd Kh Ks", "9h"), {}, "Kc Kd Kh Ks"),
    (OUT, THRIFTY, ("9c Jc Qc Kc", "Tc"), {}, "Jc Qc Kc 9c"),
    (DECLINES, THRIFTY, ("8c Td Qh", "9h"), {"settings": NO, "worth": 0}, None),
    (DECLINES, THRIFTY, ("8c Td Qh", "9h"), {"settings": NO, "worth": 40}, "8c"),
    (DECLINES, THRIFTY, ("8c Td Qh", "9h"), {"settings": NO, "worth": 40, "owner": 0}, None),
    (DECLINES, THRIFTY, ("7c Td Qh", "8c"), {"settings": NO, "worth": 40, "owner": 0, "phase": EXTRA}, None),
    (DECLINES, THRIFTY, ("8c 9d", "Kc"), {"settings": NO, "worth": 40, "kings": 2}, "8c"),
    (RISK, THRIFTY, ("As Js Qd", "9d"), {"stock": 0}, "As"),
    (RISK, THRIFTY, ("As Js Qd", "9d"), {"stock": 0, "settings": {"penalty": "none"}}, "Js"),
    ("counts the extra move", GREEDY, ("8c Kd 7c", "Td"), {}, "8c"),
    ("does not count one that does not exist", GREEDY, ("8c Kd Qh", "Td"), {}, "Kd"),
    ("lays a run before a single", GREEDY, ("9c Td Jd Qd Kd", "Tc"), {}, "Qd Kd Td Jd"),
    ("of equals, the card that more can follow", GREEDY, ("Js Jc As", "9d"), {}, "Js"),
    ("then the one with more points", GREEDY, ("Ks Js Qd 7s", "9d"), {}, "Ks"),
    ("never declines", GREEDY, ("8c Kd Qh", "Td"), {"settings": NO}, "Kd"),
]


@pytest.mark.parametrize(("does", "bot", "cards", "known", "laid"), SITUATIONS)
def test_situation(does: str, bot: int, cards: tuple[str, str], known: dict[str, Any], laid: str | None) -> None:
    wanted = (sorted(laid.split(), key=CARDS.index), laid.split()[-1]) if laid else None
    assert {str(decide(bot, *cards, rng=rng, **known)) for rng in range(8)} == {str(wanted)}, does


@pytest.mark.parametrize("bot", [GREEDY, THRIFTY])
def test_equal_actions_are_as_likely(bot: int) -> None:
    laid = [decide(bot, "9c 9d", "9h", rng=rng, settings={"trumps": "none"}) for rng in range(400)]
    clubs, diamonds = laid.count((["9c"], "9c")), laid.count((["9d"], "9d"))
    assert clubs + diamonds == 400
    assert 140 < clubs < 260
