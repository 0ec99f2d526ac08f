"""Every number of a summary, a comparison, a fairness table and a report against a fresh computation from the kept games.

The computation below uses pandas, scipy.stats and statsmodels on the rows of the games, and nothing of `analysis` but the
declarations of the metrics.
"""

from __future__ import annotations

import html
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Kozyr
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analysis.seats import fairness_frames
from analysis.tables import compare, summary
from reports.document import write_report
from reports.embed import unpack
from reports.items import RunItem
from simcore import Run, open_run, simulate
from simcore.games import find_game
from simcore.metrics import Metric

CASES = {
    "bank": {"vary": {"seven": ["skip", "nothing"]}, "set": {"max_rounds": 12}, "bots": "random"},
    "square": {"vary": {"end_at": [3, 5]}, "set": {}, "bots": "random"},
    "ochko": {"vary": {"players": [4, 5]}, "set": {}, "bots": "random"},
}
GAMES = 430
"""Not a whole number of shards: the last one is shorter."""


@pytest.fixture(scope="module", params=CASES)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    case: dict[str, Any] = CASES[request.param]
    folder = tmp_path_factory.mktemp(request.param) / "run"
    simulate(request.param, GAMES, case["set"], case["vary"], bots=case["bots"], seed=9, out=folder, keep_games=True)
    return open_run(folder)


@pytest.fixture(scope="module")
def rows(run: Run) -> pd.DataFrame:
    """The kept games with the shard that each belongs to."""
    frame = run.games_frame()
    assert len(frame) == GAMES * len(run.manifest.variants)
    return frame.assign(shard=frame["index"] // run.manifest.shard_games)


def fair(run: Run, metric: Metric, variant: int) -> float:
    players = run.manifest.variants[variant].rules.players
    return metric.fair(players) if metric.fair else math.nan


def value_of(games: pd.DataFrame, metric: Metric, shift: float) -> float:
    """The metric from its formula."""
    whole = games.sum(numeric_only=True)
    if any(whole[t.den] == 0 for t in metric.terms):
        return math.nan
    return sum(t.weight * whole[t.num] / whole[t.den] for t in metric.terms) + shift


def influences(games: pd.DataFrame, metric: Metric) -> pd.Series:
    """What each shard adds to the error of the metric."""
    by_shard, whole = games.groupby("shard").sum(numeric_only=True), games.sum(numeric_only=True)
    return sum(
        t.weight * (by_shard[t.num] - whole[t.num] / whole[t.den] * by_shard[t.den]) / (whole[t.den] / len(by_shard))
        for t in metric.terms
    )


def spread(psi: pd.Series, games: pd.Series) -> tuple[float, float]:
    """Standard error and degrees of freedom of a mean over shards of these sizes."""
    effective = games.sum() ** 2 / (games**2).sum()
    return math.sqrt((psi**2).sum() / len(psi) ** 2 * effective / (effective - 1)), effective - 1


def close(ours: float, theirs: float) -> bool:
    both_nan = math.isnan(ours) and math.isnan(theirs)
    return both_nan or ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def metrics_of(run: Run) -> list[Metric]:
    return run.game.metrics_for(min(v.rules.players for v in run.manifest.variants))


def test_every_value_of_the_summary_is_its_formula_over_the_games(run: Run, rows: pd.DataFrame) -> None:
    frame = summary(run)
    metrics = metrics_of(run)
    assert len(frame) == len(metrics) * len(run.manifest.variants)
    for i, variant in enumerate(run.manifest.variants):
        games = rows[rows["variant"] == i]
        for metric in metrics:
            row = frame[(frame["variant"] == variant.label) & (frame["metric"] == metric.name)].iloc[0]
            shift = -fair(run, metric, i) if metric.less_fair else 0.0
            assert close(row["value"], value_of(games, metric, shift)), metric.name
            assert row["games"] == GAMES
            if metric.bracket:
                won = games.assign(**{metric.terms[0].num: games[metric.terms[0].num] + won_if_capped(games, metric)})
                assert close(row["capped_low"], row["value"])
                assert close(row["capped_high"], value_of(won, metric, shift)), metric.name


def won_if_capped(games: pd.DataFrame, metric: Metric) -> pd.Series:
    """What a game adds to the count of wins if it was capped."""
    return games[metric.bracket]


def test_every_interval_of_the_summary_is_that_of_its_method(run: Run, rows: pd.DataFrame) -> None:
    frame = summary(run)
    seen = set()
    for i, variant in enumerate(run.manifest.variants):
        games = rows[rows["variant"] == i]
        sizes = games.groupby("shard").size()
        for metric in metrics_of(run):
            row = frame[(frame["variant"] == variant.label) & (frame["metric"] == metric.name)].iloc[0]
            method = str(row["method"])
            seen.add(method.partition(",")[0].partition(" over")[0])
            if method == "none":
                assert math.isnan(row["value"])
                continue
            low, high = expected_interval(games, sizes, metric, method, row["value"], fair(run, metric, i))
            assert close(row["low"], low), (metric.name, method)
            assert close(row["high"], high), (metric.name, method)
    assert "t interval" in seen
    assert {"Wilson", "delta method"} <= seen


def expected_interval(
    games: pd.DataFrame, sizes: pd.Series, metric: Metric, method: str, value: float, target: float
) -> tuple[float, float]:
    term = metric.terms[0]
    if method == "Wilson":
        return proportion_confint(games[term.num].sum(), len(games), 0.05, "wilson")  # type: ignore[no-any-return]
    if method == "t interval over games":
        values = games[term.num] * term.weight
        return stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))  # type: ignore[no-any-return]
    se, df = spread(influences(games, metric), sizes)
    t = stats.t.ppf(0.975, df)
    if method.startswith("delta method"):
        return value - t * se, value + t * se
    assert method.startswith("Wilson, effective sample size"), method
    shift = -target if metric.less_fair else 0.0
    p = value - shift
    n = p * (1 - p) / se**2 if se > 0 and 0 < p < 1 else (len(games) if p in (0, 1) else math.inf)
    if math.isinf(n):
        return value, value
    centre, half = (
        (p + t**2 / (2 * n)) / (1 + t**2 / n),
        t * math.sqrt(p * (1 - p) / n + t**2 / (4 * n**2)) / (1 + t**2 / n),
    )
    low = 0.0 if p == 0 else centre - half
    high = 1.0 if p == 1 else centre + half
    return low + shift, high + shift


