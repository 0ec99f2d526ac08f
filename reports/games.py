"""The little that a report says about one game in words of its own; everything else comes from the game's declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simcore.games.square.state import GRIDS, PLACES, RANKS

if TYPE_CHECKING:
    import pandas as pd

    from simcore.bots import Player
    from simcore.metrics import Ints
    from simcore.options import Rules


@dataclass(frozen=True)
class Told:
    """A metric told in a sentence: ``{value}`` stands for its value."""

    metric: str
    sentence: str


@dataclass(frozen=True)
class Part:
    """One part of a whole: a count, and what it is; an empty count is what the others leave."""

    count: str
    name: str


@dataclass(frozen=True)
class Endings:
    """A picture of what ends rounds, games, turns: shares of `whole` (a count)."""

    id: str
    title: str
    whole: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Profile:
    """A picture of a vector metric over its entries: who leads when."""

    metric: str
    title: str
    axis: str
    steps: str


@dataclass(frozen=True)
class Grid:
    """A picture of a vector metric whose entries are places on the table.

    Attributes
    ----------
    metric, title, caption : str
    names : str
        A letter for each entry.
    option : str
        The option that says where the places lie.
    shapes : mapping
        Its value -> the rows of places.
    """

    metric: str
    title: str
    caption: str
    names: str
    option: str
    shapes: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Steps:
    """A histogram of gains with so much of its mass on few values that it is drawn as cumulative shares.

    Attributes
    ----------
    title, axis : str
        What it is; and what is drawn across.
    per : int
        Values are divided by it.
    """

    title: str
    axis: str
    per: int = 1


@dataclass(frozen=True)
class GameWords:
    """What a report says about a game.

    Attributes
    ----------
    edge : Told, optional
        A share with a fair value: what the first move is worth.
    first : Told, optional
        Another number that is asked for first.
    length : Told, optional
        How long it takes.
    capped : str
        The metric of games stopped without a winner.
    seats : mapping
        Vector metrics by seat that have a fair value, with a title; empty: all that there are.
    steps : mapping
        Histograms of gains that are drawn as steps instead of densities.
    profiles, endings, grids
        Further pictures.
    chart : callable, optional
        ``chart(rules)``: a strategy chart, a frame of actions by own total and card seen, with an `attrs` entry ``against``.
    compare : callable, optional
        ``compare(rules, table, hist)``: simulated values beside exact ones.
    """

    edge: Told | None = None
    first: Told | None = None
    length: Told | None = None
    capped: str = ""
    seats: dict[str, str] = field(default_factory=dict)
    steps: Mapping[str, Steps] = field(default_factory=dict)
    profiles: tuple[Profile, ...] = ()
    endings: tuple[Endings, ...] = ()
    grids: tuple[Grid, ...] = ()
    chart: Callable[[Rules], pd.DataFrame] | None = None
    compare: Callable[[Rules, Sequence[Player], Ints], pd.DataFrame] | None = None


_BANK = GameWords(
    edge=Told("round_win_share.0", "the first player wins {value} of rounds"),
    length=Told("rounds", "a game lasts {value} rounds"),
    capped="capped",
    seats={"round_win_share": "Rounds won, by place", "game_win_share": "Games won, by place"},
    profiles=(
        Profile(
            "winner_led",
            "Who leads when",
            "% of games that the later winner leads alone",
            "tenths of the game played",
        ),
    ),
    endings=(
        Endings(
            "ends",
            "What ends a round",
            "rounds",
            (Part("blocked", "nobody left can lay a card"), Part("", "one player is left")),
        ),
    ),
)


def _ochko_chart(rules: Rules) -> pd.DataFrame:
    from simcore.games.ochko.exact.tables import strategy_chart

    return strategy_chart(rules)


def _ochko_compare(rules: Rules, table: Sequence[Player], hist: Ints) -> pd.DataFrame:
    from simcore.games.ochko.exact.compare import compare

    return compare(rules, table, hist, marker_edges=False)


_OCHKO = GameWords(
    first=Told("edge", "the banker gains {value} of each unit that is staked against him"),
    chart=_ochko_chart,
    compare=_ochko_compare,
    length=Told("circles", "a session lasts {value} circles"),
    capped="capped_games",
    steps={"session_gain": Steps("banker's net gain of a session", "gain in stakes", 10)},
    endings=(
        Endings(
            "sessions",
            "What ends a session",
            "sessions",
            (
                Part("broken", "the bank is broken"),
                Part("stuk", "the stuk circle is over"),
                Part("capped_sessions", "stopped at a cap"),
            ),
        ),
        Endings(
            "hands",
            "What ends a hand",
            "hands",
            (
                Part("ends.0", "21 at once"),
                Part("ends.1", "bust"),
                Part("ends.2", "a concealed bust"),
                Part("ends.3", "a blind bust"),
                Part("ends.4", "both bust"),
                Part("ends.5", "the banker busts"),
                Part("ends.6", "the punter's is higher"),
                Part("ends.7", "the banker's is higher"),
                Part("ends.8", "equal totals"),
                Part("ends.9", "left unsettled"),
            ),
        ),
    ),
)

_SQUARE = GameWords(
    edge=Told("deal_win_share.0", "the side that begins wins {value} of deals (draws shared)"),
    length=Told("deals", "a match lasts {value} deals"),
    capped="capped",
    seats={"deal_win_share": "Deals won, by side", "game_win_share": "Matches won, by side"},
    profiles=(
        Profile(
            "winner_led",
            "Who leads when",
            "% of matches that the later winner leads",
            "tenths of the match played",
        ),
    ),
    endings=(
        Endings(
            "ends",
            "What ends a deal",
            "deals",
            (Part("ended", "a side ends it"), Part("exhausted", "the pack runs out")),
        ),
    ),
    grids=(
        Grid(
            "open_share",
            "Which places are filled",
            "Share of squares whose place shows an open card when the deal is over.",
            RANKS[:PLACES],
            "layout",
            GRIDS,
        ),
        Grid(
            "place_points",
            "Which places bring points",
            "Points of the lines through each place when the deal is over, a side and deal.",
            RANKS[:PLACES],
            "layout",
            GRIDS,
        ),
    ),
)

_WORDS = {"bank": _BANK, "ochko": _OCHKO, "square": _SQUARE}


def words_of(game: str) -> GameWords:
    """What is declared for a game; nothing for one that is not listed, whose report is then all from its metrics."""
    return _WORDS.get(game, GameWords())
