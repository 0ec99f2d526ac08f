"""The checker: replays a game of Bank from any source and refuses whatever the rules page does not say.

``PYTHONPATH=tests python -m reference.bank_check < games.jsonl`` checks a file of games.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import NoReturn

from . import bank_judge as judge
from .bank_report import Report, RoundReport, RuleViolation
from .bank_round import RoundCheck
from .bank_rules import Rules
from .bank_stream import Event, Stream


def check(events: Iterable[Event]) -> Report:
    """Replay one game and derive every legal move, effect and score again.

    Parameters
    ----------
    events
        The events of one game, as dicts.

    Returns
    -------
    Report
        What was counted on the way.

    Raises
    ------
    RuleViolation
        At the first event that departs from the page.
    """
    stream = Stream(events)
    head = stream.expect("game", "a game begins with its description", game="bank")
    wrong = judge.wrong_rules(stream.key(head, "rules"))
    if wrong:
        stream.refuse(wrong)
    rules = head["rules"]
    players: int = rules["players"]
    bots = stream.key(head, "bots")
    if not isinstance(bots, list) or len(bots) != players:
        stream.refuse("bots: one a seat")
    for name in ("seed", "index"):
        if type(stream.key(head, name)) is not int:
            stream.refuse(f"{name} is a number")
    report = Report(rules, total=[0] * players)
    play_rounds(stream, report)
    stream.end()
    return report


def play_rounds(stream: Stream, report: Report) -> None:
    """All rounds of a game, and its end."""
    rules, sudden_death, dealer = report.rules, False, None
    while report.winner is None and len(report.rounds) < rules["max_rounds"]:
        one = RoundCheck(stream, rules, report.total, len(report.rounds) + 1, dealer)
        done = one.run()
        report.rounds.append(done)
        report.total = done.total
        dealer = next_dealer(rules, one, done)
        ranking = sorted(report.total, reverse=True)
        sudden_death |= ranking[0] >= rules["target"]
        if sudden_death and ranking[0] > ranking[1]:
            report.winner = report.total.index(ranking[0])
    report.capped = report.winner is None
    says = "once anyone has reached the target, the highest total wins as soon as it is not shared"
    stream.expect("game_end", says, winner=report.winner, capped=report.capped, total=report.total)


def next_dealer(rules: Rules, one: RoundCheck, done: RoundReport) -> int:
    """Who deals the round after."""
    match rules["next_dealer"]:
        case "starter":
            return done.starter
        case "last_out":
            return judge.seat_last_out(one.hands, done.dealer)
        case "loser":
            return judge.first_from_left(done.dealer, done.score, min(done.score))
        case "leader":
            return judge.first_from_left(done.dealer, done.total, max(done.total))
        case _:
            return judge.first_from_left(done.dealer, done.total, min(done.total))


def split_games(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Cut a stream of games, one after the other, into games."""
    game: list[Event] = []
    for event in events:
        if event.get("event") == "game" and game:
            yield game
            game = []
        game.append(event)
    if game:
        yield game


def main() -> NoReturn:
    """Check the games on standard input."""
    count = 0
    for game in split_games(json.loads(line) for line in sys.stdin):
        try:
            check(game)
        except RuleViolation as violation:
            sys.exit(f"game {count} (seed {game[0].get('seed')}, index {game[0].get('index')}): {violation}")
        count += 1
    print(f"{count} games, no violation")
    sys.exit(0 if count else 1)


if __name__ == "__main__":
    main()
