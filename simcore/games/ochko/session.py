"""A session of Ochko: circles of hands against one banker, until his bank is broken, taken after the stuk, or capped.

One function plays a whole session and gives only numbers to the small functions that it calls for each hand, since passing
an array costs more than the work done with it. `RULES.md` is the text that it follows.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.games.ochko import events
from simcore.games.ochko.bots import BEST, RANDOM, THRESHOLD
from simcore.games.ochko.hand import (
    CONCEALS,
    STANDS,
    STANDS_BLIND,
    any_stake,
    named_stake,
    outcome,
    rank_of,
    total_of,
)
from simcore.games.ochko.metrics import COUNTS, HISTOGRAMS, TENTHS
from simcore.games.ochko.pack import bit, extend, played_cards, supply
from simcore.games.ochko.plan import CHART, CHART_ROW, FIRST_CARDS, PLAN_SIZE
from simcore.games.ochko.state import (
    BANK_STAND,
    BLIND_FROM,
    BOT,
    BUST,
    CARD_BITS,
    CIRCLES,
    CONCEAL,
    DECK,
    ENTRANT,
    FATE,
    FRESH,
    FULL_BANK,
    GOAL,
    N_RANKS,
    NET,
    NO_RANK,
    POINTS,
    STAKE,
    STAKES,
    STAND,
    TIE,
    TOTAL,
    TOTAL_BITS,
    TWENTY_ONE,
    UNSETTLED,
    WHYS,
    code,
)
from simcore.games.ochko.telling import log_circle, log_end, log_settle
from simcore.jit import part
from simcore.log import emit
from simcore.streams import DEAL, S32, SEAT, below, next64, stream
from simcore.tally import bin_of

IX = COUNTS.index
BINS = HISTOGRAMS.offset
CIRCLES_LOW, CIRCLES_HIGH = HISTOGRAMS["session_circles"].low, HISTOGRAMS["session_circles"].high
GAIN_LOW, GAIN_HIGH = HISTOGRAMS["session_gain"].low, HISTOGRAMS["session_gain"].high
N_WHYS = len(WHYS)

_COMMON = code("duel", "common")
_YES = code("marker", "yes")
_EITHER = code("ace", "either")
_PAIR = code("two_aces", "twenty_one")

_SETTLED = _UNKNOWN = -1


@part
def play_session(opt, s, plan, key, session, banker, row, hist, log):
    """Play one session; the seats' net gains in `s` and the counts in `row` are brought up to date.

    Parameters
    ----------
    opt : Options
    s, plan, row, hist : ndarray of int64
        State, the charts of `basic` (see `plan.py`), the game's row, the shard's histograms.
    key : uint64
        Of the game's streams.
    session, banker : int
        Number of the session from 0, and who banks.
    log : ndarray of int64, or None

    Returns
    -------
    int
        `BROKEN`, `STUK` or `CAPPED`.
    """
    players, common, deck = opt.players, opt.duel == _COMMON, opt.deck
    either, pair, marked, may_blind = opt.ace == _EITHER, opt.two_aces == _PAIR, opt.marker == _YES, opt.blind == _YES
    bank_bot, bank_stand = s[BOT + banker], s[BANK_STAND + banker]
    charts = s[ENTRANT + banker] * PLAN_SIZE
    bank, circle, stuk, why_end = opt.bank, 0, False, _UNKNOWN
    hands = staked = gained = all_units = tie_staked = blinds = draws = reshuffles = left_out = 0
    bank_hands = bank_draws = bank_busts = bank_21 = 0
    if log is not None:
        emit(log, events.SESSION, banker, bank, 0)
    while why_end == _UNKNOWN:
        circle += 1
        # A fresh pack: its bottom card by lot, the others as far as they are needed.
        round_no = CIRCLES * session + circle
        rng = stream(key.chance, round_no, DEAL)
        for i in range(deck):
            s[DECK + i] = s[FRESH + i]
        limit = deck - 1
        rng, lot = below(rng, deck)
        bottom = s[DECK + lot]
        s[DECK + lot] = s[DECK + limit]
        s[DECK + limit] = bottom
        end = limit if marked else deck
        ready, at = 0, players
        while ready < players or (log is not None and ready < limit):
            rng, ready = extend(s, rng, ready, limit)
        if ready == limit:
            ready = end
        if log is not None:
            log_circle(opt, s, banker, circle, stuk, end, log)
        kept = bit(bottom) if marked else 0
        entry = s[DECK + players - 1]
        first_rank = shown = rank_of(entry)
        his_acc, his_mask, his_cards = entry >> POINTS, bit(entry), 1
        bank_rng = np.uint64(0)
        if bank_bot == RANDOM:
            bank_rng = stream(key.bots, round_no, SEAT + banker)
        opening, standing, seat = UNSETTLED, 0, banker
        # Each punter in turn; and once more for a common banker's hand, against all who stand.
        for position in range(players - 1 + common):
            own = position < players - 1
            mask, total, fate, stake, reason, his = 0, 0, STANDS, 0, UNSETTLED, _UNKNOWN
            if own:
                seat = seat + 1 if seat + 1 < players else 0
                bot = s[BOT + seat]
                entry = s[DECK + position]
                acc, mask, cards = entry >> POINTS, bit(entry), 1
                own_rng = np.uint64(0)
                if bot == RANDOM:
                    own_rng, stake = any_stake(stream(key.bots, round_no, SEAT + seat), bank)
                else:
                    policy = s[STAKES + seat]
                    promising = False
                    if policy == BEST:
                        promising = plan[charts + FIRST_CARDS + shown * N_RANKS + rank_of(entry)] > 0
                    stake = named_stake(policy, bank, promising)
                if log is not None:
                    emit(log, events.STAKE, seat, stake, bank)
                hands += 1
                staked += stake
                row[IX.at_hands + position] += 1
                row[IX.at_staked + position] += stake
                stand, blind_from, blind = s[STAND + seat], s[BLIND_FROM + seat], False
                while True:
                    held = kept | mask | his_mask | standing
                    if at == end and played_cards(opt, s, position, held) == 0:
                        if log is not None:
                            emit(log, events.STOP, seat, events.AS_PUNTER, 0)
                        break
                    if cards > 1:
                        if bot == THRESHOLD:
                            stops, blind = total >= stand, total >= blind_from
                        elif bot == RANDOM:
                            own_rng, k = below(own_rng, 2 + may_blind)
                            stops, blind = k == 0, k == 2
                        else:
                            soft = total != acc & TOTAL_BITS
                            choice = plan[charts + CHART + (2 * shown + soft) * CHART_ROW + total]
                            stops, blind = choice == 0, choice == 2
                        if stops:
                            blind = False
                            if log is not None:
                                emit(log, events.STOP, seat, events.AS_PUNTER, 0)
                            break
                    if at == ready:
                        rng, at, ready, limit, end, anew = supply(
                            opt, s, rng, at, ready, limit, end, position, held, log
                        )
                        reshuffles += anew
                    entry = s[DECK + at]
                    at += 1
                    acc += entry >> POINTS
                    mask |= bit(entry)
                    cards += 1
                    total = total_of(acc, cards, either, pair)
                    if log is not None:
                        emit(log, events.DRAW, seat, entry & CARD_BITS, events.AS_PUNTER | blind << 1)
                    if blind or total >= GOAL:
                        break
                if cards == 1:
                    total = total_of(acc, cards, either, pair)
                draws += cards - 1
                blinds += blind
                units = 0
                if blind:
                    fate = STANDS_BLIND
                elif total == GOAL:
                    reason, units = TWENTY_ONE, 1
                elif total > GOAL:
                    reason, units = BUST, -1
                    conceal = s[CONCEAL + seat]
                    if conceal > 0:
                        own_rng, word = next64(stream(key.bots, round_no, SEAT + seat))
                        if np.int64(word >> S32) < conceal:
                            reason, fate = UNSETTLED, CONCEALS
                            if log is not None:
                                emit(log, events.STOP, seat, events.AS_PUNTER, 1)
                if common:
                    s[FATE + position] = fate if reason == UNSETTLED else _SETTLED
                    if reason == UNSETTLED:
                        s[STAKE + position], s[TOTAL + position] = stake, total
                        standing |= mask
                        continue
            elif standing == 0:
                break
            if reason == UNSETTLED:
                # It comes to the banker, who knows his own cards and no others.
                his = total_of(his_acc, his_cards, either, pair)
                while his < GOAL:
                    held = kept | mask | his_mask | standing
                    none_left = at == end and played_cards(opt, s, position, held) == 0
                    stops = his >= bank_stand
                    if bank_bot == RANDOM and not none_left:
                        bank_rng, k = below(bank_rng, 2)
                        stops = k == 0
                    if stops or none_left:
                        if log is not None:
                            emit(log, events.STOP, banker, events.AS_BANKER, 0)
                        break
                    if at == ready:
                        rng, at, ready, limit, end, anew = supply(
                            opt, s, rng, at, ready, limit, end, position, held, log
                        )
                        reshuffles += anew
                    entry = s[DECK + at]
                    at += 1
                    his_acc += entry >> POINTS
                    his_mask |= bit(entry)
                    his_cards += 1
                    bank_draws += 1
                    his = total_of(his_acc, his_cards, either, pair)
                    if log is not None:
                        emit(log, events.DRAW, banker, entry & CARD_BITS, events.AS_BANKER)
                bank_hands += 1
                bank_busts += his > GOAL
                bank_21 += his == GOAL
            # Settle this punter, or, at the end of a common hand, all who stand.
            for place in range(position if own else 0, position + own):
                if not own:
                    fate = s[FATE + place]
                    if fate == _SETTLED:
                        continue
                    seat = (banker + 1 + place) % players
                    total, stake = s[TOTAL + place], s[STAKE + place]
                if his != _UNKNOWN:
                    reason, units = outcome(opt, total, fate, his)
                gain = min(units * stake, bank)
                bank -= gain
                gained += gain
                all_units += units
                tie_staked += stake if reason == TIE else 0
                s[NET + seat] += gain
                row[IX.ends + reason] += 1
                row[IX.at_gain + place] += gain
                row[IX.at_units + place] += units
                if place == 0:
                    opening = reason
                if log is not None:
                    log_settle(seat, total, his, reason, gain, bank, log)
                if bank == 0:
                    break
            if bank == 0:
                left_out += max(players - 2 - position, 0)
                break
            if his != _UNKNOWN and position < players - 2:
                if at == ready:
                    rng, at, ready, limit, end, anew = supply(opt, s, rng, at, ready, limit, end, position, kept, log)
                    reshuffles += anew
                entry = s[DECK + at]
                at += 1
                shown = rank_of(entry)
                his_acc, his_mask, his_cards = entry >> POINTS, bit(entry), 1
                if log is not None:
                    emit(log, events.FIRST, entry & CARD_BITS, 0, 0)
        marker_rank = rank_of(bottom) if marked else NO_RANK
        hist[BINS.opening_card + 1 + N_WHYS * first_rank + opening] += 1
        hist[BINS.opening_marker + 1 + N_WHYS * marker_rank + opening] += 1
        if bank == 0:
            why_end = events.BROKEN
        elif stuk:
            why_end = events.STUK
        elif circle == opt.max_circles or bank >= FULL_BANK:
            why_end = events.CAPPED
        stuk = opt.stuk > 0 and bank >= opt.stuk * opt.bank
    gain = bank - opt.bank
    s[NET + banker] += gain
    row[IX.sessions] += 1
    row[IX.broken] += why_end == events.BROKEN
    row[IX.stuk] += why_end == events.STUK
    row[IX.capped_sessions] += why_end == events.CAPPED
    row[IX.session_gain] += gain
    row[IX.session_staked] += opt.bank
    row[IX.losses] += gain < 0
    if gain < -opt.bank:
        row[IX.overdrawn] = 1
    row[IX.left_out] += left_out
    row[IX.circles] += circle
    row[IX.reshuffles] += reshuffles
    row[IX.hands] += hands
    row[IX.staked] += staked
    row[IX.gain] += gained
    row[IX.units] += all_units
    row[IX.tie_staked] += tie_staked
    row[IX.blind_draws] += blinds
    row[IX.draws] += draws
    row[IX.bank_hands] += bank_hands
    row[IX.bank_draws] += bank_draws
    row[IX.bank_bust] += bank_busts
    row[IX.bank_21] += bank_21
    hist[bin_of(circle, BINS.session_circles, CIRCLES_LOW, CIRCLES_HIGH)] += 1
    hist[bin_of(gain * TENTHS // opt.bank, BINS.session_gain, GAIN_LOW, GAIN_HIGH)] += 1
    if log is not None:
        log_end(opt, s, why_end, bank, log)
    return why_end
