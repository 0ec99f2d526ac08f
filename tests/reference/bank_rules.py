"""Bank's rules as plain functions of card strings: covering, moves, the starter, penalties, the next dealer.

Everything here is a direct transcription of the rules; nothing knows about turns, events or bots. Cards are
strings such as ``'Ts'``, hands are lists of them, options are a plain mapping from option name to value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

Rules = Mapping[str, Any]

RANKS = "6789JQKTA"  # low to high: the ten stands above the king
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
POINTS = {"A": 12, "T": 10, "K": 5, "Q": 3, "J": 1}
OWN_TRUMP = "shdc"  # by seat
LEVELS: dict[str, dict[str, int]] = {
    "own": {},
    "none": {},
    "one": {"s": 1},
    "two": {"s": 1, "d": 1},
    "ranked": {"s": 2, "d": 1},
}

DEFAULT_RULES: dict[str, Any] = {
    "players": 3,
    "trumps": "own",
    "seven": "skip",
    "penalty": "hand",
    "penalty_fixed": 31,
    "penalty_card": 3,
    "next_dealer": "loser",
    "target": 248,
    "hand_size": 4,
    "cover": "one_lower",
    "run_suits": "any",
    "extra_move": "if_able",
    "kings_cover": "anyone",
    "opening_card": "dealer",
    "first_move": "nearest",
    "penalty_on": "holders",
    "must_play": "yes",
    "final_bank": "nobody",
    "max_rounds": 200,
}

GOING_OUT = {1: 20, 2: 10, 3: 10}
OUT_WITH_KING = {1: 30, 2: 20, 3: 10}
OUT_WITH_QUAD = 75
OUT_WITH_RUN = {1: 30, 2: 25, 3: 20}


class Action(NamedTuple):
    """One legal action: a ``single``, ``quad`` or ``run`` with its cards in the order laid, or a ``pass``."""

    kind: str
    cards: tuple[str, ...] = ()


PASS = Action("pass")


def points(cards: Iterable[str]) -> int:
    """Points the cards are worth."""
    return sum(POINTS.get(card[0], 0) for card in cards)


@cache
def _covers(card: str, top: str, seat: int, trumps: str, cover: str) -> bool:
    rank, suit = card[0], card[1]
    top_rank, top_suit = top[0], top[1]
    step_down = RANKS.index(top_rank) - RANKS.index(rank)
    if rank == "8" or rank == top_rank:
        return True
    if suit == top_suit and (rank == "6" or step_down == 1 or (cover == "any_lower" and step_down > 0)):
        return True
    if trumps == "own":
        return suit == OWN_TRUMP[seat] != top_suit
    return LEVELS[trumps].get(suit, 0) > LEVELS[trumps].get(top_suit, 0)


def covers(rules: Rules, seat: int, card: str, top: str) -> bool:
    """Whether `card` in the hand of `seat` covers the top card."""
    return _covers(card, top, seat, rules["trumps"], rules["cover"])


def singles(rules: Rules, seat: int, hand: Sequence[str], top: str) -> list[Action]:
    """The single cards that cover the top card."""
    return [Action("single", (card,)) for card in hand if covers(rules, seat, card, top)]


def quads(hand: Sequence[str]) -> list[Action]:
    """Four of a rank, once for each card that may end on top."""
    found = []
    for rank in RANKS:
        four = [card for card in hand if card[0] == rank]
        if len(four) == 4:
            found += [Action("quad", (*(c for c in four if c != last), last)) for last in four]
    return found


def runs(rules: Rules, seat: int, hand: Sequence[str], top: str) -> list[Action]:
    """Four consecutive ranks, upwards or downwards, whose first card covers the top card."""
    by_rank: dict[str, list[str]] = {rank: [] for rank in RANKS}
    for card in hand:
        by_rank[card[0]].append(card)
    found = []
    for low in range(len(RANKS) - 3):
        for up in product(*(by_rank[rank] for rank in RANKS[low : low + 4])):
            if rules["run_suits"] == "same" and not one_suit(up):
                continue
            found += [Action("run", way) for way in (up, up[::-1]) if covers(rules, seat, way[0], top)]
    return found


def legal_moves(rules: Rules, seat: int, hand: Sequence[str], top: str) -> list[Action]:
    """Every move `seat` may lay on `top`, each choice of cards, top card or direction once."""
    moves = singles(rules, seat, hand, top)
    if len(hand) >= 4:
        moves += quads(hand) + runs(rules, seat, hand, top)
    return moves


def one_suit(cards: Iterable[str]) -> bool:
    """Whether all cards share a suit."""
    return len({card[1] for card in cards}) == 1


def owes_extra(kind: str, top: str) -> bool:
    """Whether a move of this kind that left `top` is followed by an extra move."""
    return kind == "quad" or top[0] == "8"


def is_own_trump(rules: Rules, seat: int, card: str) -> bool:
    """Whether the card is of a trump suit of this seat."""
    if rules["trumps"] == "own":
        return card[1] == OWN_TRUMP[seat]
    return card[1] in LEVELS[rules["trumps"]]


def clockwise(dealer: int, players: int) -> list[int]:
    """All seats from the dealer's left, the dealer last."""
    return [(dealer + step) % players for step in range(1, players + 1)]


