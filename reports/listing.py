"""What there is to play, printed: the games, and the declarations of one."""

from __future__ import annotations

import re
import sys

from reports import console, declared, terminal
from simcore.games import find_game

_SECOND = re.compile(r"\s*\S.*?\s{2,}(?=\S)")


def show_games(form: str) -> None:
    """Print the games."""
    found = declared.game_records()
    if form != "table":
        _print(found, form)
        return
    for one in found:
        console.out(f"{one['game']}: {one['summary']}")
        console.out(f"  bots: {one['bots']}; options, metrics: kozyr rules {one['game']}")


def show_rules(game: str, form: str) -> None:
    """Print the options, bots and metrics of a game."""
    found = find_game(game)
    if form == "md":
        tables = (declared.option_table(found), declared.bot_table(found), declared.metric_table(found))
        sys.stdout.write("\n".join(tables))
    elif form != "table":
        _print(declared.records(found), form)
    else:
        for line in declared.describe(found).splitlines():
            print(terminal.wrapped(line, " " * _hanging(line)))


def _hanging(line: str) -> int:
    """Where the further lines of a line begin: below its second column, if it has one."""
    second = _SECOND.match(line)
    return second.end() if second else len(line) - len(line.lstrip()) + 4


def _print(records: list[dict[str, str]], form: str) -> None:
    import pandas as pd

    frame = pd.DataFrame(records)
    console.print_frame(frame, form, list(frame.columns))
