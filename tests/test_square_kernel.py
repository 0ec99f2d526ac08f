"""Square's kernel against brute force and against its own declarations: worth, plays, scores, what bots may see."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from simcore.games.square import bots, builder, ending, moves, scoring
from simcore.games.square.bots import View
from simcore.games.square.rules import RULES
from simcore.games.square.scoring import DRAWN, UNDECIDED
from simcore.games.square.state import (
    ALL_CARDS,
    CARDS,
    GRIDS,
    NOBODY,
    OTHER,
    OWN,
    OWN_CHANCE,
    PLACES,
    RANKS,
    STATE_SIZE,
    Options,
    lines_of,
)
from simcore.jit import compiled
from tests.reference.square_table import Laid, Square, empty_square, legal_actions

greedy_play = compiled(bots.greedy_play)
builder_play, builder_ends = compiled(builder.builder_play), compiled(ending.builder_ends)
count_plays, laid_at, nth_play = compiled(moves.count_plays), compiled(moves.laid_at), compiled(moves.nth_play)
open_places, worth_of = compiled(moves.open_places), compiled(moves.worth_of)
decided, score_of = compiled(scoring.decided), compiled(scoring.score_of)
ending_score, exhausted_score = compiled(scoring.ending_score), compiled(scoring.exhausted_score)

SUITS = "cdhs"
RED = {1, 2}


def options(**settings: str | int) -> Options:
    """Return the kernel's view of rules."""
    return Options(*(int(code) for code in RULES.rules(settings).codes))


def geometric_lines(layout: str) -> list[tuple[int, ...]]:
    """Return all sets of three places through which no triangle can be drawn."""
    where = {RANKS.index(rank): (x, y) for y, row in enumerate(GRIDS[layout]) for x, rank in enumerate(row)}

    def area(a: int, b: int, c: int) -> int:
        (ax, ay), (bx, by), (cx, cy) = where[a], where[b], where[c]
        return (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)

    return [triple for triple in combinations(range(PLACES), 3) if area(*triple) == 0]


def square_of(suits: list[int | None]) -> int:
    """Return the kernel's square that shows these suits (None: free)."""
    square = 0
    for place, suit in enumerate(suits):
        if suit is not None:
            square = int(laid_at(square, place, 4 * place + suit))
    return square


def brute_worth(suits: list[int | None], lines: list[tuple[int, ...]], colour: int, suit: int) -> int:
    """Score a square line by line."""
    total = 0
    for line in lines:
        shown = {suits[place] for place in line}
        if None in shown:
            continue
        if len(shown) == 1:
            total += suit
        elif shown <= RED or not shown & RED:
            total += colour
    return total


# -- worth ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", GRIDS)
def test_worth_agrees_with_brute_force_on_random_squares(layout: str) -> None:
    lines = geometric_lines(layout)
    assert sorted(map(sorted, lines)) == sorted(map(sorted, lines_of(layout)))
    rng = random.Random(layout)
    seen = set()
    for _ in range(50):
        colour, suit = rng.randint(0, 10), rng.randint(0, 10)
        opt = options(layout=layout, colour_points=colour, suit_points=suit)
        for _ in range(2000):
            bias = rng.choice([range(4), range(2), (0, 3), (1, 2), (rng.randrange(4),)])
            suits = [rng.choice(bias) if rng.random() < 0.85 else None for _ in range(PLACES)]
            found = int(worth_of(opt, square_of(suits)))
            assert found == brute_worth(suits, lines, colour, suit)
            seen.add(found)
    assert len(seen) > 50


@pytest.mark.parametrize("layout", GRIDS)
def test_every_filling_of_every_line_scores_in_every_order(layout: str) -> None:
    opt = options(layout=layout)
    for line in geometric_lines(layout):
        for filling in np.ndindex(5, 5, 5):
            suits: list[int | None] = [None] * PLACES
            for place, suit in zip(line, filling, strict=True):
                suits[place] = None if suit == 4 else suit
            forwards = int(worth_of(opt, square_of(suits)))
            for place, suit in zip(line, reversed(filling), strict=True):
                suits[place] = None if suit == 4 else suit
            backwards = int(worth_of(opt, square_of(suits)))
            colours = {suit in RED for suit in filling}
            expected = 0 if 4 in filling else 2 if len(set(filling)) == 1 else int(len(colours) == 1)
            assert forwards == backwards == expected


