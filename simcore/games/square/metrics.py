"""What Square counts in a game, and the metrics computed from it. A game is a match of deals."""

from __future__ import annotations

from simcore.games.square.state import PLACES, SEATS, SIDES, WIN_PARTS
from simcore.metrics import Count, Counts, Histogram, Histograms, Metric, Term, nought

TENTHS = 10
KINDS = ("number", "ten", "jack", "queen", "king")
"""Classes of cards, in the order of the counts by kind."""

COUNTS = Counts(
    (
        Count("games", "matches played"),
        Count("decided", "matches with a winner"),
        Count("drawn", "matches drawn after the fixed number of deals"),
        Count("capped", "matches stopped at max_deals, without a winner"),
        Count("deals", "deals played"),
        Count("ended", "deals that a side ended"),
        Count("exhausted", "deals in which the pack ran out"),
        Count("turns", "turns in which a card was played"),
        Count("choices", "plays to choose from, added over turns"),
        Count("side_deals", "sides, added over deals"),
        Count("worth", "worths of both squares, added over deals"),
        Count("score", "scores of both sides, added over deals"),
        Count("ender_worth", "worths at which deals were ended"),
        Count("ender_score", "scores of the sides that ended"),
        Count("ender_wins", f"deals won by the side that ended, in parts of {WIN_PARTS}"),
        Count("other_score", "scores (worths) of the other sides in ended deals"),
        Count("excess", "points above end_at of the sides that ended"),
        Count("deal_margin", "higher less lower score, added over deals"),
        Count("margin", "winner's total less the other's (matches with a winner)"),
        Count("lead_changes", "times that a side took the lead from the other"),
        Count("comebacks", "matches won by the side that was behind at half time"),
        Count("behind_deals", "deals begun with unequal totals"),
        Count("behind_wins", f"of these, won by the side that was behind, in parts of {WIN_PARTS}"),
        Count("open_places", "places that show an open card when the deal is over", "rank", PLACES),
        Count("place_points", "points of the lines through a place when the deal is over", "rank", PLACES),
        Count("laid_own", "cards laid in the own square", "kind", len(KINDS)),
        Count("discarded", "cards discarded", "kind", len(KINDS)),
        Count("gift_numbers", "number cards laid in the opponents' square"),
        Count("gift_jacks", "jacks laid in the opponents' square"),
        Count("number_cost", "worth that these number cards took from it at once (negative: gave)"),
        Count("jack_cost", "worth that these jacks took from it at once"),
        Count("asks", "times that a player asked the partner's consent to an end"),
        Count("vetoes", "times that it was refused"),
        Count("deal_wins", f"deals won, in parts of {WIN_PARTS}", "place", SIDES),
        Count("deal_score", "scores of deals", "place", SIDES),
        Count("match_wins", f"matches won, in parts of {WIN_PARTS}", "place", SIDES),
        Count("entrant_games", "matches played", "entrant", SEATS),
        Count("entrant_wins", f"matches won, in parts of {WIN_PARTS}", "entrant", SEATS),
        Count("entrant_deal_wins", f"deals won, in parts of {WIN_PARTS}", "entrant", SEATS),
        Count("entrant_score", "scores of deals", "entrant", SEATS),
        Count("winner_led", "decided matches in which the winner led after a tenth of the deals", "tenth", TENTHS),
    )
)

HISTOGRAMS = Histograms(
    (
        Histogram("deals", "deals a match", "game", "deals", 1, 400, "deals"),
        Histogram("lead_changes", "lead changes a match", "game", "changes", 0, 100, "lead_changes"),
        Histogram("margin", "winner's margin of a match (0: no winner)", "game", "points", 0, 300, "margin"),
        Histogram("deal_turns", "turns a deal", "deal", "turns", 0, 44),
        Histogram("end_worth", "worth at which deals are ended", "ended deal", "points", 1, 80),
        Histogram("deal_score", "score of a side in a deal", "side-deal", "points", -16, 160),
    )
)

