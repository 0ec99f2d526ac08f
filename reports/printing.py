"""Summary, comparison and fairness of a run, printed."""

from __future__ import annotations

import re

import pandas as pd

from reports import console

CAPPED = "capped games lost … won"


def _interval_name(level: float) -> str:
    return f"{level:.4g} interval"


def _between(frame: pd.DataFrame) -> pd.Series[str]:
    """How far counting capped games either way reaches, where it matters."""
    pairs = zip(frame["capped_low"], frame["capped_high"], strict=True)
    told = [
        f"{console.number(low)} … {console.number(high)}" if low is not None and low == low and low != high else ""
        for low, high in pairs
    ]
    return pd.Series(told, index=frame.index, dtype="object")


def _with_capped(frame: pd.DataFrame, columns: list[str]) -> tuple[pd.DataFrame, list[str]]:
    """The frame with a column for capped games, if they matter anywhere."""
    between = _between(frame)
    if not (between != "").any():
        return frame, columns
    return frame.assign(**{CAPPED: between}), [*columns, CAPPED]


def show_summary(frame: pd.DataFrame, level: float, form: str) -> None:
    """Print a `summary`."""
    if form in ("csv", "json"):
        console.print_frame(frame, form, [])
        return
    name = _interval_name(level)
    frame = frame.assign(**{name: console.interval_column(frame)})
    frame, columns = _with_capped(frame, ["variant", "metric", "value", name])
    console.print_frame(frame, form, [*columns, "unit", "level"])
    if form == "table":
        console.tell(f"intervals, each by itself: {'; '.join(_methods(frame))}")


def _methods(frame: pd.DataFrame) -> list[str]:
    """The methods of the intervals, without what differs from number to number."""
    plain = [re.sub(r"order statistics \S+ and \S+,", "order statistics,", str(method)) for method in frame["method"]]
    plain = [re.sub(r"as \d+ independent", "as fewer independent", method) for method in plain]
    return [method for method in dict.fromkeys(plain) if method != "none"]


def show_compare(frame: pd.DataFrame, level: float, form: str) -> None:
    """Print a `compare`."""
    if form in ("csv", "json"):
        console.print_frame(frame, form, [])
        return
    name = _interval_name(level)
    frame = frame.assign(**{name: console.interval_column(frame)})
    frame, columns = _with_capped(frame, ["variant", "metric", "value", "difference", name])
    columns += ["p_adjusted", "gain"]
    tested = frame["margin"].notna().any()
    if tested:
        words = [{True: "yes", False: "not shown"}.get(value, "") for value in frame["equivalent"]]
        frame = frame.assign(equivalent=words)
        columns += ["margin", "equivalent"]
    console.print_frame(frame, form, columns)
    if form != "table":
        return
    console.tell(
        f"differences to {frame['baseline'].iloc[0]}, paired on the same deals; p adjusted: {frame['adjustment'].iloc[0]};"
    )
    console.tell("gain: how many unpaired games one paired game was worth")
    if tested:
        console.tell(
            "equivalent: shown to differ by less than the margin (two one-sided tests, adjusted in the same way)"
        )


def show_fairness(seats: pd.DataFrame, equality: pd.DataFrame, level: float, form: str) -> None:
    """Print what each seat gets, and whether seats are equal."""
    if form in ("csv", "json"):
        keys = ["variant", "metric", "unit"]
        extra = equality.drop(columns=["note"]).rename(columns={"method": "test"})
        console.print_frame(seats.merge(extra, on=keys, how="left"), form, [])
        return
    name = _interval_name(level)
    intervals = {name: console.interval_column(seats)}
    limits = seats.rename(columns={"low": "_", "high": "__", "advantage_low": "low", "advantage_high": "high"})
    intervals["its interval"] = console.interval_column(limits)
    frame = seats.assign(**intervals)
    frame, columns = _with_capped(
        frame, ["variant", "metric", "name", "value", name, "fair", "advantage", "its interval"]
    )
    console.print_frame(frame, form, [*columns, "unit"])
    print()
    largest = equality.rename(columns={"largest_low": "low", "largest_high": "high"})
    equality = equality.assign(**{name: console.interval_column(largest)})
    columns = ["variant", "metric", "p_equal", "p_adjusted", "best", "largest_advantage", name, "spread", "unit"]
    console.print_frame(equality, form, columns)
    if form == "table":
        console.tell(
            f"intervals hold for all seats of a metric and variant at once; p_equal: {equality['method'].iloc[0]};"
            f" p_adjusted: {equality['adjustment'].iloc[0]}"
        )
        console.tell("advantage: over the mean of all seats; spread: the best seat less the worst")