def test_worked_example_of_the_page_is_14_to_4() -> None:
    opt = options()
    # Ender: all red, diamonds on A 5 7 8 9; the other: hearts on A 4 7, spades on 2 5 8, the nine's place free
    ender = worth_of(opt, square_of([1, 2, 2, 2, 1, 2, 1, 1, 1]))
    other = worth_of(opt, square_of([2, 3, 0, 2, 3, 0, 2, 3, None]))
    assert (ender, other) == (10, 4)
    assert score_of(opt, ender, 0, 0) == 14
    assert score_of(opt, other, 1, 0) == 4


# -- plays ------------------------------------------------------------------------------------------------------------------


def random_table(rng: random.Random) -> tuple[list[int], Square, Square, int, int]:
    """Return a hand and two squares, for the reference and for the kernel."""
    cards = rng.sample(range(52), 30)
    hand = cards[: rng.randint(1, 12)]
    piles: list[Square] = [empty_square(), empty_square()]
    squares = [0, 0]
    for card in cards[12:]:
        side, place = rng.randrange(2), rng.randrange(PLACES)
        piles[side][RANKS[place]].append(Laid(CARDS[card], CARDS[card][0] not in "JQ"))
        squares[side] = int(laid_at(squares[side], place, card))
    return hand, piles[0], piles[1], squares[0], squares[1]


@pytest.mark.parametrize("gifts", ["yes", "no"])
def test_plays_are_exactly_the_legal_actions(gifts: str) -> None:
    rng = random.Random(gifts)
    opt = options(gifts=gifts)
    for _ in range(300):
        hand, own_piles, other_piles, own, other = random_table(rng)
        mask = sum(1 << card for card in hand)
        shown = int(open_places(own)), int(open_places(other))
        n = count_plays(mask, *shown, opt.gifts)
        plays = set()
        for k in range(n):
            card, target = nth_play(mask, *shown, opt.gifts, k)
            to = "other" if target >= OTHER else "own" if target >= OWN else "discard"
            place = RANKS[target - (OTHER if to == "other" else OWN)] if target else None
            plays.add((CARDS[card], to, place))
        assert len(plays) == n
        legal = legal_actions([CARDS[card] for card in hand], own_piles, other_piles, {"gifts": gifts})
        assert plays == {tuple(action) for action in legal}


# -- scores and matches -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "worth", "expected"),
    [
        ({}, 5, 4),
        ({}, 10, 14),
        ({"excess": "single"}, 10, 9),
        ({"end_cost": 0}, 7, 9),
        ({"end_at": 1, "end_cost": 16}, 2, -13),
    ],
)
def test_score_of_the_side_that_ends(settings: dict[str, str | int], worth: int, expected: int) -> None:
    assert ending_score(options(**settings), worth) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, 9), ({"exhaust_excess": "yes"}, 13), ({"exhaust_excess": "yes", "excess": "single"}, 13)],
)
def test_scores_when_the_pack_ran_out(settings: dict[str, str | int], expected: int) -> None:
    opt = options(**settings)
    assert exhausted_score(opt, 9) == expected
    assert score_of(opt, 9, 1, NOBODY) == expected
    assert score_of(opt, 4, 1, NOBODY) == 4


@pytest.mark.parametrize(
    ("settings", "totals", "deals", "expected"),
    [
        ({}, (33, 32), 3, 0),
        ({}, (32, 32), 3, UNDECIDED),
        ({}, (40, 41), 3, 1),
        ({}, (40, 40), 3, UNDECIDED),
        ({"match": "deals"}, (99, 0), 7, UNDECIDED),
        ({"match": "deals"}, (9, 8), 8, 0),
        ({"match": "deals"}, (9, 9), 8, DRAWN),
    ],
)
def test_what_decides_a_match(
    settings: dict[str, str | int], totals: tuple[int, int], deals: int, expected: int
) -> None:
    assert decided(options(**settings), *totals, deals) == expected


# -- bots -------------------------------------------------------------------------------------------------------------------


def view_of(hand: str, own: int = 0, other: int = 0, left: int = 20, **more: int) -> View:
    """Return a player's view with a hand such as ``"Ad Kc"``."""
    opt = options()
    mask = sum(1 << CARDS.index(card) for card in hand.split())
    fields = {"own_total": 0, "other_total": 0, "deal": 1, "unseen": ALL_CARDS & ~mask, **more}
    return View(
        hand=mask,
        own=own,
        other=other,
        own_worth=int(worth_of(opt, own)),
        other_worth=int(worth_of(opt, other)),
        left=left,
        **fields,
    )


