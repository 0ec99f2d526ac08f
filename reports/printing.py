"""Summary, comparison and fairness of a run, printed."""

from __future__ import annotations

import re

import pandas as pd

from analysis.multiplicity import NO_COMPARISON
from reports import console, numbers

CAPPED = "capped:"
ITS = "its interval"
FEW_SHARDS = 10
_SHARDS = re.compile(r"over ([0-9,]+) shards?")
_BATCHES = "from how batches of games (shards) differ"
_WORDS = {
    "paired delta method": "from how batches of games (shards) played on the same deals differ",
    "delta method": _BATCHES,
    "Wilson, effective": f"of shares, {_BATCHES}",
    "Wilson": "of shares of games, from how many games there are",
    "t interval": "of means of games, from how games differ",
    "order statistics": "of quantiles, between two of the values seen",
    "log standard": "of standard deviations, from how values spread",
    "the smallest": "of the ends, what was seen: the true end lies there or beyond",
    "the largest": "of the ends, what was seen: the true end lies there or beyond",
}
"""How the name of a method begins: what it does."""


def _interval_name(level: float) -> str:
    return f"{100 * level:.4g} % interval"


def _texts(frame: pd.DataFrame, value: str, low: str = "low", high: str = "high", signed: bool = False) -> list[str]:
    """A column of numbers as people read them: as many digits as their intervals support, shares in per cent."""
    rows = zip(frame[value], frame[low], frame[high], frame["unit"], strict=True)
    units = [numbers.difference_unit(str(u)) if signed else str(u) for u in frame["unit"]]
    return [
        "" if v is None or v != v else numbers.amount(float(v), unit, _places(unit, lo, hi), signed)
        for (v, lo, hi, _), unit in zip(rows, units, strict=True)
    ]


def _limits(frame: pd.DataFrame, low: str = "low", high: str = "high", signed: bool = False) -> list[str]:
    """Intervals as people read them."""
    texts = []
    for lo, hi, unit in zip(frame[low], frame[high], frame["unit"], strict=True):
        shown = numbers.difference_unit(str(unit)) if signed else str(unit)
        missing = lo is None or lo != lo
        texts.append("" if missing else numbers.interval(float(lo), float(hi), shown, _places(shown, lo, hi), signed))
    return texts


def _places(unit: str, low: float | None, high: float | None) -> int:
    if low is None or high is None or low != low or high != high:
        return numbers.MAX_DECIMALS if not numbers.is_share(unit) else 2
    return numbers.places_for(unit, float(low), float(high))


def _units(frame: pd.DataFrame) -> list[str]:
    """Units that a number does not carry itself."""
    return ["" if numbers.is_share(str(unit)) else str(unit) for unit in frame["unit"]]


def _with_capped(frame: pd.DataFrame, intervals: list[str], signed: bool = False) -> list[str]:
    """Intervals with a second line for how far counting capped games either way reaches, where that matters."""
    pairs = zip(frame["capped_low"], frame["capped_high"], strict=True)
    matters = [low is not None and low == low and low != high for low, high in pairs]
    texts = _limits(frame, "capped_low", "capped_high", signed)
    told = zip(intervals, texts, matters, strict=True)
    return [f"{interval}\n{CAPPED} {text}" if matter else interval for interval, text, matter in told]


def show_summary(frame: pd.DataFrame, level: float, form: str) -> None:
    """Print a `summary`."""
    if form in ("csv", "json"):
        console.print_frame(frame, form, [])
        return
    name = _interval_name(level)
    texts = {"value": _texts(frame, "value"), name: _with_capped(frame, _limits(frame)), "unit": _units(frame)}
    shown = frame.assign(**texts).rename(columns={"level": "of each"})
    columns = ["variant", "metric", "value", name, "unit", "of each"]
    console.print_frame(shown, form, columns, right=("value", name), spare=("unit", "of each"))
    if form == "table":
        tell_methods(frame)
        _tell_capped(shown[name])


def _tell_capped(intervals: pd.Series[str]) -> None:
    if intervals.str.contains(CAPPED, regex=False).any():
        console.tell("capped: the value if games without a winner count as lost, and as won")


def tell_methods(frame: pd.DataFrame) -> None:
    """Say how the intervals of a frame with the column ``method`` were made, and whether shards were few for it."""
    methods = [str(method) for method in frame["method"]]
    told = dict.fromkeys(_in_words(method) for method in methods if method != "none")
    console.tell(f"intervals, each by itself: {'; '.join(told)}")
    shards = [int(count.replace(",", "")) for method in methods for count in _SHARDS.findall(method)]
    if shards and min(shards) < FEW_SHARDS:
        few = (
            "one shard gives no interval"
            if min(shards) == 1
            else f"{min(shards)} shards are few, so intervals are wide"
        )
        console.tell(f"note: {few}; play more games")