def test_quantiles_are_those_of_the_games(run: Run, rows: pd.DataFrame) -> None:
    names = [h for h in run.game.histograms if h.count and h.drawn]
    assert names
    asked = [f"{h.name}.q{q}" for h in names for q in ("05", "50", "95")]
    frame = summary(run, asked)
    for i, variant in enumerate(run.manifest.variants):
        games = rows[rows["variant"] == i]
        for h in names:
            for q in ("05", "50", "95"):
                row = frame[(frame["variant"] == variant.label) & (frame["metric"] == f"{h.name}.q{q}")].iloc[0]
                values = np.sort(games[h.count].to_numpy())
                share = int(q) / 100
                assert row["value"] == np.quantile(values, share, method="inverted_cdf")
                lower = int(stats.binom.ppf(0.025, GAMES, share))
                upper = int(stats.binom.isf(0.025, GAMES, share)) + 1
                if lower >= 1:
                    assert row["low"] == values[lower - 1]
                if upper <= GAMES:
                    assert row["high"] == values[upper - 1]


def test_histograms_and_games_tell_the_same(run: Run, rows: pd.DataFrame) -> None:
    from analysis.results import distribution

    checked = 0
    for i in range(len(run.manifest.variants)):
        games = rows[rows["variant"] == i].sum(numeric_only=True)
        for metric in run.game.metrics:
            if not metric.histogram or metric.unit == "units":
                continue
            found = distribution(run, metric.histogram, i)
            term = metric.terms[0]
            if found.below or found.above:
                continue
            checked += 1
            assert int((found.values * found.counts).sum()) == games[term.num], metric.name
            if metric.level != "decided game":
                assert int(found.counts.sum()) == games[term.den], metric.name
    assert checked


# --- comparison -------------------------------------------------------------------------------------------------------


