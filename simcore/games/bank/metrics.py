"""What Bank counts in a game, and the metrics computed from it."""

from __future__ import annotations

from simcore.games.bank.state import SEATS, WIN_PARTS
from simcore.metrics import Count, Counts, Histogram, Histograms, Metric, Term, even_share, nought

TENTHS = 10

COUNTS = Counts(
    (
        Count("games", "games played"),
        Count("decided", "games with a winner"),
        Count("capped", "games stopped at max_rounds, without a winner"),
        Count("rounds", "rounds played"),
        Count("blocked", "rounds that ended because nobody left could lay a card"),
        Count("turns", "turns, skipped ones included"),
        Count("laid", "cards laid"),
        Count("draws", "cards drawn"),
        Count("skips", "turns lost to a seven"),
        Count("fails", "turns that ended in a failure"),
        Count("extra_moves", "extra moves laid"),
        Count("captures", "times that somebody took the bank"),
        Count("kings_captures", "of these, by covering four kings"),
        Count("trump_king_captures", "of these, by going out with a trump king"),
        Count("captured_points", "points of captured cards"),
        Count("decisions", "times that a player had at least one action to choose"),
        Count("choices", "actions to choose from, added over decisions"),
        Count("forced", "decisions with exactly one action"),
        Count("player_rounds", "players, added over rounds"),
        Count("bonus", "bonus points"),
        Count("penalty", "penalty points"),
        Count("score", "scores of all players, added over rounds"),
        Count("round_margin", "best less second-best score, added over rounds"),
        Count("margin", "winner's total less the second-best total (games with a winner)"),
        Count("lead_changes", "times that a player took the sole lead from another"),
        Count("comebacks", "games won by a player who was last at half time"),
        Count("round_wins", f"rounds won, in {WIN_PARTS}ths", "place", SEATS),
        Count("round_score", "round scores", "place", SEATS),
        Count("game_wins", "games won, by place after the first round's starter", "place", SEATS),
        Count("seat_wins", "games won", "seat", SEATS),
        Count("seat_total", "final totals", "seat", SEATS),
        Count("place_total", "final totals, by place after the first round's starter", "place", SEATS),
        Count("entrant_games", "games played", "entrant", SEATS),
        Count("entrant_wins", "games won", "entrant", SEATS),
        Count("entrant_round_wins", f"rounds won, in {WIN_PARTS}ths", "entrant", SEATS),
        Count("entrant_score", "round scores", "entrant", SEATS),
        Count("outs", "players who went out", "order", SEATS - 1),
        Count("outs_king", "players who went out with a king on top", "order", SEATS - 1),
        Count("outs_quad", "players who went out with a quad, not of kings", "order", SEATS - 1),
        Count("outs_run", "players who went out with a run in one suit", "order", SEATS - 1),
        Count("hits", "times that a seven acted on a player (under seven=nothing: would have)"),
        Count("hit_rounds", "player-rounds in which a seven acted on the player"),
        Count("hit_wins", f"rounds won in them, in {WIN_PARTS}ths"),
        Count("hit_score", "round scores in them"),
        Count("unhit_rounds", "player-rounds in which no seven acted on the player"),
        Count("unhit_wins", f"rounds won in them, in {WIN_PARTS}ths"),
        Count("unhit_score", "round scores in them"),
        Count("more_hit_seats", "player-games hit more often than the table's mean in the game"),
        Count("more_hit_wins", "games won by such players"),
        Count("less_hit_seats", "player-games hit at most as often as the table's mean"),
        Count("less_hit_wins", "games won by such players"),
        Count("behind_hit", "player-rounds begun behind the leader in which a seven acted on the player"),
        Count("behind_hit_gains", "of these, ended nearer to the former leader"),
        Count("behind_unhit", "player-rounds begun behind the leader in which no seven acted on the player"),
        Count("behind_unhit_gains", "of these, ended nearer to the former leader"),
        Count(
            "winner_led",
            "decided games in which the winner led alone after a tenth of the rounds",
            "tenth",
            TENTHS,
        ),
    )
)

