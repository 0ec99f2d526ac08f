"""Replaying one game of a batch, by the batch's own kernel with the event log switched on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from simcore.bots import parse_table
from simcore.errors import InputError
from simcore.games import find_game
from simcore.games.base import Event, Game
from simcore.log import fits, new_log, records
from simcore.numbers import whole
from simcore.options import Rules, Setting
from simcore.shards import Variant, empty_tally, make_job

MAX_INDEX = 2**53
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Replay:
    """One game: its events, and its row of counts (the same as the batch's)."""

    game: Game
    events: Sequence[Event]
    counts: Mapping[str, int]

    def jsonl(self) -> Iterator[str]:
        """One JSON object an event."""
        return (json.dumps(event, separators=(",", ":")) for event in self.events)

    def text(self) -> Iterator[str]:
        """Lines for people."""
        return self.game.describe(self.events)


def check_seed(seed: int) -> int:
    """Return `seed` as an int; raise `InputError` if it does not fit the random streams."""
    seed = whole(seed, "seed")
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed {seed} is not allowed; allowed: 0 … {MAX_SEED}")
    return seed


def replay_variant(game: Game, variant: Variant, seed: int, index: int, rotate_seats: bool = False) -> Replay:
    """Play game `index` of a batch with the log on."""
    index = whole(index, "game index")
    if not 0 <= index <= MAX_INDEX:
        raise InputError(f"game index {index} is not allowed; allowed: 0 … {MAX_INDEX}")
    seed = check_seed(seed)
    job = make_job(game, variant, seed, rotate_seats)
    room = 4096
    while True:
        tally, log = empty_tally(game, 1), new_log(room)
        game.play_logged(job, index, tally, log)
        if fits(log):
            break
        room *= 4
    seating = job.seatings[index % len(job.seatings)]
    first: Event = {
        "event": "game",
        "game": game.name,
        "seed": seed,
        "index": index,
        "rules": dict(variant.rules),
        "bots": [str(variant.table[entrant]) for entrant in seating],
        "entrants": seating.tolist(),
    }
    events = [first, *game.decode(records(log), variant.rules)]
    return Replay(game, events, game.row_of(tally.rows[0]))


def replay(
    game: str,
    seed: int,
    index: int,
    set: Mapping[str, Setting] | Rules | None = None,
    bots: str = "",
    rotate_seats: bool = False,
) -> Replay:
    """Replay one game.

    Parameters
    ----------
    game : str
        Name of the game.
    seed, index : int
        As in the batch.
    set : mapping, optional
        Options that differ from the defaults.
    bots : str
        One bot for all seats, or one a seat, separated by commas; the game's first bot if empty.
    rotate_seats : bool
        Whether the batch rotated its seats.

    Returns
    -------
    Replay

    Raises
    ------
    InputError
        For an unknown name or an impossible value.

    Examples
    --------
    >>> replay("bank", seed=7, index=0).events[-1]["event"]
    'game_end'
    """
    found = find_game(game)
    rules = found.rules.rules(set)
    table = parse_table(game, found.bots, bots or found.bots[0].name, rules.players)
    return replay_variant(found, Variant(rules.label(), rules, table), seed, index, rotate_seats)
