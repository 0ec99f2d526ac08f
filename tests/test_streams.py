"""Random streams against plain Python integers, against their published generator, and against chance."""

from __future__ import annotations

import itertools
import math
import random

import numba
import numpy as np
import pytest
from scipy import stats

from simcore import streams

MASK = 2**64 - 1
WORD = 2**32
GOLDEN, MIX1, MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


# --- the mirror: splitmix64 and Lemire's bounded numbers in plain integers --------------------------------------------


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * MIX1 & MASK
    z = (z ^ (z >> 27)) * MIX2 & MASK
    return z ^ (z >> 31)


def unshift(value: int, by: int) -> int:
    """The z with ``z ^ (z >> by) == value``."""
    found = value
    for _ in range(64 // by + 1):
        found = value ^ (found >> by)
    return found


def unmix(value: int) -> int:
    """The inverse of `mix`."""
    z = unshift(value, 31) * pow(MIX2, -1, 2**64) & MASK
    z = unshift(z, 27) * pow(MIX1, -1, 2**64) & MASK
    return unshift(z, 30)


def key_of(seed: int, game: int, round_no: int, purpose: int) -> int:
    key = mix(mix(seed + GOLDEN & MASK) + game * GOLDEN & MASK)
    return mix(key + (round_no * 32 + purpose + 1) * GOLDEN & MASK)


def draw(state: int) -> tuple[int, int]:
    state = state + GOLDEN & MASK
    return state, mix(state)


def settle(state: int, half: int, n: int) -> tuple[int, int]:
    """Lemire's method: refuse a product whose low half is below 2**32 mod n, and draw another word for it."""
    while half * n % WORD < WORD % n:
        state, word = draw(state)
        half = word >> 32
    return state, half * n >> 32


def below(state: int, n: int) -> tuple[int, int]:
    state, word = draw(state)
    return settle(state, word >> 32, n)


def shuffled(state: int, size: int) -> tuple[int, list[int]]:
    pack = list(range(size))
    halves: list[int] = []
    for i in range(size - 1):
        if not halves:
            state, word = draw(state)
            halves = [word % WORD, word >> 32]
        state, j = settle(state, halves.pop(0), size - i)
        pack[i], pack[i + j] = pack[i + j], pack[i]
    return state, pack


# --- the compiled functions, called from here -------------------------------------------------------------------------


@numba.njit
def compiled_key(seed, game, round_no, purpose):  # type: ignore[no-untyped-def]
    return streams.stream(streams.game_key(seed, game), round_no, purpose)


@numba.njit
def compiled_below(state, n, times):  # type: ignore[no-untyped-def]
    values = np.empty(times, dtype=np.int64)
    for i in range(times):
        state, values[i] = streams.below(state, n)
    return state, values


@numba.njit
def compiled_settle(state, half, n):  # type: ignore[no-untyped-def]
    return streams.settle(state, half, n)


@numba.njit
def compiled_shuffle(state, size, times):  # type: ignore[no-untyped-def]
    packs = np.empty((times, size), dtype=np.int64)
    for i in range(times):
        packs[i] = np.arange(size)
        state = streams.shuffle(state, packs[i])
    return state, packs


def uint(value: int) -> np.uint64:
    return np.uint64(value)


def state_before(word: int) -> int:
    """The state whose next draw is `word`."""
    return unmix(word) - GOLDEN & MASK


# --- splitmix64 -------------------------------------------------------------------------------------------------------


def test_the_generator_gives_the_published_numbers() -> None:
    state, seen = 1234567, []
    for _ in range(5):
        state, word = draw(state)
        seen.append(word)
    # the sequence of splitmix64 from 1234567 that many implementations are tested with
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert seen == known


def test_mixing_is_undone_by_its_inverse() -> None:
    rng = random.Random(1)
    for value in [0, 1, MASK, *(rng.getrandbits(64) for _ in range(500))]:
        assert unmix(mix(value)) == mix(unmix(value)) == value


def test_keys_are_those_of_the_mirror() -> None:
    rng = random.Random(2)
    corners = [(0, 0, 0, 0), (2**63 - 1, 2**53, 10_000, 31)]
    drawn = [(rng.getrandbits(63), rng.getrandbits(53), rng.randrange(10_001), rng.randrange(32)) for _ in range(500)]
    for seed, game, round_no, purpose in corners + drawn:
        assert int(compiled_key(uint(seed), game, round_no, purpose)) == key_of(seed, game, round_no, purpose)


def test_streams_of_near_keys_are_all_different() -> None:
    keys = itertools.product(range(12), range(40), range(1, 20), range(streams.SEAT + 4))
    states = [key_of(*key) for key in keys]
    assert len(set(states)) == len(states)
    bits = np.array([[state >> i & 1 for i in range(64)] for state in states[::7]])
    assert abs(bits.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(len(bits))


def test_purposes_have_room() -> None:
    assert len({streams.DEAL, streams.LOT, streams.SEAT}) == 3
    assert streams.SEAT + 10 <= streams.PURPOSES == 32


# --- bounded numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 6, 36, 52, 255, 256, 1000, 2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_bounded_numbers_are_those_of_the_mirror(n: int) -> None:
    state, expected = 99, []
    for _ in range(2000):
        state, value = below(state, n)
        expected.append(value)
    end, values = compiled_below(uint(99), n, 2000)
    assert values.tolist() == expected
    assert int(end) == state
    assert 0 <= min(expected) <= max(expected) < n


def test_some_of_these_numbers_were_drawn_again_more_than_once() -> None:
    """With n just above 2**31 nearly half of all words are refused, so the comparison above covers long redraws."""
    state, words = 99, []
    for _ in range(2000):
        state, word = draw(state)
        words.append(word >> 32)
    n = 2**31 + 1
    again = [half * n % WORD < WORD % n for half in words]
    assert any(a and b and c for a, b, c in zip(again, again[1:], again[2:], strict=False))


@pytest.mark.parametrize("n", [3, 7, 36, 52, 1000, 2**31 + 1])
def test_every_number_comes_from_equally_many_words(n: int) -> None:
    """For each value the 32-bit words that give it without a redraw form one range; all ranges are equally long."""
    refused = WORD % n
    rng = random.Random(n)
    for value in {0, n - 1, *(rng.randrange(n) for _ in range(50))}:
        first, end = -(-(value * WORD + refused) // n), -(-((value + 1) * WORD) // n)
        assert end - first == WORD // n
        for half in (first, end - 1):
            state, found = compiled_settle(uint(5), uint(half), uint(n))
            assert (int(state), int(found)) == (5, value)
        for half in (h for h in (first - 1, end) if 0 <= h < WORD):
            assert tuple(map(int, compiled_settle(uint(5), uint(half), uint(n)))) == settle(5, half, n)


@pytest.mark.parametrize("n", [3, 5, 36, 52])
def test_a_refused_word_is_drawn_again(n: int) -> None:
    """States made so that the next word falls just below, on and just above the edge of refusal, and just below n."""
    refused = WORD % n
    seen = set()
    common = math.gcd(n, WORD)
    for low in (0, refused - 1, refused, refused + 1, n - 1):
        if low % common:
            continue  # an even n reaches only some low halves
        half = low // common * pow(n // common, -1, WORD // common) % (WORD // common)
        assert half * n % WORD == low
        state = state_before(half << 32 | 0xABCDEF)
        expected_state, expected = below(state, n)
        end, values = compiled_below(uint(state), n, 1)
        assert (int(end), values.tolist()) == (expected_state, [expected])
        again = low < refused
        assert (expected_state != state + GOLDEN & MASK) == again
        seen.add(again)
    assert seen == {True, False}


@pytest.mark.parametrize("n", [2, 3, 6, 36, 52])
def test_bounded_numbers_are_uniform(n: int) -> None:
    _, values = compiled_below(uint(key_of(7, 0, 1, 0)), n, 400_000)
    assert stats.chisquare(np.bincount(values, minlength=n)).pvalue > 1e-4
    pairs = values[:-1:2] * n + values[1::2]
    assert stats.chisquare(np.bincount(pairs, minlength=n * n)).pvalue > 1e-4


# --- shuffles ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 35, 36, 52])
def test_shuffles_are_those_of_the_mirror(size: int) -> None:
    state, expected = 42, []
    for _ in range(200):
        state, pack = shuffled(state, size)
        expected.append(pack)
    end, packs = compiled_shuffle(uint(42), size, 200)
    assert packs.tolist() == expected
    assert int(end) == state
    assert all(sorted(pack) == list(range(size)) for pack in expected)


def test_all_orders_of_a_small_pack_are_equally_likely() -> None:
    _, packs = compiled_shuffle(uint(3), 5, 240_000)
    code = packs @ 5 ** np.arange(5)
    _, counts = np.unique(code, return_counts=True)
    assert len(counts) == 120
    assert stats.chisquare(counts).pvalue > 1e-4


def test_every_card_is_equally_likely_at_every_place() -> None:
    _, packs = compiled_shuffle(uint(4), 36, 60_000)
    for place in range(36):
        assert stats.chisquare(np.bincount(packs[:, place], minlength=36)).pvalue > 1e-5


def test_first_cards_of_successive_games_are_independent() -> None:
    """The deals of neighbouring games, each from its own key, show no pattern in pairs."""
    firsts = np.array([shuffled(key_of(1, game, 1, streams.DEAL), 36)[1][0] for game in range(24_000)])
    pairs = firsts[:-1] // 6 * 6 + firsts[1:] // 6
    assert stats.chisquare(np.bincount(pairs[::2], minlength=36)).pvalue > 1e-4