_HALF = 1 / WIN_PARTS


def even_sides(players: int) -> float:
    """What each of the two sides gets where both are alike: a half, with two players or four."""
    return 1 / SIDES


def _a_match(name: str, meaning: str, unit: str, count: str = "", histogram: str = "") -> Metric:
    return Metric(name, meaning, "game", unit, (Term(count or name, "games"),), histogram=histogram)


def _a_deal(name: str, meaning: str, unit: str, count: str, histogram: str = "") -> Metric:
    return Metric(name, meaning, "deal", unit, (Term(count, "deals"),), histogram=histogram)


def _an_end(name: str, meaning: str, unit: str, count: str, histogram: str = "", weight: float = 1.0) -> Metric:
    return Metric(name, meaning, "ended deal", unit, (Term(count, "ended", weight),), histogram=histogram)


def _by_use() -> list[Metric]:
    """Cards a deal by class and use."""
    found = []
    for k, kind in enumerate(KINDS):
        own = "covering a card of the own square" if kind in ("jack", "queen") else "laid in the own square"
        found += [
            _a_deal(f"{kind}s_own", f"{kind}s {own}, a deal", "cards", f"laid_own.{k}"),
            _a_deal(f"{kind}s_discarded", f"{kind}s discarded, a deal", "cards", f"discarded.{k}"),
        ]
    return found


