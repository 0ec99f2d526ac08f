"""Verdicts on claims whose truth is known, and what is said of those that stay open."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from claims_cases import SHORT, Draw, KnownGround, claim_text, claims_file, is_variant, one_claim, rounds_with

from analysis.check import check_claim, check_claims
from analysis.claim import Claim
from analysis.claims import load_claims
from analysis.verdicts import Verdict, agreements, verdict_frame
from simcore.shards import Variant


@pytest.fixture
def shorter(tmp_path: Path) -> Claim:
    """Games of the variant are shorter than those of the baseline."""
    return one_claim(tmp_path, max_games="20_000")


def checked(claim: Claim, draw: Draw, seed: int = 0) -> Verdict:
    return check_claim(KnownGround(draw, seed), claim)


# --- planted claims ---------------------------------------------------------------------------------------------------


def test_a_planted_true_claim_is_supported_and_a_false_one_refuted(shorter: Claim) -> None:
    true, false = checked(shorter, rounds_with(9.5, 10)), checked(shorter, rounds_with(10.5, 10))
    assert (true.verdict, false.verdict) == ("supported", "refuted")
    for verdict, theta in ((true, -0.5), (false, 0.5)):
        assert verdict.estimate.low < theta < verdict.estimate.high
        assert verdict.games < 20_000, "it stops when it knows enough"
        assert verdict.needed is None
        assert not verdict.note


def test_a_hair_breadth_claim_is_left_undecided_with_a_forecast(shorter: Claim) -> None:
    verdict = checked(shorter, rounds_with(9.999, 10))
    assert verdict.verdict == "undecided"
    assert verdict.games == 20_000
    assert verdict.needed is not None
    more = verdict.needed.more_games
    assert more is None or more > 20_000
    row = verdict_frame([verdict]).iloc[0]
    assert min(row["p_supported"], row["p_refuted"]) > 0.05


@pytest.mark.parametrize(
    ("direction", "margin", "mean", "expected"),
    [
        ("greater", "1.0", 11.5, "supported"),
        ("greater", "1.0", 10.5, "refuted"),
        ("less", "-1.0", 8.5, "supported"),
        ("less", "-1.0", 9.5, "refuted"),
        ("within", "1.0", 10.4, "supported"),
        ("within", "1.0", 12.0, "refuted"),
        ("within", "1.0", 8.0, "refuted"),
        ("beyond", "1.0", 12.0, "supported"),
        ("beyond", "1.0", 8.0, "supported"),
        ("beyond", "1.0", 10.4, "refuted"),
    ],
)
def test_every_direction_is_judged_from_its_margin(
    tmp_path: Path, direction: str, margin: str, mean: float, expected: str
) -> None:
    claim = one_claim(tmp_path, direction=f'"{direction}"', margin=margin, max_games="20_000")
    verdict = checked(claim, rounds_with(mean, 10))
    assert verdict.verdict == expected
    inside = [limit for limit in claim.margins if verdict.estimate.low < limit < verdict.estimate.high]
    assert not inside, "the interval that is shown excludes every margin that matters"


def test_a_claim_on_the_margin_is_decided_wrongly_no_more_often_than_it_says(tmp_path: Path) -> None:
    claim = one_claim(tmp_path, error_rate="0.1", max_games="5_000")
    streams = 300
    found = [checked(claim, rounds_with(10, 10), seed).verdict for seed in range(streams)]
    bound = 0.1 * streams + 3 * math.sqrt(streams * 0.1 * 0.9)
    # on the margin the claim is false and its denial's denial too: either verdict is wrong
    assert found.count("supported") <= bound
    assert found.count("refuted") <= bound
    assert found.count("undecided") > streams / 2


def test_a_share_of_games_is_judged_exactly_also_where_it_never_occurs(tmp_path: Path) -> None:
    claim = one_claim(tmp_path, metric='"capped"', baseline="", margin='"1 %"', max_games="5_000")
    never = checked(claim, lambda rng, v, games: {"capped": np.zeros(games)})
    assert never.verdict == "supported"
    assert (never.estimate.value, never.estimate.low) == (0.0, 0.0)
    assert 0 < never.estimate.high < 0.01
    often = checked(claim, lambda rng, v, games: {"capped": rng.random(games) < 0.03})
    assert often.verdict == "refuted"


def test_a_claim_without_a_case_is_undecided_and_says_why(tmp_path: Path) -> None:
    claim = one_claim(tmp_path, metric='"margin"', max_games="2_000")
    verdict = checked(claim, lambda rng, v, games: {"capped": np.ones(games)})
    assert verdict.verdict == "undecided"
    assert "no case" in verdict.note
    assert math.isnan(verdict_frame([verdict]).iloc[0]["estimate"])


# --- what else is said ------------------------------------------------------------------------------------------------


def test_variants_that_play_alike_get_a_sentence_of_their_own(shorter: Claim) -> None:
    verdict = checked(shorter, lambda rng, v, games: {"rounds": np.full(games, 10)})
    assert verdict.verdict == "undecided"
    assert "gave the same in each of 400 shards" in verdict.note
    assert "fewer than 1 game in 6,6" in verdict.note  # 20,000 / ln 20: the rule of three
    assert verdict.needed is None
    assert verdict.estimate.value == 0


def capped_draw(capped: float) -> Draw:
    """The baseline wins 35 % of games, the variant 20 % and a share of capped games besides."""

    def draw(rng: np.random.Generator, variant: Variant, games: int) -> dict[str, object]:
        kind = rng.random(games)
        if not is_variant(variant):
            return {"game_wins.0": kind < 0.35}
        return {"capped": kind < capped, "game_wins.0": (kind >= capped) & (kind < capped + 0.2)}

    return draw


@pytest.fixture
def wins_less(tmp_path: Path) -> Claim:
    """The starter wins ten points less of games than in the baseline."""
    margin = '"-10 pp"'
    return one_claim(tmp_path, metric='"game_win_share.0"', margin=margin, max_games="20_000")


def test_capped_games_flip_a_verdict_to_undecided(wins_less: Claim) -> None:
    none, some, many = (checked(wins_less, capped_draw(share)) for share in (0.0, 0.02, 0.10))
    assert (none.verdict, none.note) == ("supported", "")
    assert some.verdict == "supported", "15 or 13 points: less than -10 either way"
    assert "capped games counted either way: -0.1" in some.note
    assert some.estimate.low < -0.15 < -0.13 < some.estimate.high, "the interval holds both ways of counting"
    assert many.verdict == "undecided", "15 points if they are lost, 5 if they are won"
    assert "hangs on how capped games are counted" in many.note
    assert many.needed is None, "more games would not settle it"


def test_a_bracket_of_which_one_end_is_still_open_gets_a_forecast(wins_less: Claim) -> None:
    verdict = checked(wins_less, capped_draw(0.048))
    assert verdict.verdict == "undecided"
    assert verdict.needed is not None
    assert "hangs on" not in verdict.note


def test_more_than_the_games_of_the_decision_are_shown_if_they_agree(shorter: Claim) -> None:
    verdict = checked(shorter, rounds_with(9.5, 10))
    assert verdict.decision.games <= verdict.games
    assert verdict.sequence.games[-1] == verdict.games
    assert verdict.usual.shape == (2, len(verdict.sequence.games))
    low, high = verdict.usual[:, -1]
    assert verdict.estimate.low < low < verdict.estimate.value < high < verdict.estimate.high, (
        "looking at will costs width"
    )


def test_intervals_of_a_claim_hold_at_all_times_together(tmp_path: Path) -> None:
    claim = one_claim(tmp_path, direction='"beyond"', margin="50.0", max_games="5_000", error_rate="0.1")
    missed = 0
    for seed in range(200):
        sequence = checked(claim, rounds_with(10, 10), seed).sequence
        missed += bool(np.any((sequence.low > 0) | (sequence.high < 0)))
    assert missed <= 0.1 * 200 + 3 * math.sqrt(200 * 0.1 * 0.9)


# --- readings ---------------------------------------------------------------------------------------------------------


def a_verdict(shorter: Claim, name: str, verdict: str, sentence: str = "S.") -> Verdict:
    mean = {"supported": 9.0, "refuted": 11.0, "undecided": 10.0}[verdict]
    found = checked(replace(shorter, id=name, sentence=sentence, max_games=5_000), rounds_with(mean, 10))
    assert found.verdict == verdict
    return found


@pytest.mark.parametrize(
    ("verdicts", "kind", "words"),
    [
        (("supported", "supported"), "agree", "all 2 readings agree: supported"),
        (("refuted", "refuted"), "agree", "all 2 readings agree: refuted"),
        (
            ("supported", "refuted"),
            "disagree",
            "do not agree, so the answer hangs on what the sentence means (supported: r0; refuted: r1)",
        ),
        (
            ("supported", "undecided"),
            "open",
            "no reading contradicts another, but not all 2 are decided (supported: r0; undecided: r1)",
        ),
        (("undecided", "undecided"), "open", "all 2 readings are undecided"),
        (("supported", "undecided", "refuted"), "disagree", "the 3 readings do not agree"),
    ],
)
def test_readings_of_one_sentence_are_said_to_agree_or_not(
    shorter: Claim, verdicts: tuple[str, ...], kind: str, words: str
) -> None:
    found = [a_verdict(shorter, f"r{i}", verdict) for i, verdict in enumerate(verdicts)]
    (agreement,) = agreements(verdict_frame([*found, a_verdict(shorter, "alone", "supported", "Another.")]))
    assert agreement.sentence == "S."
    assert agreement.verdict == kind
    assert words in agreement.text


@pytest.mark.parametrize(
    ("verdicts", "kind", "words"),
    [
        (("supported", "supported"), "supported", "supported: all 2 parts hold"),
        (
            ("supported", "refuted", "undecided"),
            "refuted",
            "refuted, as all 3 parts would have to hold (supported: r0; refuted: r1;",
        ),
        (("supported", "undecided"), "undecided", "undecided: no part is refuted, but not all 2 are decided"),
    ],
)
def test_a_sentence_of_several_parts_holds_if_all_of_them_do(
    shorter: Claim, verdicts: tuple[str, ...], kind: str, words: str
) -> None:
    found = [a_verdict(replace(shorter, part=True), f"r{i}", verdict) for i, verdict in enumerate(verdicts)]
    reading = a_verdict(shorter, "reading", "supported")
    (agreement,) = agreements(verdict_frame([*found, reading]))
    assert agreement.parts
    assert agreement.verdict == kind
    assert words in agreement.text


# --- real games -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> list[Claim]:
    """Two claims about real games, of which one is true by the rules: without sevens' effect no turn is lost."""
    path = tmp_path_factory.mktemp("claims") / "real.toml"
    lost = claim_text("lost", metric='"skips"', margin="-0.1", set=SHORT.partition("= ")[2])
    longer = claim_text("longer", metric='"rounds"', direction='"greater"', margin="1", set=SHORT.partition("= ")[2])
    longer = longer.replace('{ seven = "nothing" }', "{ target = 60 }").replace('{ seven = "skip" }', "{ target = 20 }")
    return load_claims(claims_file(path, lost, longer))