def played(view: View, **settings: str | int) -> tuple[str, str, str | None]:
    """Return the builder's play in words."""
    card, target = builder_play(options(**settings), view, np.zeros(STATE_SIZE, dtype=np.int64))
    if target >= OTHER:
        return CARDS[card], "other", RANKS[target - OTHER]
    return (CARDS[card], "own", RANKS[target - OWN]) if target >= OWN else (CARDS[card], "discard", None)


def test_greedy_takes_the_largest_gain() -> None:
    view = view_of("3d 3c 6h Kd", own=square_of([1, 1, *[None] * 7]))
    for seed in range(20):
        _, card, target = greedy_play(options(), view, np.uint64(seed))
        assert (CARDS[card], target) in {("3d", OWN + 2), ("Kd", OWN + 2)}


def test_builder_completes_a_line() -> None:
    assert played(view_of("3d 3c 6h Qs", own=square_of([1, 1, *[None] * 7]))) == ("3d", "own", "3")


def test_builder_blocks_an_almost_complete_line_of_the_opponents() -> None:
    other = square_of([1, 1, None, 1, None, None, None, None, None])
    assert played(view_of("3c Qs", other=other)) == ("3c", "other", "3")


def test_builder_does_not_give_a_line_away() -> None:
    other = square_of([1, 1, *[None] * 7])
    assert played(view_of("3d Qs", other=other)) != ("3d", "other", "3")


def test_builder_keeps_its_king_for_when_it_pays() -> None:
    card, _, _ = played(view_of("Ad 5d Kc 9s", left=30))
    assert card != "Kc"
    king = played(view_of("Kd 8c", own=square_of([1, 1, 3, 1, None, 1, 1, None, None]), left=6))
    assert king == ("Kd", "own", "3")


def test_builder_ends_when_ending_wins_the_match() -> None:
    opt, s = options(), np.zeros(STATE_SIZE, dtype=np.int64)
    own = square_of([1, 1, 1, 1, 1, 1, None, None, None])
    view = view_of("7d 8d 9d", own=own, left=30)
    assert view.own_worth == 4
    own = square_of([1, 1, 1, 1, 1, 1, 1, None, None])
    view = view_of("8d 9d 2c", own=own, left=30)
    assert view.own_worth >= opt.end_at
    assert not builder_ends(opt, view, s, 0)  # two more diamonds in hand
    assert builder_ends(opt, view._replace(own_total=28), s, 0)


def test_builder_never_ends_where_that_loses_the_match() -> None:
    opt, s = options(), np.zeros(STATE_SIZE, dtype=np.int64)
    view = view_of("Qc Qd", own=square_of([1, 1, 1, 1, 1, 1, 1, None, None]), left=3)
    assert builder_ends(opt, view._replace(unseen=0), s, 0)
    lost = view._replace(unseen=0, other_total=33, other_worth=0)
    assert not builder_ends(opt, lost, s, 0)


def test_builder_end_from_is_a_threshold() -> None:
    opt, s = options(), np.zeros(STATE_SIZE, dtype=np.int64)
    for worth in range(5, 20):
        view = view_of("8d")._replace(own_worth=worth)
        assert builder_ends(opt, view, s, 9) == (worth >= 9)


def test_bots_decide_from_their_view_alone() -> None:
    """The builder borrows the state for scratch: whatever else lies there, other hands above all, must not matter."""
    rng = random.Random(3)
    noise = np.random.default_rng(3)
    for n in range(200):
        hand, _, _, own, other = random_table(rng)
        opt = options(players=rng.choice([2, 4]), draw=rng.choice(["before", "after"]))
        view = view_of(" ".join(CARDS[card] for card in hand), own, other, left=rng.randint(1, 36))
        clean = np.zeros(STATE_SIZE, dtype=np.int64)
        dirty = noise.integers(0, ALL_CARDS, STATE_SIZE)
        kept = dirty[:OWN_CHANCE].copy()
        assert builder_play(opt, view, clean) == builder_play(opt, view, dirty), n
        assert builder_ends(opt, view, clean, 0) == builder_ends(opt, view, dirty, 0)
        assert (dirty[:OWN_CHANCE] == kept).all()