HISTOGRAMS = Histograms(
    (
        Histogram("rounds", "rounds a game", "game", "rounds", 1, 400, "rounds"),
        Histogram("lead_changes", "lead changes a game", "game", "changes", 0, 100, "lead_changes"),
        Histogram("margin", "winner's margin (0: no winner)", "game", "points", 0, 600, "margin"),
        Histogram("round_turns", "turns a round", "round", "turns", 1, 250),
        Histogram("round_laid", "cards laid a round", "round", "cards", 0, 36),
        Histogram("round_score", "score of a player-round", "player-round", "points", -200, 300),
    )
)

_TWELFTH = 1 / WIN_PARTS


def _a_game(name: str, meaning: str, unit: str, count: str = "", **kwargs: str) -> Metric:
    return Metric(name, meaning, "game", unit, (Term(count or name, "games"),), **kwargs)  # type: ignore[arg-type]


def _a_round(name: str, meaning: str, unit: str, count: str, histogram: str = "") -> Metric:
    return Metric(name, meaning, "round", unit, (Term(count, "rounds"),), histogram=histogram)


def _when(name: str, meaning: str, unit: str, count: str, den: str, weight: float = 1.0) -> Metric:
    return Metric(name, meaning, "player-round", unit, (Term(count, den, weight),))