def test_every_difference_is_that_of_the_same_deals(run: Run, rows: pd.DataFrame) -> None:
    frame = compare(run, margins={run.game.headline[0]: 0.5})
    metrics = {metric.name: metric for metric in metrics_of(run)}
    base, other = rows[rows["variant"] == 0], rows[rows["variant"] == 1]
    assert (base["index"].to_numpy() == other["index"].to_numpy()).all()
    sizes = base.groupby("shard").size()
    p_values = []
    for _, row in frame.iterrows():
        metric = metrics[row["metric"]]
        shifts = [-fair(run, metric, i) if metric.less_fair else 0.0 for i in (0, 1)]
        values = [value_of(games, metric, shift) for games, shift in zip((base, other), shifts, strict=True)]
        assert close(row["baseline_value"], values[0])
        assert close(row["value"], values[1])
        assert close(row["difference"], values[1] - values[0]), metric.name
        if math.isnan(row["difference"]):
            continue
        psi = influences(other, metric) - influences(base, metric)
        se, df = spread(psi, sizes)
        if se < 1e-12:
            assert row["low"] == row["high"] == row["difference"]
            continue
        half = stats.t.ppf(0.975, df) * se
        assert close(row["low"], row["difference"] - half), metric.name
        assert close(row["high"], row["difference"] + half), metric.name
        p = 2 * stats.t.sf(abs(row["difference"]) / se, df)
        assert row["p_value"] == pytest.approx(p, rel=1e-6)
        single = [influences(games, metric) for games in (other, base)]
        if min(s.abs().max() for s in single) > 0:
            correlation = float(
                (single[0] * single[1]).sum() / math.sqrt((single[0] ** 2).sum() * (single[1] ** 2).sum())
            )
            assert row["correlation"] == pytest.approx(correlation, rel=1e-6, abs=1e-9)
            gain = float(((single[0] ** 2).sum() + (single[1] ** 2).sum()) / (psi**2).sum())
            assert row["gain"] == pytest.approx(gain, rel=1e-6)
        if row["margin"] == row["margin"] and row["margin"] is not None:
            p_values.append((row, se, df))
    tested = frame[frame["p_value"].notna()]
    adjusted = multipletests(tested["p_value"], method="holm")[1]
    assert tested["p_adjusted"].to_numpy() == pytest.approx(adjusted)
    ((row, se, df),) = p_values
    two_sided = [stats.t.sf((row["difference"] + 0.5) / se, df), stats.t.cdf((row["difference"] - 0.5) / se, df)]
    assert row["p_equivalent"] == pytest.approx(max(two_sided), rel=1e-6)
    assert bool(row["equivalent"]) == (max(two_sided) <= 0.05)
    half = stats.t.ppf(0.95, df) * se
    assert close(row["equivalence_low"], row["difference"] - half)
    assert close(row["equivalence_high"], row["difference"] + half)


def test_capped_games_bracket_every_difference_of_win_rates(run: Run, rows: pd.DataFrame) -> None:
    if run.game.name != "bank":
        pytest.skip("this run caps no game")
    games = [rows[rows["variant"] == i] for i in (0, 1)]
    assert all(g["capped"].sum() > 0 for g in games)
    row = compare(run, metrics=["game_win_share.0"]).iloc[0]
    lost, won = (
        [f(g) for g in games]
        for f in (lambda g: g["game_wins.0"].mean(), lambda g: (g["game_wins.0"] + g["capped"]).mean())
    )
    assert close(row["capped_low"], lost[1] - won[0])
    assert close(row["capped_high"], won[1] - lost[0])


# --- seats ------------------------------------------------------------------------------------------------------------


def test_fairness_is_that_of_the_games(run: Run, rows: pd.DataFrame) -> None:
    seats, equality = fairness_frames(run)
    assert len(equality) == len(run.manifest.variants) * seats["metric"].nunique()
    declared = {m.name: m for m in run.game.metrics}
    for i, variant in enumerate(run.manifest.variants):
        games = rows[rows["variant"] == i]
        sizes = games.groupby("shard").size()
        for name, part in seats[seats["variant"] == variant.label].groupby("metric"):
            members = [m for m in run.game.metrics_for(variant.rules.players) if m.name.partition(".")[0] == name]
            assert declared[str(name)].by in ("place", "seat")
            values = np.array([value_of(games, m, 0.0) for m in members])
            assert part["value"].to_numpy() == pytest.approx(values)
            assert part["advantage"].to_numpy() == pytest.approx(values - values.mean(), abs=1e-12)
            test = equality[(equality["variant"] == variant.label) & (equality["metric"] == name)].iloc[0]
            assert test["largest_advantage"] == pytest.approx(values.max() - values.mean())
            assert test["spread"] == pytest.approx(values.max() - values.min())
            psi = np.column_stack([influences(games, m) for m in members])
            contrasts = psi[:, :-1] - psi[:, 1:]
            effective = sizes.sum() ** 2 / (sizes**2).sum()
            if not np.abs(contrasts).max() > 0 or np.linalg.matrix_rank(contrasts) < contrasts.shape[1]:
                continue
            cov = contrasts.T @ contrasts / len(sizes) ** 2 * effective / (effective - 1)
            d = values[:-1] - values[1:]
            t2, r, nu = float(d @ np.linalg.solve(cov, d)), len(d), effective - 1
            if nu < r:
                continue
            p = stats.f.sf(t2 * (nu - r + 1) / (nu * r), r, nu - r + 1)
            assert test["p_equal"] == pytest.approx(p, rel=1e-6)


