"""What a metric hangs on: options by themselves and together, and how much is the deal, the seat and the bots' dice."""

from __future__ import annotations

import io
import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import Kozyr, refused

from analysis.crossed import _bases, _blocks, _squares, split, sums_of_squares
from analysis.luck import BY_SEAT, bootstrap, components, luck, outcome_of, seat_outcome
from analysis.playing import variant_of
from analysis.sensitivity import sensitivity
from analysis.shards import ShardSums
from analysis.tables import compare
from simcore import simulate
from simcore.errors import InputError
from simcore.games import GAMES, find_game
from simcore.shards import empty_tally, make_job

BANK = find_game("bank")
SHORT = {"players": 2, "target": 20, "hand_size": 2}

# --- combinations -----------------------------------------------------------------------------------------------------


def design() -> pd.DataFrame:
    levels = {"a": ("0", "1", "2"), "b": ("0", "1"), "c": ("0", "1", "2", "3")}
    return pd.DataFrame(list(itertools.product(*levels.values())), columns=list(levels))


def known(noise: float, shards: int, rng: np.random.Generator) -> tuple[list[ShardSums], dict[str, float]]:
    """Shard sums of a metric with known effects, and the true shares of the variance."""
    rows = design()
    a, b, c = (rows[name].astype(int).to_numpy() for name in "abc")
    parts = {"a": 2.0 * (a - 1), "b": 1.5 * (b - 0.5), "a × b": 0.8 * (a - 1) * (b - 0.5) * 2}
    values = 10 + sum(parts.values()) + 0.0 * c
    games = np.full(shards, 50)
    common = rng.normal(0, noise, shards)
    sums = [
        ShardSums(np.round(50 * (v + common + rng.normal(0, noise, shards)) * 1000), games * 1000, games)
        for v in values
    ]
    total = float(((values - values.mean()) ** 2).sum())
    return sums, {name: float((part**2).sum()) / total for name, part in parts.items()}


def test_shares_of_the_variance_are_those_that_were_put_in() -> None:
    sums, truth = known(0.05, 100, np.random.default_rng(1))
    found = split(design(), sums, 0.95).set_index("term")
    assert set(found.index) == {"a", "b", "c", "a × b", "a × c", "b × c", "three options and more"}
    assert found["share"].sum() == pytest.approx(1)
    for term, share in found["share"].items():
        assert share == pytest.approx(truth.get(str(term), 0.0), abs=0.003)
    assert (found["low"] <= found["share"]).all()
    assert (found["share"] <= found["high"]).all()


def test_chance_is_no_interaction() -> None:
    misses, shares = 0, []
    for seed in range(60):
        sums, truth = known(4.0, 60, np.random.default_rng(seed))
        found = split(design(), sums, 0.95).set_index("term")
        shares.append(
            found.loc["a × c", "share"] + found.loc["b × c", "share"] + found.loc["three options and more", "share"]
        )
        misses += not found.loc["a", "low"] <= truth["a"] <= found.loc["a", "high"]
    raw, _ = known(4.0, 60, np.random.default_rng(0))
    values = np.array([float(s.numerators.sum() / s.denominators.sum()) for s in raw])
    squares = sums_of_squares(_blocks(design()), values)
    assert np.median(shares) < 0.6 * squares[4:].sum() / squares.sum(), "noise is taken off"
    assert misses <= 60 * 0.05 + 3 * math.sqrt(60 * 0.05 * 0.95) + 3


def test_sums_of_squares_are_those_of_an_analysis_of_variance_by_statsmodels() -> None:
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    rows = design()
    values = np.random.default_rng(3).normal(size=len(rows))
    table = anova_lm(ols("y ~ C(a) * C(b) + C(a):C(c) + C(c) + C(b):C(c)", rows.assign(y=values)).fit(), typ=1)[
        "sum_sq"
    ]
    blocks = _blocks(rows)
    found = dict(zip([*blocks, "rest"], sums_of_squares(blocks, values), strict=True))
    names = {"a": "C(a)", "b": "C(b)", "c": "C(c)", "a × b": "C(a):C(b)", "a × c": "C(a):C(c)", "b × c": "C(b):C(c)"}
    for ours, theirs in names.items():
        assert found[ours] == pytest.approx(table[theirs])
    assert found["rest"] == pytest.approx(table["Residual"])
    by_projection = _squares(_bases(blocks), values[np.newaxis])[0]
    assert by_projection == pytest.approx(np.array(list(found.values())))


