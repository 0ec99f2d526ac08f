"""The answer in words: sentences composed from a run's results."""

from __future__ import annotations

import pandas as pd

from analysis.estimate import counted
from reports import numbers
from reports.games import Told
from reports.parts import Code, Sentence
from reports.view import View, seat_name, title_of
from simcore.metrics import Metric

MANY_CAPPED = 0.01
ALPHA = 0.05


def answer(view: View) -> list[Sentence]:
    """What a reader wants to know first, in a few sentences."""
    made = [*_edge(view), *_first(view), *_length(view), *_capped(view), *_changes(view)]
    return made or _plain(view)


def _with(view: View, variant: int) -> Sentence:
    """``With trumps=own (each player has a trump suit of his own)``, by what tells this variant from the others."""
    label = view.labels[variant]
    rules = view.run.manifest.variants[variant].rules
    others = [v.rules for i, v in enumerate(view.run.manifest.variants) if i != variant]
    telling = [name for name, value in rules.items() if any(other[name] != value for other in others)]
    meanings = [rules.ruleset[name].meaning_of(rules[name]) for name in telling]
    meanings = [meaning for meaning in meanings if any(letter.isalpha() for letter in meaning)]
    aside = f" ({'; '.join(meanings)})" if 0 < len(meanings) < 3 else ""
    return ("Under the default rules",) if label == "default" else ("With ", Code(label), aside)


def _told(view: View, told: Told, variant: int) -> str:
    """The metric's sentence with its value."""
    row = view.row(told.metric, variant)
    unit, low, high = str(row["unit"]), float(row["low"]), float(row["high"])
    value = numbers.amount(float(row["value"]), unit, numbers.places_for(unit, low, high))
    return told.sentence.replace("{value}", value)


def _edge(view: View) -> list[Sentence]:
    told = view.words.edge
    if told is None or told.metric not in view.every_metric:
        return []
    row = view.row(told.metric, view.base)
    if row["value"] != row["value"] or row["fair"] != row["fair"]:
        return []
    opening: Sentence = (*_with(view, view.base), f", {_told(view, told, view.base)}, {_against_fair(row)}.")
    return [opening, *_best_seat(view, told), *_extremes(view, told)]


def _first(view: View) -> list[Sentence]:
    """A number without a fair value that a reader asks for first."""
    told = view.words.first
    if told is None or told.metric not in view.every_metric:
        return []
    row = view.row(told.metric, view.base)
    if row["value"] != row["value"]:
        return []
    low, high, unit = float(row["low"]), float(row["high"]), str(row["unit"])
    limits = numbers.interval(low, high, unit, numbers.places_for(unit, low, high))
    opening: Sentence = (*_with(view, view.base), f", {_told(view, told, view.base)} (95 %: {limits}).")
    return [opening, *_extremes(view, told, "that")]


def _best_seat(view: View, told: Told) -> list[Sentence]:
    """Which of three seats or more is best, where they differ beyond doubt and it is not the first, of which is told already."""
    name = told.metric.partition(".")[0]
    found = view.seats(name, view.base)
    if found is None or len(found.seats) < 3 or not found.equality.p_value < ALPHA or found.best == 0:
        return []
    by = next(metric.by for metric in view.run.game.metrics if metric.name == name)
    who = seat_name(by, found.best) + (" to move" if by == "place" else "")
    apart = found.deviations[found.best]
    places = numbers.places_for("share", apart.low, apart.high)
    value = numbers.amount(found.seats[found.best].value, "share", places)
    size = numbers.plain(100 * apart.value, places)
    limits = numbers.interval(apart.low, apart.high, "share", places, signed=True)
    return [
        (
            f"But seats are not alike: best off is the {who}, with {value}, {size} percentage points above"
            f" the mean of the seats (95 %, all seats at once: {limits}).",
        )
    ]


def _against_fair(row: pd.Series) -> str:
    value, low, high = (float(row[key]) - float(row["fair"]) for key in ("value", "low", "high"))
    places = numbers.places_for("share", low, high)
    size = numbers.plain(abs(value) * 100, places)
    limits = f"95 %: {numbers.interval(low, high, 'share', places, signed=True)}"
    if low > 0 or high < 0:
        return f"{size} percentage points {'more' if value > 0 else 'less'} than a fair share ({limits})"
    return f"which cannot be told from a fair share ({limits} percentage points)"


def _values(view: View, metric: str) -> dict[int, float]:
    """Variant -> value, without those that have none."""
    values = {i: float(view.row(metric, i)["value"]) for i in range(len(view.labels))}
    return {i: value for i, value in values.items() if value == value}


