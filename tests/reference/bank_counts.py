"""What a simulator should count in a game of Bank, computed again from the checker's `Report`.

Seats are entrants here: the table is not rotated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from .bank_report import Report, RoundReport

Row = dict[str, int]
WIN_PARTS = 12  # a shared win is counted in twelfths
TENTHS = 10


def expected_row(report: Report) -> Row:
    """Every count of one game, by its column's name."""
    row: Row = Counter()
    row.update(totals_of_rounds(report))
    for one in report.rounds:
        row.update(counts_by_seat(one))
    row.update(outcome(report))
    row.update(history(report))
    row.update(hits_in_game(report))
    return row


def totals_of_rounds(report: Report) -> Row:
    """Plain sums over the rounds."""
    first_moves = report.sum("turns") - report.sum("skips") - report.sum("fails")
    return Counter(
        rounds=len(report.rounds),
        blocked=report.blocked,
        turns=report.sum("turns"),
        laid=report.sum("cards_laid"),
        draws=report.sum("draws"),
        skips=report.sum("skips"),
        fails=report.sum("fails"),
        extra_moves=report.sum("moves") - first_moves,
        captures=report.sum("captures"),
        kings_captures=report.by("captures")["kings"],
        trump_king_captures=report.by("captures")["trump_king"],
        captured_points=report.sum("captured"),
        decisions=report.sum("decisions"),
        choices=report.sum("actions"),
        forced=report.sum("forced"),
        player_rounds=len(report.rounds) * report.rules["players"],
        bonus=report.sum("bonus"),
        penalty=report.sum("penalty"),
        score=report.sum("score"),
        hits=report.sum("hits"),
    )


def twelfths(share: Fraction) -> int:
    """A share of a win in twelfths."""
    parts = share * WIN_PARTS
    assert parts.denominator == 1
    return parts.numerator


def counts_by_seat(one: RoundReport) -> Row:
    """What a round adds to the counts of seats, places and hits."""
    row: Row = Counter()
    best, second, *_ = sorted(one.score, reverse=True)
    row["round_margin"] += best - second
    for seat, share in enumerate(one.wins):
        place, score = (seat - one.starter) % one.players, one.score[seat]
        row[f"round_wins.{place}"] += twelfths(share)
        row[f"round_score.{place}"] += score
        row[f"entrant_round_wins.{seat}"] += twelfths(share)
        row[f"entrant_score.{seat}"] += score
        hit = "hit" if one.hits[seat] else "unhit"
        row[f"{hit}_rounds"] += 1
        row[f"{hit}_wins"] += twelfths(share)
        row[f"{hit}_score"] += score
        if one.places[seat]:
            order = one.places[seat] - 1
            row[f"outs.{order}"] += 1
            for why in one.out_with[seat]:
                row[f"outs_{why}.{order}"] += 1
        row.update(catching_up(one, seat, hit))
    return row


def catching_up(one: RoundReport, seat: int, hit: str) -> Row:
    """A player who begins the round behind the leader: does he end it nearer to him?"""
    before = [total - score for total, score in zip(one.total, one.score, strict=True)]
    if before[seat] == max(before):
        return Counter()
    leader = before.index(max(before))
    gap_before, gap_after = before[leader] - before[seat], one.total[leader] - one.total[seat]
    return Counter({f"behind_{hit}": 1, f"behind_{hit}_gains": int(gap_after < gap_before)})


def outcome(report: Report) -> Row:
    """The end of the game."""
    row: Row = Counter(games=1, decided=int(not report.capped), capped=int(report.capped))
    first, players = report.rounds[0].starter, report.rules["players"]
    for seat, total in enumerate(report.total):
        row[f"seat_total.{seat}"] = row[f"place_total.{(seat - first) % players}"] = total
        row[f"entrant_games.{seat}"] = 1
    if report.winner is None:
        return row
    best, second, *_ = sorted(report.total, reverse=True)
    row["margin"] = best - second
    row[f"seat_wins.{report.winner}"] = row[f"entrant_wins.{report.winner}"] = 1
    row[f"game_wins.{(report.winner - first) % players}"] = 1
    return row


def sole_leaders(report: Report) -> Iterator[int | None]:
    """After each round the seat that leads alone, or None."""
    for one in report.rounds:
        best = max(one.total)
        yield one.total.index(best) if one.total.count(best) == 1 else None


def history(report: Report) -> Row:
    """Who led, and when."""
    row: Row = Counter()
    leaders = list(sole_leaders(report))
    alone = [leader for leader in leaders if leader is not None]
    row["lead_changes"] = sum(before != after for before, after in pairwise(alone))
    if report.winner is None:
        return row
    half = len(leaders) // 2
    at_half = report.rounds[half - 1].total if half else []
    row["comebacks"] = int(bool(at_half) and was_last(at_half, report.winner))
    for tenth in range(TENTHS):
        at = -(-(tenth + 1) * len(leaders) // TENTHS)  # rounds, rounded up
        row[f"winner_led.{tenth}"] = int(leaders[at - 1] == report.winner)
    return row


def was_last(totals: list[int], seat: int) -> bool:
    """Whether nobody had less and not all had the same."""
    return totals[seat] == min(totals) < max(totals)


def hits_in_game(report: Report) -> Row:
    """Players hit by sevens more often than the table's mean in the whole game, and the others."""
    row: Row = Counter()
    hits = [sum(one.hits[seat] for one in report.rounds) for seat in range(report.rules["players"])]
    for seat, count in enumerate(hits):
        group = "more_hit" if count * len(hits) > sum(hits) else "less_hit"
        row[f"{group}_seats"] += 1
        row[f"{group}_wins"] += int(seat == report.winner)
    return row
