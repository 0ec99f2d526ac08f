"""What Ochko counts in a game, and the metrics computed from it. A game is one rotation of the bank, times `orbits`."""

from __future__ import annotations

from simcore.games.ochko.state import N_RANKS, SEATS, WHYS
from simcore.metrics import Count, Counts, Histogram, Histograms, Metric, Term, nought

POSITIONS = SEATS - 1
TENTHS = 10
"""A session's gain is tallied in tenths of the banker's stake, rounded down."""

COUNTS = Counts(
    (
        Count("games", "games played"),
        Count("capped", "games with a session stopped by a cap"),
        Count("sessions", "sessions: times that a player held the bank"),
        Count("broken", "sessions whose bank was broken"),
        Count("stuk", "sessions that ended with the stuk circle"),
        Count("capped_sessions", "sessions stopped by a cap"),
        Count("session_gain", "bankers' net gains, added over sessions"),
        Count("session_staked", "bankers' stakes, added over sessions"),
        Count("losses", "sessions in which the banker lost"),
        Count("overdrawn", "games with a session in which the banker lost more than his stake (there must be none)"),
        Count("left_out", "punters left without a hand when a bank was broken, added over sessions"),
        Count("circles", "circles"),
        Count("reshuffles", "times that the played cards became the pack"),
        Count("hands", "hands: times that a punter named a stake"),
        Count("staked", "stakes"),
        Count("gain", "punters' gains"),
        Count("units", "punters' gains in units of their stakes, as if the bank always sufficed"),
        Count("tie_staked", "stakes of hands that ended in a tie"),
        Count("ends", f"hands by how they ended: {', '.join(WHYS)}", "end", len(WHYS)),
        Count("blind_draws", "hands that ended with a blind draw"),
        Count("draws", "cards drawn by punters"),
        Count("bank_hands", "hands of the banker that were played out"),
        Count("bank_draws", "cards drawn by bankers, new first cards not counted"),
        Count("bank_bust", "banker's hands that went bust"),
        Count("bank_21", "banker's hands of 21"),
        Count("at_hands", "hands", "position", POSITIONS),
        Count("at_staked", "stakes", "position", POSITIONS),
        Count("at_gain", "punters' gains", "position", POSITIONS),
        Count("at_units", "punters' gains in units of their stakes", "position", POSITIONS),
        Count("seat_net", "net gains of games", "seat", SEATS),
        Count("place_net", "net gains of games, by place after the first banker", "place", SEATS),
        Count("entrant_games", "games played", "entrant", SEATS),
        Count("entrant_net", "net gains of games", "entrant", SEATS),
    )
)

HISTOGRAMS = Histograms(
    (
        Histogram("session_circles", "circles a session", "session", "circles", 1, 200),
        Histogram(
            "session_gain", "banker's net gain of a session, rounded down", "session", "tenths of his stake", -10, 2000
        ),
        Histogram("game_hands", "hands a game", "game", "hands", 1, 600, "hands"),
        Histogram(
            "opening_card",
            f"first hands of circles, by banker's first card and end: {len(WHYS)} · rank + end",
            "circle",
            "code",
            0,
            N_RANKS * len(WHYS) - 1,
            drawn=False,
        ),
        Histogram(
            "opening_marker",
            f"first hands of circles, by marker (rank 13: none) and end: {len(WHYS)} · rank + end",
            "circle",
            "code",
            0,
            (N_RANKS + 1) * len(WHYS) - 1,
            drawn=False,
        ),
    )
)


def _ratio(name: str, meaning: str, level: str, unit: str, num: str, den: str, **more: str) -> Metric:
    return Metric(name, meaning, level, unit, (Term(num, den),), **more)  # type: ignore[arg-type]


def _ends(*whys: str) -> list[str]:
    return [f"ends.{WHYS.index(why)}" for why in whys]


def _share_of_hands(name: str, meaning: str, *whys: str) -> Metric:
    return Metric(name, meaning, "hand", "share", tuple(Term(column, "hands") for column in _ends(*whys)))