# --- reports ----------------------------------------------------------------------------------------------------------


def test_every_number_of_the_report_is_that_of_the_summary_and_the_comparison(run: Run, tmp_path: Path) -> None:
    write_report("R", "", [Quickly(None, run, "1", ())], tmp_path)
    files = {path.name.partition("-")[2]: path for path in (tmp_path / "files").glob("*.csv")}
    whole = summary(run)
    written = pd.read_csv(files["all.csv"])
    assert written["value"].to_numpy(dtype=float) == pytest.approx(whole["value"].to_numpy(dtype=float), nan_ok=True)
    assert written["low"].to_numpy(dtype=float) == pytest.approx(whole["low"].to_numpy(dtype=float), nan_ok=True)
    differences = pd.read_csv(files["differences.csv"])
    assert differences["difference"].to_numpy() == pytest.approx(compare(run)["difference"].to_numpy(), nan_ok=True)
    fairness = pd.read_csv(files["fairness.csv"])
    assert fairness["value"].to_numpy() == pytest.approx(fairness_frames(run)[0]["value"].to_numpy())
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    shown = table_values(page, "Every number")
    assert shown, "the page shows the table"
    for cells, (_, row) in zip(shown, whole.iterrows(), strict=True):
        assert cells[0] == row["variant"]
        assert cells[1] == row["metric"]
        if row["value"] == row["value"]:
            assert float(cells[2]) == row["value"]
            assert float(cells[3]) == row["low"]
            assert float(cells[4]) == row["high"]


class Quickly(RunItem):
    """A run's item without games to step through, which are looked for in many more games than there are."""

    def games(self) -> tuple[()]:
        return ()


def table_values(page: str, caption: str) -> list[list[str]]:
    """The raw values of a table's cells, row by row."""
    start = page.index("<tbody", page.index(f">{caption}</caption>"))
    body = page[start : page.index("</tbody>", start)]
    packed = re.match(r'<tbody data-packed="([^"]*)">', body)
    body = unpack(packed[1]) if packed else body
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [[cell_value(*cell) for cell in re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows]


def cell_value(attributes: str, content: str) -> str:
    """What a cell sorts by: its raw value, or its text where that says the same."""
    raw = re.search(r'data-value="([^"]*)"', attributes)
    return html.unescape(raw[1] if raw else re.sub(r"<[^>]*>", "", content.partition("<small>")[0])).strip()


def test_the_commands_print_what_the_frames_hold(run: Run, kozyr: Kozyr) -> None:
    import io

    assert run.folder is not None
    printed = pd.read_csv(io.StringIO(kozyr("summary", run.folder.path, "--format", "csv").stdout))
    frame = summary(run, quantiles=True)
    assert list(printed["metric"]) == list(frame["metric"])
    assert printed["value"].to_numpy(dtype=float) == pytest.approx(frame["value"].to_numpy(dtype=float), nan_ok=True)
    printed = pd.read_csv(io.StringIO(kozyr("compare", run.folder.path, "--format", "csv").stdout))
    assert printed["difference"].to_numpy() == pytest.approx(compare(run)["difference"].to_numpy(), nan_ok=True)
    printed = pd.read_csv(io.StringIO(kozyr("fairness", run.folder.path, "--format", "csv").stdout))
    assert printed["value"].to_numpy() == pytest.approx(fairness_frames(run)[0]["value"].to_numpy())


def test_every_game_is_reconciled() -> None:
    from simcore.games import GAMES as NAMES

    assert set(CASES) == set(NAMES)
    for name in NAMES:
        assert find_game(name).metrics