def starter(rules: Rules, hands: Sequence[Sequence[str]], opening: str, dealer: int) -> int:
    """The seat that moves first."""
    order = clockwise(dealer, len(hands))
    if rules["first_move"] == "dealer_left":
        return order[0]
    height = RANKS.index(opening[0])
    held = [(RANKS.index(card[0]) - height, seat) for seat in order for card in hands[seat] if card[1] == opening[1]]
    lower = [(gap, seat) for gap, seat in held if gap < 0]
    higher = [(gap, seat) for gap, seat in held if gap > 0]
    candidates = lower or higher
    if not candidates:
        return order[0]
    if rules["first_move"] == "left":
        return candidates[0][1]
    return min(candidates, key=lambda found: abs(found[0]))[1]


def out_bonus(place: int, kind: str, cards: Sequence[str]) -> dict[str, int]:
    """What going out in this place with this move earns, by reason."""
    king = cards[-1][0] == "K"
    return {
        "out": GOING_OUT[place],
        "king": OUT_WITH_KING[place] if king else 0,
        "quad": OUT_WITH_QUAD if kind == "quad" and not king else 0,
        "run": OUT_WITH_RUN[place] if kind == "run" and one_suit(cards) else 0,
    }


def last_out(hands: Sequence[Sequence[str]], dealer: int) -> int:
    """Of the seats still holding cards: most points in hand, then most cards, then first clockwise."""
    holders = [seat for seat in clockwise(dealer, len(hands)) if hands[seat]]
    return max(holders, key=lambda seat: (points(hands[seat]), len(hands[seat])))


def penalties(rules: Rules, hands: Sequence[Sequence[str]], dealer: int) -> list[int]:
    """What each seat loses for the cards it still holds (0 or more)."""
    lost = [0] * len(hands)
    loser_only = rules["penalty_on"] == "loser"
    for seat, hand in enumerate(hands):
        if not hand or (loser_only and seat != last_out(hands, dealer)):
            continue
        scheme = rules["penalty"]
        if scheme in ("hand", "hand_fixed", "hand_per_card"):
            lost[seat] += points(hand)
        if scheme in ("fixed", "hand_fixed"):
            lost[seat] += rules["penalty_fixed"]
        if scheme in ("per_card", "hand_per_card"):
            lost[seat] += rules["penalty_card"] * len(hand)
    return lost


class RoundResult(NamedTuple):
    """What the choice of the next dealer may look at."""

    dealer: int
    starter: int
    hands: Sequence[Sequence[str]]
    score: Sequence[int]
    total: Sequence[int]


def next_dealer(rules: Rules, result: RoundResult) -> int:
    """The dealer of the round after; ties go to the first clockwise from the present dealer's left."""
    order = clockwise(result.dealer, len(result.score))
    match rules["next_dealer"]:
        case "loser":
            return min(order, key=lambda seat: result.score[seat])
        case "last_out":
            return last_out(result.hands, result.dealer)
        case "starter":
            return result.starter
        case "leader":
            return max(order, key=lambda seat: result.total[seat])
        case "trailer":
            return min(order, key=lambda seat: result.total[seat])
        case other:
            raise ValueError(f"next_dealer={other!r} is not an option of the page")
