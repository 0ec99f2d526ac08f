"""A turn of Bank by all its rules: the seven, the moves, the draw, the failure, and what the laid cards bring about."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.bits import lowest, popcount
from simcore.games.bank import events
from simcore.games.bank.bots import RANDOM, View, decide
from simcore.games.bank.layout import (
    AFTER,
    BANK,
    BANK_POINTS,
    BLOCKED,
    BONUS,
    BOT,
    CAPTURED,
    COUNT,
    COVER,
    DEAD,
    DECK,
    FIRST_CARD,
    GONE,
    HAND,
    HITS,
    IN,
    KINGS_BY,
    ONE_CARD,
    OWNER,
    QUADS,
    RULE,
    SEVEN_WAITS,
    STREAM,
    TOP,
    TURN,
    TURNS,
    TWO_CARDS,
    following,
    rules_of,
    set_stream,
    without,
)
from simcore.games.bank.moves import (
    count,
    goes_up,
    is_one_suit,
    is_quad,
    is_single,
    is_trump,
    legal,
    nth_action,
    quads_in,
)
from simcore.games.bank.rules import PACK
from simcore.games.bank.scoring import going_out_bonus, points
from simcore.games.bank.state import (
    DRAWN,
    EIGHT,
    EXTRA,
    KING,
    KINGS,
    MOVE,
    NOBODY,
    SEATS,
    SEVEN,
    START,
    code,
)
from simcore.hints import out_of_line
from simcore.jit import bare, inlined
from simcore.log import emit
from simcore.streams import below

MUST_NOT = code("must_play", "no")
_EXTRA_DRAW = code("extra_move", "draw")
_OPPONENT = code("kings_cover", "opponent")
_SKIP, _NOTHING, _DRAW_PLAY = (code("seven", w) for w in ("skip", "nothing", "draw_play"))


@bare
def draw(s, seat, why, log):
    """Draw a card from the stock, which has one; returns its mask."""
    card = s[DECK + s[GONE]]
    s[GONE] += 1
    s[HAND + seat] |= card
    if len(log):
        emit(log, events.DRAW, seat, lowest(card), why)
    return card


@bare
def seven_acts(s, seat, log):
    """A seven acts on `seat`, before his turn; returns whether that costs him the turn."""
    s[HITS + seat] += 1
    if s[RULE.seven] != _SKIP and s[RULE.seven] != _NOTHING and s[GONE] < PACK:
        draw(s, seat, events.FOR_SEVEN, log)
    if s[RULE.seven] == _NOTHING or s[RULE.seven] == _DRAW_PLAY:
        return False
    s[COUNT.skips] += 1
    if len(log):
        emit(log, events.SKIP, seat, 0, 0)
    return True


@bare
def capture(s, seat, how, log):
    """`seat` takes the bank."""
    s[CAPTURED + seat] += s[BANK] & BANK_POINTS
    s[BANK] = 0
    s[COUNT.captures] += 1
    if how == events.BY_KINGS:
        s[COUNT.kings_captures] += 1
    elif how == events.BY_TRUMP_KING:
        s[COUNT.trump_king_captures] += 1
    if len(log):
        emit(log, events.CAPTURE, seat, how, 0)


@bare
def go_out(s, seat, mask, top, log):
    """A player without cards is out: his place, his bonuses, and the bank if a trump king of his is on top."""
    place = s[RULE.players] - s[IN] + 1
    quad = not is_single(mask) and is_quad(mask)
    run = not is_single(mask) and not quad and is_one_suit(mask)
    king_on_top = top // 4 == KING
    out, king, by_quad, by_run = going_out_bonus(place, king_on_top, quad and mask != KINGS, run)
    s[BONUS + seat] = out + king + by_quad + by_run
    s[COUNT.bonus] += s[BONUS + seat]
    s[COUNT.outs + place - 1] += 1
    s[COUNT.outs_king + place - 1] += king > 0
    s[COUNT.outs_quad + place - 1] += by_quad > 0
    s[COUNT.outs_run + place - 1] += by_run > 0
    s[AFTER] = without(s[AFTER], seat)
    s[IN] -= 1
    if len(log):
        emit(log, events.OUT, seat, place, out | king << 8 | by_quad << 16 | by_run << 24)
    if king_on_top and is_trump(s[RULE.trumps], seat, top % 4) and s[BANK] > 0:
        capture(s, seat, events.BY_TRUMP_KING, log)
        s[KINGS_BY] = NOBODY


@inlined
def lay(s, seat, mask, top, extra, log):
    """Lay the cards of `mask`, with `top` on top."""
    if len(log):
        upwards = not is_single(mask) and not is_quad(mask) and goes_up(mask, top)
        emit(log, events.LAY, seat, mask, top | extra << 8 | upwards << 9)
    s[HAND + seat] ^= mask
    s[TOP], s[OWNER], s[DEAD] = top, seat, 0
    s[BANK] += points(mask) + ONE_CARD * popcount(mask)
    s[SEVEN_WAITS] = top // 4 == SEVEN
    s[COUNT.extra_moves] += extra
    if s[KINGS_BY] != NOBODY:
        if s[KINGS_BY] != seat or s[RULE.kings_cover] != _OPPONENT:
            capture(s, seat, events.BY_KINGS, log)
        s[KINGS_BY] = NOBODY
    if mask == KINGS:
        s[KINGS_BY] = seat
    if s[HAND + seat] == 0:
        go_out(s, seat, mask, top, log)


@inlined
def fail(s, seat, log):
    """End a turn in which nothing was laid."""
    s[COUNT.fails] += 1
    if len(log):
        emit(log, events.FAIL, seat, 0, 0)
    if s[OWNER] != seat and s[BANK] >= TWO_CARDS:
        capture(s, s[OWNER], events.BY_FAILED, log)
        s[KINGS_BY] = NOBODY
    if s[GONE] == PACK:
        s[DEAD] += 1
        s[BLOCKED] = s[DEAD] == s[IN]


@bare
def unseen(s, seat):
    """The cards that are in other hands or in the stock, which `seat` cannot tell apart."""
    mask = 0
    for other in range(SEATS):
        if other == s[RULE.players]:
            break
        if other != seat:
            mask |= s[HAND + other]
    for i in range(s[GONE], PACK):
        mask |= s[DECK + i]
    return mask


@bare
def ask(s, seat, phase, need, cover, singles, quads, actions):
    """The choice of a bot other than `random`: (mask of the cards, card on top); the mask is 0 for declining."""
    bank, follower = s[BANK], following(s[AFTER], seat)
    after = following(s[AFTER], follower)
    view = View(
        seat,
        phase,
        s[HAND + seat],
        cover,
        need,
        singles,
        quads,
        actions,
        s[RULE.must_play] == MUST_NOT,
        s[TOP],
        s[OWNER],
        (bank % FIRST_CARD) // ONE_CARD,
        bank & BANK_POINTS,
        s[KINGS_BY],
        unseen(s, seat),
        PACK - s[GONE],
        follower,
        popcount(s[HAND + follower]),
        after,
        popcount(s[HAND + after]),
        s[IN],
    )
    covers = s[COVER : COVER + SEATS * PACK]
    rng, mask, top = decide(rules_of(s), view, covers, np.uint64(s[STREAM + seat]), s[BOT + seat])
    set_stream(s, seat, rng)
    return mask, top


@inlined
def choose(s, seat, phase, need):
    """One of the legal actions: (how many cards can be laid, mask of the cards, card on top); 0 cards for declining."""
    hand, run_suits, may_decline = s[HAND + seat], s[RULE.run_suits], s[RULE.must_play] == MUST_NOT
    cover = s[COVER + SEATS * s[TOP] + seat]
    singles, quads, runs = legal(hand, cover, need, run_suits)
    actions = count(singles, quads, runs)
    if actions == 0:
        return 0, 0, 0
    s[COUNT.decisions] += 1
    k = 0
    if actions + may_decline > 1:
        s[COUNT.choices] += actions + may_decline - 1
        s[COUNT.forced] -= 1
        if s[BOT + seat] != RANDOM:
            mask, top = ask(s, seat, phase, need, cover, singles, quads, actions)
            return actions, mask, top
        rng, k = below(np.uint64(s[STREAM + seat]), actions + may_decline)
        set_stream(s, seat, rng)
    if k == actions:
        return actions, 0, 0
    mask, top = nth_action(hand, cover, need, run_suits, singles, quads, k)
    return actions, mask, top


@inlined
def finish_turn(s, seat, phase, log):
    """Play the turn of `seat` from `phase` to its end."""
    need = s[DECK + s[GONE] - 1] if phase == DRAWN else 0
    while True:
        actions, mask, top = choose(s, seat, phase, need)
        if mask:
            lay(s, seat, mask, top, phase >= EXTRA, log)
            if s[HAND + seat] == 0 or not (top // 4 == EIGHT or (not is_single(mask) and is_quad(mask))):
                return
            phase, need = EXTRA, 0
            continue
        draws = s[GONE] < PACK and (
            phase == MOVE or (phase == EXTRA and actions == 0 and s[RULE.extra_move] == _EXTRA_DRAW)
        )
        if actions and not (draws and phase == MOVE) and len(log):
            emit(log, events.DECLINE, seat, 0, 0)
        if not draws:
            break
        why = events.FOR_EXTRA
        if phase == MOVE:
            why = events.BY_CHOICE if actions else events.FOR_TURN
        need = draw(s, seat, why, log)
        phase += 1
    if phase < EXTRA:
        fail(s, seat, log)


@bare
def play_turn(s, phase, log):
    """Play the turn of the seat whose turn it is, from `phase` on, and pass the turn on; returns whether the round goes on."""
    out_of_line()
    seat = s[TURN]
    lost = False
    if phase == START:
        s[TURNS] += 1
        if s[SEVEN_WAITS]:
            s[SEVEN_WAITS] = 0
            lost = seven_acts(s, seat, log)
        phase = MOVE
    if not lost:
        finish_turn(s, seat, phase, log)
    s[QUADS] = s[QUADS] & ~(1 << seat) | (quads_in(s[HAND + seat]) != 0) << seat
    s[TURN] = following(s[AFTER], seat)
    return not s[BLOCKED] and s[IN] > 1