def _extremes(view: View, told: Told, what: str = "that share") -> list[Sentence]:
    """Where the number is largest and smallest, if variants differ in it beyond doubt."""
    metric = view.every_metric[told.metric]
    values = _values(view, told.metric)
    if len(values) < 2 or len({v.rules.players for v in view.run.manifest.variants}) > 1 or not _differs(view, metric):
        return []
    most, least = max(values, key=values.__getitem__), min(values, key=values.__getitem__)
    return [
        (
            f"Over all variants {what} runs from ",
            _value(view, told.metric, least),
            " with ",
            Code(view.labels[least]),
            " to ",
            _value(view, told.metric, most),
            " with ",
            Code(view.labels[most]),
            ".",
        )
    ]


def _value(view: View, metric: str, variant: int) -> str:
    row = view.row(metric, variant)
    unit, low, high = str(row["unit"]), float(row["low"]), float(row["high"])
    return numbers.amount(float(row["value"]), unit, numbers.places_for(unit, low, high))


def _differs(view: View, metric: Metric) -> bool:
    """Whether some variant differs from the baseline in a metric, adjusted over all differences."""
    frame = view.all_differences
    return frame is not None and bool((frame[frame["metric"] == metric.name]["p_adjusted"] < ALPHA).any())


def _length(view: View) -> list[Sentence]:
    told = view.words.length
    if told is None or told.metric not in view.every_metric:
        return []
    values = _values(view, told.metric)
    if view.base not in values:
        return []
    opening: Sentence = (*_with(view, view.base)[:2], f" {_told(view, told, view.base)}")
    if len(values) < 2:
        return [(*opening, ".")]
    if not _differs(view, view.every_metric[told.metric]):
        return [(*opening, "; with no other variant is that shown to differ.")]
    parts: list[str | Code] = [*opening]
    for word, variant in (
        ("fewest", min(values, key=values.__getitem__)),
        ("most", max(values, key=values.__getitem__)),
    ):
        if variant != view.base:
            parts += [f"; {word} with ", Code(view.labels[variant]), f" ({_value(view, told.metric, variant)})"]
    return [(*parts, ".")]


def _capped(view: View) -> list[Sentence]:
    """Variants of which many games had to be stopped: their numbers need care."""
    if view.words.capped not in view.every_metric:
        return []
    values = _values(view, view.words.capped)
    many = [i for i, value in values.items() if value > MANY_CAPPED]
    if not many:
        return []
    worst = max(many, key=values.__getitem__)
    share = f"{_value(view, view.words.capped, worst)} of" if values[worst] < 1 else "all"
    more = f" (and {counted(len(many) - 1, 'more variant')} with over {100 * MANY_CAPPED:g} %)" if len(many) > 1 else ""
    return [
        (
            "Mind the cap: with ",
            Code(view.labels[worst]),
            f", {share} games were stopped undecided{more}; its numbers of whole games then tell more about the"
            " cap than about the rules.",
        )
    ]


def _changes(view: View) -> list[Sentence]:
    """How many differences stand, and which metric moves most that the other sentences have not told."""
    frame = view.differences
    if frame is None:
        return []
    tested = frame[frame["p_adjusted"].notna()]
    standing = tested[tested["p_adjusted"] < ALPHA]
    counted = f"{len(standing)} of {len(tested)} differences in the headline numbers"
    if standing.empty:
        return [("None of the differences in the headline numbers can be told from chance after adjustment.",)]
    told = {view.words.capped, view.words.length.metric if view.words.length else ""}
    rest = standing[~standing["metric"].isin(told) & standing["effect_size"].notna()]
    opening: Sentence = (f"{counted} to ", Code(view.baseline), " stand after adjustment for their number")
    if rest.empty:
        return [(*opening, ".")]
    row = rest.iloc[int(rest["effect_size"].abs().to_numpy().argmax())]
    unit = str(row["unit"])
    places = numbers.places_for(unit, float(row["low"]), float(row["high"]))
    before, after = (numbers.amount(float(row[key]), unit, places) for key in ("baseline_value", "value"))
    change: Sentence = (
        "; after length, what moves most is ",
        Code(title_of(str(row["metric"]))),
        f": {before} there, {after} with ",
        Code(str(row["variant"])),
        ".",
    )
    return [(*opening, *change)]


def _plain(view: View) -> list[Sentence]:
    """For a game without words of its own: its first headline metric."""
    metric = view.metrics[0]
    row = view.row(metric.name, view.base)
    places = numbers.places_for(metric.unit, float(row["low"]), float(row["high"]))
    limits = numbers.interval(float(row["low"]), float(row["high"]), metric.unit, places)
    value = numbers.amount(float(row["value"]), metric.unit, places)
    return [(*_with(view, view.base), f", {metric.meaning}: {value} (95 %: {limits}).")]
