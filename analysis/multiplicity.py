"""Many comparisons at once: p values adjusted, and levels for intervals that hold together.

Sources
-------
Holm, S. (1979). A simple sequentially rejective multiple test procedure. *Scand. J. Statist.* 6, 65-70.
Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate.
    *J. R. Statist. Soc. B* 57, 289-300.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.estimate import check_level, counted

# our name: (name in statsmodels, what it holds down)
ADJUSTMENTS = {
    "holm": ("holm", "chance of any false rejection"),
    "bonferroni": ("bonferroni", "chance of any false rejection"),
    "benjamini-hochberg": ("fdr_bh", "expected share of false rejections"),
}
NO_COMPARISON = "none, as no comparison could be made"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """P values adjusted for a family of comparisons.

    Attributes
    ----------
    p_values : tuple of float
        Adjusted, in the order given; nan where there was no p value.
    rejected : tuple of bool
        Which are rejected at `alpha`.
    family : int
        Comparisons in the family: those with a p value.
    alpha : float
        Error rate of the family.
    method : str
        What was done, in words.
    """

    p_values: tuple[float, ...]
    rejected: tuple[bool, ...]
    family: int
    alpha: float
    method: str


def adjust(p_values: Sequence[float], method: str = "holm", alpha: float = 0.05) -> Adjusted:
    """Adjust p values for having made several comparisons, with `statsmodels.stats.multitest`.

    Parameters
    ----------
    p_values : sequence of float
        Unadjusted p values; nan marks a comparison that could not be made and is left out.
    method : {"holm", "bonferroni", "benjamini-hochberg"}
        Holm is never less powerful than Bonferroni, and both allow any dependence between the tests;
        Benjamini-Hochberg needs independence or positive dependence.
    alpha : float
        Error rate of the family.

    Raises
    ------
    ValueError
        If the method or a p value is not allowed.
    """
    if method not in ADJUSTMENTS:
        raise ValueError(f"adjustment {method!r} is not allowed: {', '.join(ADJUSTMENTS)}")
    check_level(1 - alpha)
    p = np.asarray(p_values, dtype=np.float64)
    there = ~np.isnan(p)
    if np.any((p[there] < 0) | (p[there] > 1)):
        raise ValueError("p values must lie between 0 and 1")
    adjusted, rejected = np.full(p.shape, np.nan), np.zeros(p.shape, dtype=bool)
    name, held = ADJUSTMENTS[method]
    if np.any(there):
        from statsmodels.stats.multitest import multipletests  # heavy

        rejected[there], adjusted[there] = multipletests(p[there], alpha=alpha, method=name)[:2]
    family = int(there.sum())
    words = f"{method} over {counted(family, 'comparison')}, {held} at most {alpha:g}" if family else NO_COMPARISON
    return Adjusted(tuple(map(float, adjusted)), tuple(map(bool, rejected)), family, alpha, words)


def simultaneous_level(level: float, family: int) -> float:
    """Return the level at which each of `family` intervals must be taken for all to hold at `level`.

    Bonferroni, 1 - (1 - level) / family: any dependence is allowed.

    Raises
    ------
    ValueError
        If there is no comparison.
    """
    if family < 1:
        raise ValueError(f"a family of {family} comparisons is not allowed: 1 or more")
    return 1 - (1 - check_level(level)) / family
