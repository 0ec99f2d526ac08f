"""What the checker re-derived from a game of Bank, for comparison with other counts of the same game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from .bank_rules import Rules


class RuleViolation(Exception):
    """A stream that departs from the page.

    Attributes
    ----------
    number
        Number of the event in the stream, from 0.
    event
        The event, or None when the stream ends too early.
    says
        What the page says.
    """

    def __init__(self, number: int, event: object, says: str) -> None:
        super().__init__(f"event {number} {event}: {says}")
        self.number, self.event, self.says = number, event, says


@dataclass
class RoundReport:
    """Counts of one round. Lists are by seat."""

    dealer: int
    starter: int
    players: int
    why: str = ""
    turns: int = 0
    """Times a seat had the turn, skipped turns included."""
    moves: int = 0
    cards_laid: int = 0
    draws: Counter[str] = field(default_factory=Counter)
    """By ``why``."""
    choice_draws: int = 0
    captures: Counter[str] = field(default_factory=Counter)
    """By ``why``."""
    captures_when_out: int = 0
    skips: int = 0
    fails: int = 0
    declines: int = 0
    decisions: int = 0
    """Times a bot had to choose."""
    actions: int = 0
    """Legal actions, summed over the decisions."""
    forced: int = 0
    """Decisions with exactly one legal action."""
    hits: list[int] = field(default_factory=list)
    """Times a seven acted on the seat, under any seven rule."""
    places: list[int] = field(default_factory=list)
    """1, 2, 3, or 0 for a seat that did not go out."""
    out_with: list[Counter[str]] = field(default_factory=list)
    """Reasons of the bonus (``king``, ``quad``, ``run``) that applied."""
    captured: list[int] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)
    penalty: list[int] = field(default_factory=list)
    score: list[int] = field(default_factory=list)
    total: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hits = [0] * self.players
        self.places = [0] * self.players
        self.out_with = [Counter() for _ in range(self.players)]
        self.bonus = [0] * self.players

    @property
    def wins(self) -> list[Fraction]:
        """Each seat's share of the round's win."""
        best = max(self.score)
        return [Fraction(score == best, self.score.count(best)) for score in self.score]

    def decide(self, actions: int) -> None:
        """Count one decision between so many actions."""
        self.decisions += 1
        self.actions += actions
        self.forced += actions == 1


@dataclass
class Report:
    """Counts of one game, with those of each round in `rounds`."""

    rules: Rules
    rounds: list[RoundReport] = field(default_factory=list)
    winner: int | None = None
    capped: bool = False
    total: list[int] = field(default_factory=list)

    def sum(self, name: str) -> int:
        """Sum over the rounds of a count such as ``turns``; a counter or list is summed whole."""
        values = [getattr(one, name) for one in self.rounds]
        return sum(v if isinstance(v, int) else sum(v.values() if isinstance(v, Counter) else v) for v in values)

    def by(self, name: str) -> Counter[str]:
        """Sum over the rounds of a counter, ``draws`` or ``captures``."""
        return sum((getattr(one, name) for one in self.rounds), Counter())

    @property
    def wins(self) -> list[Fraction]:
        """Rounds won by seat, ties shared."""
        return [sum(shares, Fraction(0)) for shares in zip(*(one.wins for one in self.rounds), strict=True)]

    @property
    def starter_wins(self) -> Fraction:
        """Rounds won by their starter, ties shared."""
        return sum((one.wins[one.starter] for one in self.rounds), Fraction(0))

    @property
    def blocked(self) -> int:
        """Rounds that ended blocked."""
        return sum(one.why == "blocked" for one in self.rounds)

    @property
    def outs(self) -> Counter[int]:
        """Players who went out, by place."""
        return Counter(place for one in self.rounds for place in one.places if place)

    @property
    def out_with(self) -> Counter[str]:
        """Players who went out with a king on top, a quad or a one-suit run."""
        return sum((kinds for one in self.rounds for kinds in one.out_with), Counter())