METRICS = (
    _a_match("deals", "deals a match", "deals", histogram="deals"),
    _a_match("match_turns", "turns a match", "turns", "turns"),
    _a_deal("turns", "turns a deal", "turns", "turns", "deal_turns"),
    _a_deal("ended", "share of deals that a side ended", "share", "ended"),
    _a_deal("exhausted", "share of deals in which the pack ran out", "share", "exhausted"),
    _a_match("drawn", "share of matches drawn after the fixed number of deals", "share"),
    _a_match("capped", "share of matches stopped at max_deals", "share"),
    Metric(
        "first_mover_edge",
        "first-mover advantage of a deal: win share of the side that begins (draws shared) less a half",
        "deal",
        "share difference",
        (Term("deal_wins.0", "deals", _HALF),),
        fair=even_sides,
        less_fair=True,
    ),
    Metric(
        "first_mover_score",
        "score of the side that begins a deal less that of the other",
        "deal",
        "points",
        (Term("deal_score.0", "deals"), Term("deal_score.1", "deals", -1.0)),
        fair=nought,
    ),
    Metric(
        "first_mover_edge_game",
        "first-mover advantage of a match: win share of the side that begins it (draws shared) less a half",
        "game",
        "share difference",
        (Term("match_wins.0", "games", _HALF),),
        fair=even_sides,
        less_fair=True,
        bracket="capped",
    ),
    Metric(
        "deal_win_share",
        "share of deals won (draws shared), by the side that begins and the other",
        "deal",
        "share",
        (Term("deal_wins", "deals", _HALF),),
        fair=even_sides,
        by="place",
    ),
    Metric(
        "game_win_share",
        "share of matches won (draws shared), by the side that begins the match and the other",
        "game",
        "share",
        (Term("match_wins", "games", _HALF),),
        fair=even_sides,
        bracket="capped",
        by="place",
    ),
    Metric("deal_score", "score of a side in a deal", "deal", "points", (Term("deal_score", "deals"),), by="place"),
    Metric(
        "score",
        "score of a side in a deal",
        "side-deal",
        "points",
        (Term("score", "side_deals"),),
        histogram="deal_score",
    ),
    Metric("worth", "worth of a square when the deal is over", "side-deal", "points", (Term("worth", "side_deals"),)),
    _an_end("end_worth", "worth at which a deal is ended", "points", "ender_worth", "end_worth"),
    _an_end("end_score", "score of the side that ended", "points", "ender_score"),
    _an_end("end_other_score", "score of the other side in an ended deal", "points", "other_score"),
    _an_end("end_excess", "points above end_at of the side that ended", "points", "excess"),
    _an_end("end_win_share", "share of ended deals won by the side that ended", "share", "ender_wins", weight=_HALF),
    _a_deal("deal_margin", "higher less lower score of a deal", "points", "deal_margin"),
    Metric(
        "margin",
        "winner's total less the other side's",
        "decided game",
        "points",
        (Term("margin", "decided"),),
        histogram="margin",
    ),
    _a_match(
        "lead_changes", "times a match that a side took the lead from the other", "changes", histogram="lead_changes"
    ),
    Metric(
        "comebacks",
        "share of decided matches whose winner was behind at half time (after half of the deals, rounded down)",
        "decided game",
        "share",
        (Term("comebacks", "decided"),),
    ),
    Metric(
        "trailer_edge",
        "win share of a deal for the side that is behind in the match (draws shared) less a half",
        "deal begun with a leader",
        "share difference",
        (Term("behind_wins", "behind_deals", _HALF),),
        fair=even_sides,
        less_fair=True,
    ),
    Metric(
        "gifts",
        "cards laid in the opponents' square, a deal",
        "deal",
        "cards",
        (Term("gift_numbers", "deals"), Term("gift_jacks", "deals")),
    ),
    _a_deal("gift_numbers", "number cards laid in the opponents' square, a deal", "cards", "gift_numbers"),
    _a_deal("gift_jacks", "jacks laid in the opponents' square, a deal", "cards", "gift_jacks"),
    Metric(
        "number_cost",
        "worth that a number card laid in the opponents' square takes from it at once (negative: gives)",
        "gift",
        "points",
        (Term("number_cost", "gift_numbers"),),
    ),
    Metric(
        "jack_cost",
        "worth that a jack laid in the opponents' square takes from it at once",
        "gift",
        "points",
        (Term("jack_cost", "gift_jacks"),),
    ),
    *_by_use(),
    Metric(
        "open_share",
        "share of squares whose place shows an open card when the deal is over, by rank of the place (0 = ace)",
        "side-deal",
        "share",
        (Term("open_places", "side_deals"),),
        by="rank",
    ),
    Metric(
        "place_points",
        "points of the lines through a place of a square when the deal is over, by rank of the place (0 = ace)",
        "side-deal",
        "points",
        (Term("place_points", "side_deals"),),
        by="rank",
    ),
    _a_deal("asks", "times a deal that a player asked the partner's consent to an end", "asks", "asks"),
    Metric("vetoed", "share of these that were refused", "ask", "share", (Term("vetoes", "asks"),)),
    Metric("choices", "plays to choose from in a turn", "turn", "plays", (Term("choices", "turns"),)),
    Metric(
        "winner_led",
        "share of decided matches in which the later winner led",
        "decided game",
        "share",
        (Term("winner_led", "decided"),),
        by="tenth",
    ),
    Metric(
        "entrant_win_share",
        "share of matches won by a bot (draws shared)",
        "game",
        "share",
        (Term("entrant_wins", "entrant_games", _HALF),),
        fair=even_sides,
        bracket="capped",
        by="entrant",
    ),
    Metric(
        "entrant_deal_win_share",
        "share of deals won by a bot (draws shared)",
        "deal",
        "share",
        (Term("entrant_deal_wins", "deals", _HALF),),
        fair=even_sides,
        by="entrant",
    ),
    Metric(
        "entrant_score",
        "score of a bot's side in a deal less the mean of both sides",
        "deal",
        "points",
        (Term("entrant_score", "deals"), Term("score", "side_deals", -1.0)),
        fair=nought,
        by="entrant",
    ),
)

HEADLINE = (
    "deals",
    "turns",
    "ended",
    "first_mover_edge",
    "first_mover_edge_game",
    "end_worth",
    "deal_margin",
    "gifts",
    "lead_changes",
    "comebacks",
    "capped",
)


def sizes(players: int) -> dict[str, int]:
    """How many entries of each vector count are in use."""
    return {"place": SIDES, "entrant": players, "kind": len(KINDS), "rank": PLACES, "tenth": TENTHS}
