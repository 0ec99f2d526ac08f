"""The bots of Bank: which is the stronger, what each does in a situation, and that they see only what a player sees."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from conftest import any_rules, variant
from reference.bank import check
from reference.bank_rules import DECK, covers, legal_moves

from analysis.ratios import bounded_estimate
from analysis.results import metric_sums
from analysis.shards import combine
from simcore import find_game, simulate
from simcore.games.bank import bots as bank_bots
from simcore.games.bank import turns
from simcore.games.bank.bots import GREEDY, THRIFTY, View
from simcore.games.bank.metrics import COUNTS
from simcore.games.bank.state import CARDS, EXTRA, HAND, MOVE, NOBODY, STATE_SIZE, STREAM, Options
from simcore.games.bank.state import DECK as DECK_AT
from simcore.options import Rules, Setting
from simcore.replay import replay_variant

GAME = find_game("bank")
NAMES = {GREEDY: "greedy", THRIFTY: "thrifty"}


def mask_of(cards: Iterable[str]) -> int:
    """``["6c", "8h"]`` as a mask."""
    return sum(1 << CARDS.index(card) for card in cards)


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


# What a bot sees


def first_view(monkeypatch: pytest.MonkeyPatch, rules: Rules, hands: list[list[str]], rest: list[str]) -> View | None:
    """The first view of a round that seat 0 begins, or None if another seat's comes first.

    `rest` is the opening card and the stock.
    """
    opt = Options(*map(int, rules.codes))  # type: ignore[call-arg]
    s = np.zeros(STATE_SIZE, dtype=np.int64)
    dealt = [card for hand in hands for card in hand]
    s[DECK_AT:] = [CARDS.index(card) for card in dealt + rest]
    for seat, hand in enumerate(hands):
        s[HAND + seat] = mask_of(hand)
        s[STREAM + seat] = 5
    seen: list[View] = []

    def spy(opt: Any, view: View, table: Any, rng: Any, bot: int) -> Any:
        seen.append(view)
        raise StopIteration

    monkeypatch.setattr(turns, "decide", spy)
    play_cards = getattr(turns.play_cards, "py_func", turns.play_cards)
    row, bots = np.zeros(len(COUNTS.columns), dtype=np.int64), np.full(rules.players, THRIFTY)
    opening = CARDS.index(rest[0])
    try:
        play_cards(opt, s, cover_table(rules), bots, opening, rules.players - 1, 0, row, None)
    except StopIteration:
        return seen[0] if seen[0].seat == 0 else None
    return None


def test_a_view_does_not_depend_on_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other hands and the stock, shuffled together, leave the view of the player to move as it was."""
    rng = random.Random(3)
    compared = 0
    for _ in range(150):
        rules = GAME.rules.rules(
            {"players": rng.choice((2, 3, 4)), "hand_size": rng.choice((3, 5, 8)), "must_play": "no"}
        )
        pack = rng.sample(DECK, len(DECK))
        size, dealt = int(rules["hand_size"]), rules.players * int(rules["hand_size"])
        own, opening, hidden = pack[:size], pack[dealt], pack[size:dealt] + pack[dealt + 1 :]
        views = []
        for _ in range(3):
            hands = [own, *(hidden[size * seat : size * (seat + 1)] for seat in range(rules.players - 1))]
            views.append(first_view(monkeypatch, rules, hands, [opening, *hidden[dealt - size :]]))
            rng.shuffle(hidden)
        if views[0] is not None and views[0].phase == MOVE:
            assert views[0] == views[1] == views[2]
            assert views[0].unseen == mask_of(hidden)
            assert views[0].hand == mask_of(own)
            compared += 1
    assert compared > 50


# Situations


def cover_table(rules: Rules) -> Any:
    """The kernel's table of covers, from the reference."""
    options = dict(rules)
    table = np.zeros(4 * len(CARDS), dtype=np.int64)
    for top_at, top in enumerate(CARDS):
        for seat in range(4):
            fitting = [card for card in CARDS if card != top and covers(options, seat, card, top)]
            table[4 * top_at + seat] = mask_of(fitting)
    return table


def decide(
    bot: int, hand: str, top: str, *, rng: int = 1, settings: dict[str, Setting] | None = None, **known: Any
) -> list[str] | None:
    """What a bot lays, the top card last; None if it declines. Seat 0 (trump: spades) moves; `known` are fields of the view.

    ``gone`` names cards that were seen, ``points`` is the worth of the bank.
    """
    rules = GAME.rules.rules(settings or {})
    cards = hand.split()
    actions = legal_moves(dict(rules), int(known.get("seat", 0)), cards, top)
    table = cover_table(rules)
    seen = mask_of([*cards, top, *known.pop("gone", "").split()])
    view = View(
        **{
            "seat": 0,
            "phase": MOVE,
            "hand": mask_of(cards),
            "cover": int(table[4 * CARDS.index(top) + int(known.get("seat", 0))]),
            "need": 0,
            "singles": mask_of(a.cards[0] for a in actions if a.kind == "single"),
            "quads": mask_of({a.cards[0][0] + "c" for a in actions if a.kind == "quad"}),
            "actions": len(actions),
            "may_decline": rules["must_play"] == "no",
            "top": CARDS.index(top),
            "owner": rules.players - 1,
            "cards": 4,
            "worth": 10,
            "kings": NOBODY,
            "unseen": ((1 << 36) - 1) & ~seen,
            "stock": 10,
            "follower": 1,
            "follower_cards": 4,
            "after": 2 % rules.players,
            "after_cards": 4,
            "still_in": rules.players,
            **known,
        }
    )
    opt = Options(*map(int, rules.codes))  # type: ignore[call-arg]
    _, mask, last = bank_bots.decide(opt, view, table, np.uint64(rng), bot)
    if mask == 0:
        return None
    laid = [card for at, card in enumerate(CARDS) if mask >> at & 1]
    laid.remove(CARDS[last])
    assert any(sorted(a.cards) == sorted([*laid, CARDS[last]]) and a.cards[-1] == CARDS[last] for a in actions)
    return [*laid, CARDS[last]]


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
    for rng in range(1, 9):
        chosen = decide(bot, *cards, rng=rng, **known)
        assert (chosen and (sorted(chosen), chosen[-1])) == (laid and (sorted(laid.split()), laid[-2:])), does


def test_equal_actions_are_as_likely() -> None:
    for bot in NAMES:
        chosen = [decide(bot, "9c 9d", "9h", rng=rng, settings={"trumps": "none"}) for rng in range(400)]
        assert 140 < chosen.count(["9c"]) < 260, NAMES[bot]
        assert chosen.count(["9c"]) + chosen.count(["9d"]) == 400