METRICS = (
    _a_game("rounds", "rounds a game", "rounds", histogram="rounds"),
    _a_game("game_turns", "turns a game", "turns", "turns"),
    _a_round("turns", "turns a round", "turns", "turns", "round_turns"),
    _a_round("laid", "cards laid a round", "cards", "laid", "round_laid"),
    _a_round("draws", "cards drawn a round", "cards", "draws"),
    _a_round("captures", "captures a round", "captures", "captures"),
    _a_round("captured_points", "captured points a round", "points", "captured_points"),
    _a_round("skips", "turns lost to a seven, a round", "turns", "skips"),
    _a_round("extra_moves", "extra moves laid a round", "moves", "extra_moves"),
    _a_round("blocked", "share of rounds that are blocked", "share", "blocked"),
    _a_game("capped", "share of games stopped at max_rounds", "share"),
    Metric(
        "first_mover_edge",
        "first-mover advantage of a round: win share of the starter (ties shared) less a fair share",
        "round",
        "share difference",
        (Term("round_wins.0", "rounds", _TWELFTH),),
        fair=even_share,
        less_fair=True,
    ),
    Metric(
        "first_mover_edge_game",
        "first-mover advantage of a game: win share of the first round's starter less a fair share",
        "game",
        "share difference",
        (Term("game_wins.0", "games"),),
        fair=even_share,
        less_fair=True,
        bracket="capped",
    ),
    Metric(
        "round_win_share",
        "share of rounds won (ties shared)",
        "round",
        "share",
        (Term("round_wins", "rounds", _TWELFTH),),
        fair=even_share,
        by="place",
    ),
    Metric(
        "game_win_share",
        "share of games won",
        "game",
        "share",
        (Term("game_wins", "games"),),
        fair=even_share,
        bracket="capped",
        by="place",
    ),
    Metric(
        "round_score",
        "score of a player-round",
        "round",
        "points",
        (Term("round_score", "rounds"),),
        by="place",
    ),
    Metric(
        "final_total",
        "total of a player when the game is over, by place after the first round's starter",
        "game",
        "points",
        (Term("place_total", "games"),),
        by="place",
    ),
    Metric(
        "score",
        "score of a player-round, all seats",
        "player-round",
        "points",
        (Term("score", "player_rounds"),),
        histogram="round_score",
    ),
    Metric("bonus", "bonus points of a player-round", "player-round", "points", (Term("bonus", "player_rounds"),)),
    Metric(
        "penalty",
        "penalty points of a player-round",
        "player-round",
        "points",
        (Term("penalty", "player_rounds"),),
    ),
    _a_round("round_margin", "best less second-best score of a round", "points", "round_margin"),
    Metric(
        "margin",
        "winner's total less the second-best total",
        "decided game",
        "points",
        (Term("margin", "decided"),),
        histogram="margin",
    ),
    _a_game(
        "lead_changes",
        "times a game that a player took the sole lead from another",
        "changes",
        histogram="lead_changes",
    ),
    Metric(
        "comebacks",
        "share of decided games whose winner was last at half time (after half of the rounds, rounded down)",
        "decided game",
        "share",
        (Term("comebacks", "decided"),),
    ),
    Metric(
        "choices",
        "actions to choose from at a decision",
        "decision",
        "actions",
        (Term("choices", "decisions"),),
    ),
    Metric(
        "forced",
        "share of decisions with one action only",
        "decision",
        "share",
        (Term("forced", "decisions"),),
    ),
    _when(
        "hit_win_share",
        "round win share of a player on whom a seven acted",
        "share",
        "hit_wins",
        "hit_rounds",
        _TWELFTH,
    ),
    _when(
        "unhit_win_share",
        "round win share of a player on whom none did",
        "share",
        "unhit_wins",
        "unhit_rounds",
        _TWELFTH,
    ),
    Metric(
        "hit_effect",
        "round win share when hit by a seven less that when not hit (confounded: long rounds have more hits and losses)",
        "player-round",
        "share difference",
        (Term("hit_wins", "hit_rounds", _TWELFTH), Term("unhit_wins", "unhit_rounds", -_TWELFTH)),
    ),
    _when("hit_score", "round score of a player on whom a seven acted", "points", "hit_score", "hit_rounds"),
    _when("unhit_score", "round score of a player on whom none did", "points", "unhit_score", "unhit_rounds"),
    Metric(
        "hit_score_effect",
        "round score when hit by a seven less that when not hit",
        "player-round",
        "points",
        (Term("hit_score", "hit_rounds"), Term("unhit_score", "unhit_rounds", -1.0)),
    ),
    Metric(
        "more_hit_win_share",
        "game win share of a player hit more often than the table's mean",
        "player-game",
        "share",
        (Term("more_hit_wins", "more_hit_seats"),),
    ),
    Metric(
        "more_hit_effect",
        "game win share of players hit more often than the mean less that of the others",
        "player-game",
        "share difference",
        (Term("more_hit_wins", "more_hit_seats"), Term("less_hit_wins", "less_hit_seats", -1.0)),
    ),
    _when(
        "behind_hit_gains",
        "share of players behind and hit by a seven who end the round nearer to the leader",
        "share",
        "behind_hit_gains",
        "behind_hit",
    ),
    Metric(
        "behind_hit_effect",
        "the same less the share for players behind and not hit",
        "player-round",
        "share difference",
        (Term("behind_hit_gains", "behind_hit"), Term("behind_unhit_gains", "behind_unhit", -1.0)),
    ),
    Metric("outs", "players going out a round", "round", "players", (Term("outs", "rounds"),), by="order"),
    Metric(
        "outs_king",
        "share of them with a king on top",
        "player out",
        "share",
        (Term("outs_king", "outs"),),
        by="order",
    ),
    Metric(
        "outs_quad",
        "share of them with a quad",
        "player out",
        "share",
        (Term("outs_quad", "outs"),),
        by="order",
    ),
    Metric(
        "outs_run",
        "share of them with a run in one suit",
        "player out",
        "share",
        (Term("outs_run", "outs"),),
        by="order",
    ),
    Metric(
        "winner_led",
        "share of decided games in which the later winner led alone",
        "decided game",
        "share",
        (Term("winner_led", "decided"),),
        by="tenth",
    ),
    Metric(
        "entrant_win_share",
        "share of games won by a bot",
        "game",
        "share",
        (Term("entrant_wins", "entrant_games"),),
        fair=even_share,
        bracket="capped",
        by="entrant",
    ),
    Metric(
        "entrant_round_win_share",
        "share of rounds won by a bot (ties shared)",
        "round",
        "share",
        (Term("entrant_round_wins", "rounds", _TWELFTH),),
        fair=even_share,
        by="entrant",
    ),
    Metric(
        "entrant_score",
        "round score of a bot less the mean of the table",
        "round",
        "points",
        (Term("entrant_score", "rounds"), Term("score", "player_rounds", -1.0)),
        fair=nought,
        by="entrant",
    ),
)

HEADLINE = (
    "rounds",
    "turns",
    "first_mover_edge",
    "first_mover_edge_game",
    "blocked",
    "capped",
    "lead_changes",
    "comebacks",
    "margin",
    "skips",
    "captures",
    "hit_effect",
)


def sizes(players: int) -> dict[str, int]:
    """How many entries of each vector count are in use."""
    return {
        "place": players,
        "seat": players,
        "entrant": players,
        "order": players - 1,
        "tenth": TENTHS,
    }