def _in_words(method: str) -> str:
    """A method as a reader understands it, with its name in parentheses, without what differs from number to number."""
    plain = re.sub(r"order statistics \S+ and \S+,", "order statistics,", method)
    plain = re.sub(r"as \d+ independent", "as fewer independent", plain)
    return next((f"{words} ({plain})" for start, words in _WORDS.items() if plain.startswith(start)), plain)


def show_compare(frame: pd.DataFrame, level: float, form: str) -> None:
    """Print a `compare`."""
    if form in ("csv", "json"):
        console.print_frame(frame, form, [])
        return
    name = _interval_name(level)
    texts = {"value": _texts(frame, "value"), "difference": _texts(frame, "difference", signed=True)}
    texts[name] = _with_capped(frame, _limits(frame, signed=True), signed=True)
    texts["p adjusted"] = [numbers.p_value(p) for p in frame["p_adjusted"]]
    shown = frame.assign(**texts, gain=[numbers.plain(gain, 2) for gain in frame["gain"]])
    columns = ["variant", "metric", "value", "difference", name, "p adjusted", "gain"]
    tested = frame["margin"].notna().any()
    if tested:
        words = [{True: "yes", False: "not shown"}.get(value, "") for value in frame["equivalent"]]
        margins = [_margin(m, str(unit)) for m, unit in zip(frame["margin"], frame["unit"], strict=True)]
        shown = shown.assign(equivalent=words, margin=margins)
        columns += ["margin", "equivalent"]
    console.print_frame(shown, form, columns, right=("value", "difference", name, "p adjusted", "gain", "margin"))
    if form != "table":
        return
    console.tell(
        f"differences to {frame['baseline'].iloc[0]}, paired on the same deals; p adjusted: {_adjustment(frame)}"
    )
    tell_methods(frame)
    console.tell("gain: how many unpaired games one paired game was worth")
    _tell_capped(shown[name])
    if tested:
        console.tell(
            "equivalent: shown to differ by less than the margin (two one-sided tests, adjusted in the same way)"
        )


def _adjustment(frame: pd.DataFrame) -> str:
    """How p values were adjusted, or why there is none."""
    adjustment = str(frame["adjustment"].iloc[0])
    if adjustment != NO_COMPARISON:
        return adjustment
    return f"{adjustment} ({'; '.join(dict.fromkeys(str(note) for note in frame['note'] if note))})"


def _margin(margin: float | None, unit: str) -> str:
    """A margin as it was given: four significant digits."""
    if margin is None or margin != margin:
        return ""
    return f"{100 * margin:.4g} pp" if numbers.is_share(unit) else f"{margin:.4g}"


def show_fairness(seats: pd.DataFrame, equality: pd.DataFrame, level: float, form: str) -> None:
    """Print what each seat gets, and whether seats are equal."""
    if form in ("csv", "json"):
        keys = ["variant", "metric", "unit"]
        extra = equality.drop(columns=["note"]).rename(columns={"method": "test"})
        console.print_frame(seats.merge(extra, on=keys, how="left"), form, [])
        return
    name = _interval_name(level)
    ends = ("advantage_low", "advantage_high")
    texts = {"value": _texts(seats, "value"), name: _with_capped(seats, _limits(seats)), "fair": _texts(seats, "fair")}
    texts |= {"advantage": _texts(seats, "advantage", *ends, signed=True), ITS: _limits(seats, *ends, signed=True)}
    shown = seats.assign(**texts, unit=_units(seats))
    columns = ["variant", "metric", "name", "value", name, "fair", "advantage", ITS, "unit"]
    console.print_frame(shown, form, columns, right=("value", name, "fair", "advantage", ITS), spare=("unit",))
    print()
    ends = ("largest_low", "largest_high")
    texts = {"largest advantage": _texts(equality, "largest_advantage", *ends, signed=True)}
    texts |= {name: _limits(equality, *ends, signed=True), "spread": _texts(equality, "spread", *ends, signed=True)}
    tests = {"p equal": "p_equal", "p adjusted": "p_adjusted"}
    texts |= {title: [numbers.p_value(p) for p in equality[key]] for title, key in tests.items()}
    shown = equality.assign(**texts, unit=_units(equality))
    flush = [*tests, "largest advantage", name, "spread"]
    columns = ["variant", "metric", "p equal", "p adjusted", "best", "largest advantage", name, "spread", "unit"]
    console.print_frame(shown, form, columns, right=flush)
    if form == "table":
        console.tell(
            f"intervals hold for all seats of a metric and variant at once; p equal: {equality['method'].iloc[0]};"
            f" p adjusted: {_adjustment(equality)}"
        )
        console.tell("advantage: over the mean of all seats; spread: the best seat less the worst")