def test_a_design_that_is_not_balanced_is_split_in_the_order_given() -> None:
    rows = design().iloc[:-3]
    values = np.random.default_rng(4).normal(size=len(rows))
    squares = sums_of_squares(_blocks(rows), values)
    assert squares.sum() == pytest.approx(((values - values.mean()) ** 2).sum())
    assert _squares(_bases(_blocks(rows)), values[np.newaxis])[0] == pytest.approx(squares)


def test_combinations_that_do_not_differ_have_no_shares() -> None:
    games = np.full(40, 50)
    rng = np.random.default_rng(5)
    common = rng.normal(size=40)
    sums = [ShardSums(common, games, games) for _ in range(len(design()))]
    assert split(design(), sums, 0.95).empty


# --- one at a time ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> object:
    vary = {"seven": ["skip", "nothing"], "final_bank": ["nobody", "last_cover"], "penalty_card": [3, 6]}
    return sensitivity(BANK, "rounds", settings=SHORT, vary=vary, bots="greedy", games=1_000, seed=3, threads=2)


def test_the_tornado_holds_the_paired_differences_of_compare(found) -> None:  # type: ignore[no-untyped-def]
    for option, value in (("seven", "nothing"), ("final_bank", "last_cover")):
        base = str(BANK.rules[option].default)
        run = simulate("bank", 1_000, SHORT, {option: [base, value]}, bots="greedy", seed=3, rotate_seats=True)
        row = compare(run, metrics=["rounds"]).iloc[0]
        ours = found.tornado[found.tornado["option"] == option].iloc[0]
        assert ours["difference"] == pytest.approx(row["difference"], rel=1e-12)
        assert ours["value"] == value


def test_options_are_in_the_order_of_their_reach_and_idle_ones_are_told(found) -> None:  # type: ignore[no-untyped-def]
    assert list(found.tornado["reach"]) == sorted(found.tornado["reach"], reverse=True)
    assert (found.tornado["reach"] == found.tornado["difference"].abs()).all(), "each has one other value"
    assert any("penalty_card has no effect" in note for note in found.notes)
    assert set(found.crossed) == {"seven", "final_bank"}


def test_it_does_not_hang_on_threads(found) -> None:  # type: ignore[no-untyped-def]
    vary = {"seven": ["skip", "nothing"], "final_bank": ["nobody", "last_cover"], "penalty_card": [3, 6]}
    again = sensitivity(BANK, "rounds", settings=SHORT, vary=vary, bots="greedy", games=1_000, seed=3, threads=1)
    pd.testing.assert_frame_equal(found.tornado, again.tornado)
    pd.testing.assert_frame_equal(found.shares, again.shares)
    for ours, theirs in zip(found.luck, again.luck, strict=True):
        pd.testing.assert_frame_equal(ours.shares, theirs.shares)


def test_a_metric_without_a_case_in_some_combination_says_so() -> None:
    vary = {"max_rounds": [1, 200], "seven": ["skip", "nothing"]}
    found = sensitivity(BANK, "margin", settings={"target": 1000}, vary=vary, bots="greedy", games=50, threads=2)
    assert found.shares.empty
    assert any("no case in" in note or "fewer than two options" in note for note in found.notes)


def test_what_cannot_be_varied_is_refused() -> None:
    with pytest.raises(InputError, match="no option has another value to try"):
        sensitivity(BANK, "rounds", settings=SHORT, vary={"seven": ["skip"]}, games=50, threads=1)
    with pytest.raises(InputError, match="unknown metric of bank"):
        sensitivity(BANK, "rounds", settings=SHORT, vary={"seven": ["nothing"]}, outcome="final", games=50, threads=1)


# --- luck -------------------------------------------------------------------------------------------------------------

