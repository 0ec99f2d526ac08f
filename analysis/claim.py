"""A claim: a sentence about a game, made exact enough to be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.playing import variant_of
from simcore.errors import InputError
from simcore.games.base import Game
from simcore.metrics import Metric
from simcore.options import Setting
from simcore.shards import Variant


@dataclass(frozen=True)
class Claim:
    """A sentence about a game, and how it is checked.

    Attributes
    ----------
    id, sentence, source, reading, caveat : str
        Name; what is claimed; where it stands; how it is read here; what the comparison cannot tell.
    game : Game
    metric : Metric
    set : mapping
        Options set for the variant and the baseline alike.
    variant : mapping
        Options of the variant.
    baseline : mapping or None
        Options of the baseline: the claim is about the difference variant less baseline on the same deals. None: it is
        about the variant's own value.
    direction : {"greater", "less", "within", "beyond"}
        theta > margin, theta < margin, |theta| < margin, |theta| > margin.
    margin : float
        In the metric's unit.
    error_rate : float
        Of a false verdict, on either side.
    bots : str
        Table of bots of the main verdict.
    more_bots : tuple of str
        Further tables for the multiverse.
    rulings : mapping
        Options to sweep in the multiverse, each with its values.
    max_games, seed : int
        Games for each variant, at most.
    part : bool
        Whether it is one of several parts of its sentence, which holds if all of them do ("the shortest of all": shorter than
        each other). Else it is a reading of the whole sentence.
    """

    id: str
    sentence: str
    source: str
    reading: str
    game: Game
    metric: Metric
    direction: str
    margin: float
    set: Mapping[str, Setting] = field(default_factory=dict)
    variant: Mapping[str, Setting] = field(default_factory=dict)
    baseline: Mapping[str, Setting] | None = None
    error_rate: float = 0.05
    bots: str = ""
    more_bots: tuple[str, ...] = ()
    rulings: Mapping[str, tuple[Setting, ...]] = field(default_factory=dict)
    max_games: int = 100_000
    seed: int = 1
    caveat: str = ""
    part: bool = False

    def variants(self, settings: Mapping[str, Setting] | None = None, bots: str = "") -> tuple[Variant, ...]:
        """The variant and, if there is one, the baseline, in a universe of other rulings and bots.

        Raises
        ------
        InputError
            If the two play the same games, or a combination is impossible.
        """
        common = {**self.set, **(settings or {})}
        table = bots or self.bots
        first = variant_of(self.game, {**common, **self.variant}, table)
        if self.baseline is None:
            return (first,)
        second = variant_of(self.game, {**common, **self.baseline}, table)
        if (first.rules, first.table) == (second.rules, second.table):
            raise InputError(f"the variant and the baseline play the same games ({first.label})")
        return first, second

    @property
    def theta(self) -> str:
        """The number that the claim is about, such as ``rounds(trumps=none) - rounds(default)``."""
        first = f"{self.metric.name}({_text(self.variant)})"
        return first if self.baseline is None else f"{first} - {self.metric.name}({_text(self.baseline)})"

    @property
    def formula(self) -> str:
        """The claim as a formula, such as ``rounds(trumps=none) - rounds(default) > 1``."""
        size = f"|{self.theta}|" if self.two_sided else self.theta
        return f"{size} {'>' if self.direction in ('greater', 'beyond') else '<'} {self.margin:g}"

    @property
    def two_sided(self) -> bool:
        """Whether it is about the size of a number whatever its sign."""
        return self.direction in ("within", "beyond")

    @property
    def margins(self) -> tuple[float, ...]:
        """Where theta's fate changes: the margin, or it and its mirror image."""
        return (-self.margin, self.margin) if self.two_sided else (self.margin,)


def _text(settings: Mapping[str, Setting]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items()) or "default"