def test_verdicts_are_the_same_on_one_thread_and_on_several_and_in_any_order(real: list[Claim]) -> None:
    one = verdict_frame(check_claims(real, max_games=4_000, threads=1))
    many = verdict_frame(check_claims(real[::-1], max_games=4_000, threads=3)[::-1])
    assert one.equals(many)
    assert list(one["verdict"]) == ["supported", "supported"]


def test_the_numbers_of_a_verdict_are_those_of_a_comparison_of_the_same_games(real: list[Claim]) -> None:
    from analysis.tables import compare
    from simcore import simulate

    (verdict,) = check_claims(real[:1], max_games=4_000)
    claim = verdict.claim
    run = simulate(
        "bank",
        verdict.games,
        claim.set,
        {"seven": ["skip", "nothing"]},
        bots=claim.bots,
        seed=claim.seed,
        rotate_seats=True,
    )
    row = compare(run, metrics=["skips"]).iloc[0]
    assert verdict.estimate.value == pytest.approx(row["difference"], rel=1e-12)


def test_progress_and_news_come_while_claims_are_checked(real: list[Claim]) -> None:
    told: list[str] = []
    steps: list[tuple[int, int]] = []
    check_claims(real, max_games=4_000, notify=lambda v: told.append(v.claim.id), progress=lambda *s: steps.append(s))
    assert told == ["lost", "longer"]
    assert all(done <= most for done, most in steps)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