TRUTH = {"seat": 0.9, "deal": 4.0, "deal × seat": 2.0, "dice": 1.0, "dice × seat": 3.0}


def outcomes(rng: np.random.Generator, deals: int = 400, dice: int = 4, seats: int = 3) -> np.ndarray:
    """An outcome with the parts of `TRUTH`: seats differ by ±a, effects of seats add up to 0 within a deal."""

    def apart(variance: float, shape: tuple[int, ...]) -> np.ndarray:
        raw = rng.normal(0, math.sqrt(variance * seats / (seats - 1)), shape)
        return np.asarray(raw - raw.mean(axis=-1, keepdims=True))

    places = math.sqrt(TRUTH["seat"] * 3 / 2) * np.array([1.0, 0.0, -1.0])
    deal = rng.normal(0, math.sqrt(TRUTH["deal"]), (deals, 1, 1))
    cards = apart(TRUTH["deal × seat"], (deals, 1, seats))
    throw = rng.normal(0, math.sqrt(TRUTH["dice"]), (deals, dice, 1))
    own = apart(TRUTH["dice × seat"], (deals, dice, seats))
    return np.asarray(50 + places + deal + cards + throw + own)


def test_the_parts_of_a_variance_are_those_that_were_put_in() -> None:
    found = components(outcomes(np.random.default_rng(1), deals=40_000))
    assert list(found) == list(BY_SEAT)
    for name, value in found.items():
        assert value == pytest.approx(TRUTH[name], rel=0.04, abs=0.02)


def test_the_parts_are_unbiased_also_with_few_deals() -> None:
    rng = np.random.default_rng(2)
    found = pd.DataFrame([components(outcomes(rng, deals=12)) for _ in range(1500)])
    for name in BY_SEAT:
        error = float(found[name].std()) / math.sqrt(len(found))
        assert abs(float(found[name].mean()) - TRUTH[name]) < 4 * error


def test_intervals_of_the_shares_hold_the_truth() -> None:
    rng, streams = np.random.default_rng(3), 200
    total = sum(TRUTH.values())
    missed = dict.fromkeys(BY_SEAT, 0)
    for _ in range(streams):
        draws = bootstrap(outcomes(rng, deals=150), 0.95)
        kept = np.maximum([draws[name] for name in BY_SEAT], 0)
        low, high = np.percentile(kept / kept.sum(axis=0), [2.5, 97.5], axis=1)
        for k, name in enumerate(BY_SEAT):
            missed[name] += not low[k] <= TRUTH[name] / total <= high[k]
    # the bootstrap over 150 deals is a little short
    assert all(count <= 0.08 * streams + 3 * math.sqrt(0.08 * 0.92 * streams) for count in missed.values()), missed


def test_one_outcome_a_game_gives_the_components_of_statsmodels_mixed_model() -> None:
    from statsmodels.formula.api import mixedlm

    rng = np.random.default_rng(4)
    y = 7 + rng.normal(0, 2, (80, 1, 1)) + rng.normal(0, 1, (80, 4, 1))
    found = components(y)
    data = pd.DataFrame({"y": y.ravel(), "deal": np.repeat(np.arange(80), 4)})
    fit = mixedlm("y ~ 1", data, groups="deal").fit(reml=True)
    assert found["dice"] == pytest.approx(float(fit.scale), rel=1e-4)
    assert found["deal"] == pytest.approx(float(fit.cov_re.iloc[0, 0]), rel=1e-3)