METRICS = (
    _ratio("circles", "circles a session", "session", "circles", "circles", "sessions", histogram="session_circles"),
    _ratio("hands", "hands a session", "session", "hands", "hands", "sessions"),
    _ratio("game_hands", "hands a game", "game", "hands", "hands", "games", histogram="game_hands"),
    _ratio("broken", "share of sessions whose bank is broken", "session", "share", "broken", "sessions"),
    _ratio("stuk", "share of sessions that end with the stuk circle", "session", "share", "stuk", "sessions"),
    _ratio("capped", "share of sessions stopped by a cap", "session", "share", "capped_sessions", "sessions"),
    _ratio("capped_games", "share of games with a session stopped by a cap", "game", "share", "capped", "games"),
    _ratio("left_out", "punters left without a hand when a bank is broken", "session", "punters", "left_out", "broken"),
    _ratio("bust", "share of hands that bust with seen cards", "hand", "share", "ends.1", "hands"),
    _ratio("hidden", "share of hands with a concealed bust", "hand", "share", "ends.2", "hands"),
    _share_of_hands("all_busts", "share of hands that bust, seen, concealed or blind", *WHYS[1:5]),
    _ratio("twenty_one", "share of hands that reach 21 with seen cards", "hand", "share", "ends.0", "hands"),
    _ratio("ties", "share of hands with equal totals", "hand", "share", "ends.8", "hands"),
    _ratio("blind", "share of hands that end with a blind draw", "hand", "share", "blind_draws", "hands"),
    _ratio("draws", "cards that a punter draws in a hand", "hand", "cards", "draws", "hands"),
    _ratio("bank_bust", "share of the banker's hands that bust", "banker's hand", "share", "bank_bust", "bank_hands"),
    _ratio("bank_21", "share of the banker's hands of 21", "banker's hand", "share", "bank_21", "bank_hands"),
    _ratio("bank_draws", "cards that the banker draws in a hand", "banker's hand", "cards", "bank_draws", "bank_hands"),
    Metric(
        "edge",
        "banker's edge: his gain per unit staked by the punters",
        "unit staked",
        "units",
        (Term("gain", "staked", -1.0),),
    ),
    Metric(
        "hand_edge",
        "banker's edge per hand: his gain in units of the hand's stake, every hand alike",
        "hand",
        "units",
        (Term("units", "hands", -1.0),),
    ),
    Metric(
        "tie_edge",
        "part of the banker's edge that equal totals bring (with tie=banker)",
        "unit staked",
        "units",
        (Term("tie_staked", "staked"),),
    ),
    _ratio("session_gain", "banker's net gain of a session", "session", "money", "session_gain", "sessions"),
    Metric(
        "session_return",
        "banker's net gain of a session per unit of his stake",
        "session",
        "units",
        (Term("session_gain", "session_staked"),),
    ),
    _ratio("losses", "share of sessions in which the banker loses", "session", "share", "losses", "sessions"),
    _ratio(
        "overdrawn",
        "share of games with a session in which the banker loses more than his stake",
        "game",
        "share",
        "overdrawn",
        "games",
    ),
    _ratio("stake", "stake of a hand", "hand", "money", "staked", "hands"),
    _ratio("reshuffles", "reshuffles a circle", "circle", "reshuffles", "reshuffles", "circles"),
    Metric(
        "hand_gain",
        "punter's gain a hand, by position left of the banker (0: next to him)",
        "hand",
        "money",
        (Term("at_gain", "at_hands"),),
        by="position",
    ),
    Metric(
        "hand_return",
        "punter's gain per unit staked, by position left of the banker",
        "unit staked",
        "units",
        (Term("at_gain", "at_staked"),),
        by="position",
    ),
    Metric(
        "circle_gain",
        "punter's gain a circle, by position left of the banker (0 where the bank was broken before)",
        "circle",
        "money",
        (Term("at_gain", "circles"),),
        by="position",
    ),
    Metric(
        "first_seat",
        "punter's gain a hand next to the banker, less the mean of all punters' hands",
        "hand",
        "money",
        (Term("at_gain.0", "at_hands.0"), Term("gain", "hands", -1.0)),
    ),
    Metric("net", "net gain of a game, by seat", "game", "money", (Term("seat_net", "games"),), fair=nought, by="seat"),
    Metric(
        "place_net",
        "net gain of a game, by place after the first banker",
        "game",
        "money",
        (Term("place_net", "games"),),
        fair=nought,
        by="place",
    ),
    Metric(
        "entrant_net",
        "net gain of a game, by bot",
        "game",
        "money",
        (Term("entrant_net", "entrant_games"),),
        fair=nought,
        by="entrant",
    ),
)

HEADLINE = (
    "edge",
    "circles",
    "hands",
    "broken",
    "stuk",
    "capped",
    "session_gain",
    "losses",
    "bust",
    "twenty_one",
    "bank_bust",
    "left_out",
)


def sizes(players: int) -> dict[str, int]:
    """How many entries of each vector count are in use."""
    return {
        "end": len(WHYS),
        "position": players - 1,
        "seat": players,
        "place": players,
        "entrant": players,
    }