def test_other_dice_leave_the_deals_and_change_the_play() -> None:
    variant = variant_of(BANK, {}, "random")
    rows = []
    for dice in (0, 0, 1):
        job = make_job(BANK, variant, 5, False)
        tally = empty_tally(BANK, 40)
        BANK.play_shard(job._replace(dice=np.uint64(dice)), 0, 40, tally)
        rows.append(tally.rows)
    assert (rows[0] == rows[1]).all()
    assert (rows[0] != rows[2]).any()
    plain = simulate("bank", 40, bots="random", seed=5).frame().to_numpy().sum(axis=0)
    assert (rows[0].sum(axis=0) == plain).all(), "dice 0 are those of every batch"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_throws_the_bots_dice_apart_from_the_deal(name: str) -> None:
    game = find_game(name)
    variant = variant_of(game, {}, "random")
    with ThreadPoolExecutor(2) as pool:
        players = variant.rules.players
        found = luck(game, variant, outcome_of(game, game.headline[0], players), pool, deals=40, dice=3)
        assert not found.note, "bots that choose at random throw dice"
        assert found.shares.set_index("term")["share"].sum() == pytest.approx(1)
        by_seat = luck(game, variant, outcome_of(game, seat_outcome(game, players), players), pool, deals=40, dice=3)
    assert set(by_seat.shares["term"]) == set(BY_SEAT)


def test_a_bot_without_dice_gives_no_share_to_them() -> None:
    game = find_game("ochko")
    variant = variant_of(game, {}, "threshold")
    with ThreadPoolExecutor(1) as pool:
        found = luck(game, variant, outcome_of(game, "hands", variant.rules.players), pool, deals=60, dice=2)
    shares = found.shares.set_index("term")["share"]
    assert (shares["deal"], shares["dice"]) == (1.0, 0.0)
    assert "leave nothing to chance" in found.note


def test_the_total_variance_is_that_of_the_games() -> None:
    variant = variant_of(BANK, SHORT, "greedy")
    with ThreadPoolExecutor(1) as pool:
        found = luck(BANK, variant, outcome_of(BANK, "rounds", 2), pool, deals=1_000, dice=4, seed=2)
    rounds = simulate("bank", 1_000, SHORT, bots="greedy", seed=2)
    from analysis.tables import summary

    row = summary(rounds, ["rounds"]).iloc[0]
    sd = (row["high"] - row["low"]) / 2 / 1.962 * math.sqrt(1_000)
    assert found.sd == pytest.approx(sd, rel=0.1)


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(InputError, match=r"unknown metric of bank 'final'.*final_total"):
        outcome_of(BANK, "final", 3)
    variant = variant_of(BANK, SHORT, "greedy")
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="two or more of each"):
        luck(BANK, variant, outcome_of(BANK, "rounds", 2), pool, deals=1)


# --- the command ------------------------------------------------------------------------------------------------------

COMMAND = [
    "sensitivity",
    "bank",
    "--metric",
    "rounds",
    "--set",
    "players=2",
    "--set",
    "target=20",
    "--set",
    "hand_size=2",
]
COMMAND += ["--vary", "seven", "--vary", "final_bank", "--bots", "greedy", "--games", "1000"]


def test_the_command_prints_all_tables_and_keeps_pictures_and_a_report(kozyr: Kozyr, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = kozyr(*COMMAND, "--out", out)
    assert done.returncode == 0, done.stderr
    for words in (
        "rounds a game",
        "variance between combinations of",
        "variance of rounds",
        "variance of final total of a player",
    ):
        assert words in done.stdout
    tornado = pd.read_csv(out / "tornado.csv")
    assert len(tornado) == 4
    for name in ("tornado", "variance-shares", "luck-rounds", "luck-final_total"):
        assert (out / f"{name}.svg").read_text().startswith("<svg")
    shares = pd.read_csv(out / "luck-final_total.csv")
    assert shares["share"].sum() == pytest.approx(1)
    report = (out / "report.md").read_text()
    assert "What each option does" in report
    assert "nested analysis of variance" in report
    again = kozyr(*COMMAND, "--format", "json", "--threads", 1)
    frame = pd.read_json(io.StringIO(again.stdout))
    pd.testing.assert_series_equal(
        frame[frame["table"] == "one at a time"]["difference"].reset_index(drop=True), tornado["difference"]
    )


def test_the_command_refuses_what_the_game_lacks(kozyr: Kozyr) -> None:
    assert "unknown metric of bank 'round'" in refused(kozyr("sensitivity", "bank", "--metric", "round"))
    line = refused(kozyr("sensitivity", "bank", "--metric", "rounds", "--outcome", "gold", "--games", "50"))
    assert "unknown metric of bank 'gold'" in line
