/* Bank, default rules, random bots: the limit for the numba kernel to chase.
 *
 *   cc -O3 -march=native -o bank bank.c
 *   ./bank PLAYERS GAMES SEED          one JSON line on stdout
 *
 * A card is a bit, rank-major: bit 4*rank + suit, ranks 6 7 8 9 J Q K T A, suits s h d c; seat s has
 * trump suit s.  A hand is a mask.  Every random number comes from a splitmix64 stream keyed by
 * (seed, game, round, purpose), so game g is the same game whatever else is played.
 *
 * A turn is written twice.  slow_turn() knows every rule.  play_turns() knows only single cards and
 * stops before anything rarer (about one turn in twenty); it calls nothing, so its state stays in
 * registers.  -DSLOW takes the slow path always, and must print the same results; so must -DSELECTS,
 * which chooses without branches where play_turns() branches on the luck of the cards.  -DREPEAT plays
 * one game over and over, so that its branches become predictable.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

/* Or else gcc spills play_turns() into vector registers, a fifth slower (-DSPILLS shows it). */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(SPILLS)
#pragma GCC push_options
#pragma GCC target("general-regs-only")
#endif

enum { PACK = 36, SEATS = 4, HAND = 4, TARGET = 248, MAX_ROUNDS = 200, TWELFTHS = 12 };
enum { SEVEN = 1, EIGHT = 2, KING = 6, RANKS = 9 };
enum { LOT, DEAL, PLAY, FLOOR };                   /* purposes of random streams */
enum { SINGLE, QUAD, RUN };
enum { PILE = 256 };                               /* a bank is its points + PILE * its cards */
enum { SPARE = 4 * PACK };                         /* empty draws: at most 4 for each card laid */

#define GAMMA 0x9e3779b97f4a7c15ULL
#define NIBBLES 0x111111111ULL                     /* the lowest suit of each rank */
#define BIT(card) (1ULL << (card))
#define RANK(rank) (15ULL << 4 * (rank))
#define ALL ((1ULL << PACK) - 1)
#define EVERY_SEAT 0x01010101ULL
#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))
#define RARELY(x) __builtin_expect(!!(x), 0)

static const int RANK_POINTS[RANKS] = {0, 0, 0, 0, 1, 3, 5, 10, 12};
static const int GO_OUT[3] = {20, 10, 10}, OUT_KING[3] = {30, 20, 10}, OUT_RUN[3] = {30, 25, 20};
enum { OUT_QUAD = 75 };

/* A top card: the cards with which each seat covers it, and what it adds to a bank. */
typedef struct { u64 cover[SEATS], value, pad[3]; } Card;

/* ---- random numbers ------------------------------------------------------------------------- */

INLINE u64 mix(u64 z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

INLINE u64 next64(u64 *state) { return mix(*state += GAMMA); }

INLINE u64 stream(u64 game_key, u64 round, u64 purpose)
{
    return mix(game_key + (4 * round + purpose) * 0xd1342543de82ef95ULL);
}

/* Uniform below k, exactly: Lemire's multiplication with rejection of the biased remainder. */
INLINE unsigned below(u64 *state, u64 k)
{
    u128 product = (u128)next64(state) * k;
    if (RARELY((u64)product < k))
        for (u64 bias = -k % k; (u64)product < bias;)
            product = (u128)next64(state) * k;
    return product >> 64;
}

/* The same from half a word. */
INLINE unsigned half_below(u64 *state, uint32_t half, uint32_t k)
{
    u64 product = (u64)half * k;
    if (RARELY((uint32_t)product < k))
        for (uint32_t bias = -k % k; (uint32_t)product < bias;)
            product = (next64(state) >> 32) * k;
    return product >> 32;
}

/* ---- cards ---------------------------------------------------------------------------------- */

static void make_tables(Card cards[PACK])
{
    for (int top = 0; top < PACK; top++) {
        int rank = top / 4, suit = top % 4;
        u64 plain = RANK(rank) | RANK(EIGHT) | BIT(suit);
        if (rank > 0) plain |= BIT(top - 4);
        for (int seat = 0; seat < SEATS; seat++)
            cards[top].cover[seat] = plain | (suit != seat ? NIBBLES << seat : 0);
        cards[top].value = RANK_POINTS[rank] + PILE;
    }
}

INLINE int count(u64 mask) { return __builtin_popcountll(mask); }
INLINE int lowest(u64 mask) { return __builtin_ctzll(mask); }

INLINE u64 nth(u64 mask, int n)                    /* the n-th lowest set bit */
{
#ifdef __BMI2__
    return __builtin_ia32_pdep_di(1ULL << n, mask);
#else
    while (n--) mask &= mask - 1;
    return mask & -mask;
#endif
}

/* Points of a hand, by the binary digits of 1 J, 3 Q, 5 K, 10 T, 12 A. */
INLINE int sum_points(u64 mask)
{
    return count(mask & (RANK(4) | RANK(5) | RANK(6))) + 2 * count(mask & (RANK(5) | RANK(7)))
           + 4 * count(mask & (RANK(6) | RANK(8))) + 8 * count(mask & (RANK(7) | RANK(8)));
}

INLINE u64 quads(u64 hand)                         /* ranks of which all four are there */
{
    u64 pair = hand & hand >> 1;
    return pair & pair >> 2 & NIBBLES;
}

INLINE u64 ranks(u64 hand)                         /* ranks of which at least one is there */
{
    u64 pair = hand | hand >> 1;
    return (pair | pair >> 2) & NIBBLES;
}

INLINE u64 runs(u64 hand)                          /* lowest ranks of four in a row */
{
    u64 two = ranks(hand);
    two &= two >> 4;
    return two & two >> 8;
}

/* Fills deck with a whole shuffled pack, as bits, two draws a word. */
INLINE void shuffle(u64 deck[PACK], u64 state)
{
#ifdef __BMI2__
    u64 rest = ALL;                                /* each draw takes the n-th card of the rest */
#pragma GCC unroll 18
    for (int i = 0; i < PACK; i += 2) {
        const u64 word = next64(&state);
        rest ^= deck[i] = nth(rest, half_below(&state, word >> 32, PACK - i));
        rest ^= deck[i + 1] = nth(rest, half_below(&state, (uint32_t)word, PACK - i - 1));
    }
#else
    uint8_t pack[PACK];
    for (int i = 0; i < PACK; i++) pack[i] = i;
    for (int i = 0; i < PACK; i += 2) {
        const u64 word = next64(&state);
        int j = i + half_below(&state, word >> 32, PACK - i);
        deck[i] = BIT(pack[j]), pack[j] = pack[i];
        j = i + 1 + half_below(&state, (uint32_t)word, PACK - i - 1);
        deck[i + 1] = BIT(pack[j]), pack[j] = pack[i + 1];
    }
#endif
}

/* ---- a table in the middle of a round ----------------------------------------------------------- */

/* Seats are kept as 8 * seat, an offset into arrays of u64 and a shift at once. */
#define AT(array, seat8) (*(u64 *)((char *)(array) + (seat8)))

typedef struct {
    Card cards[PACK];
    u64 hand[SEATS], won[SEATS], deck[PACK + SPARE];
    u64 state;                                     /* of the bots' random stream */
    u64 turn, owner, bank, drawn, fails;           /* drawn: cards gone from deck */
    u64 after;                                     /* byte at seat8: 8 * the next seat still in */
    u64 quads;                                     /* bit at seat8: holds a quad */
    const Card *top;
    u64 in, place, kings, blocked;                 /* kings: four lie uncovered; blocked: the round */
    int bonus[SEATS];
    struct { u64 turns, laid, draws, captures, skips, blocked; } sum;   /* of the game so far */
} Table;

INLINE void take_bank(Table *t, u64 seat8)
{
    AT(t->won, seat8) += t->bank;
    t->bank = 0;
    t->sum.captures++;
}

/* ---- the slow path: every rule -------------------------------------------------------------------- */

typedef struct { u64 laid, top; int kind; } Move;

static Move choose_run(u64 hand, u64 covers, int low, int down, int n)
{
    Move move = {.kind = RUN};
    for (int i = 0; i < 4; i++) {
        int rank = low + (down ? 3 - i : i);
        u64 from = hand & RANK(rank) & (i ? ALL : covers);
        move.top = nth(from, n % count(from));
        n /= count(from);
        move.laid |= move.top;
    }
    return move;
}

/* One move, uniform over all; laid = 0 if none is legal. */
static Move choose(u64 hand, u64 covers, u64 *state)
{
    u64 singles = hand & covers, quad = quads(hand), run = runs(hand);
    int ways[12], windows = 0, total = count(singles) + 4 * count(quad);
    for (u64 left = run; left; left &= left - 1) {
        u64 low = RANK(0) << lowest(left), high = low << 12;
        int inner = count(hand & low << 4) * count(hand & low << 8);
        total += ways[windows++] = count(singles & low) * inner * count(hand & high);
        total += ways[windows++] = count(hand & low) * inner * count(singles & high);
    }
    if (!total) return (Move){0};
    int n = total > 1 ? below(state, total) : 0, w = 0;
    if (n < count(singles)) {
        u64 card = nth(singles, n);
        return (Move){card, card, SINGLE};
    }
    n -= count(singles);
    if (n < 4 * count(quad)) {
        u64 low = nth(quad, n / 4);
        return (Move){15 * low, low << n % 4, QUAD};
    }
    n -= 4 * count(quad);
    while (n >= ways[w]) n -= ways[w++];
    return choose_run(hand, covers, lowest(nth(run, w / 2)) / 4, w % 2, n);
}

static int one_suit(u64 laid)
{
    for (int suit = 0; suit < 4; suit++)
        if (!(laid & ~(NIBBLES << suit))) return 1;
    return 0;
}

static void go_out(Table *t, u64 seat8, Move move)
{
    int king = (move.top & RANK(KING)) != 0, bonus = GO_OUT[t->place];
    if (king) bonus += OUT_KING[t->place];
    if (move.kind == QUAD && !king) bonus += OUT_QUAD;
    if (move.kind == RUN && one_suit(move.laid)) bonus += OUT_RUN[t->place];
    t->bonus[seat8 / 8] += bonus;
    if (move.top == BIT(4 * KING + seat8 / 8)) {
        take_bank(t, seat8);
        t->kings = 0;
    }
    u64 before = seat8;
    while ((t->after >> before & 255) != seat8) before = t->after >> before & 255;
    t->after = (t->after & ~(255ULL << before)) | (t->after >> seat8 & 255) << before;
    t->place++, t->in--;
}

static void lay(Table *t, u64 seat8, Move move)
{
    AT(t->hand, seat8) ^= move.laid;
    t->top = &t->cards[lowest(move.top)];
    t->owner = seat8, t->fails = 0;
    t->bank += sum_points(move.laid) + PILE * count(move.laid);
    if (t->kings) {
        take_bank(t, seat8);
        t->kings = 0;
    }
    t->kings = move.kind == QUAD && move.top & RANK(KING);
    if (!AT(t->hand, seat8)) go_out(t, seat8, move);
}

/* Passes the turn on, over the next seat if a seven was left for it. */
static void pass_turn(Table *t, int seven)
{
    t->turn = t->after >> t->turn & 255;
    if (!seven) return;
    t->sum.turns++, t->sum.skips++;
    t->turn = t->after >> t->turn & 255;
}

static void fail(Table *t)
{
    if (t->owner != t->turn && t->bank >= 2 * PILE) {
        take_bank(t, t->owner);
        t->kings = 0;
    }
    t->fails += t->drawn == PACK;
    t->blocked = t->fails == t->in;
}

/* Goes on with the turn of t->turn at a first move (may_draw) or a later one, and passes it on.
 * Returns whether the round goes on. */
NOINLINE int slow_turn(Table *t, int may_draw)
{
    const u64 seat8 = t->turn;
    u64 *hand = &AT(t->hand, seat8);
    Move last = {0}, move;
    do {
        move = choose(*hand, t->top->cover[seat8 / 8], &t->state);
        if (!move.laid && may_draw && t->drawn < PACK) {
            *hand |= t->deck[t->drawn++];
            move = choose(*hand, t->top->cover[seat8 / 8], &t->state);
        }
        if (!move.laid) break;
        lay(t, seat8, last = move);
        may_draw = 0;
    } while (*hand && (move.kind == QUAD || move.top & RANK(EIGHT)));
    if (!last.laid) fail(t);
    t->quads = (t->quads & ~BIT(seat8)) | (u64)(quads(*hand) != 0) << seat8;
    if (t->blocked || t->in == 1) return 0;
    pass_turn(t, (last.top & RANK(SEVEN)) != 0);
    return 1;
}

/* ---- the fast path: single cards ---------------------------------------------------------------- */

enum { OVER, FIRST_MOVE, LATER_MOVE };             /* why play_turns() stopped */

INLINE u64 needs_slow_path(const Table *t)
{
#ifdef SLOW
    return EVERY_SEAT;
#endif
    return t->quads | (t->kings ? EVERY_SEAT : 0);
}

INLINE u64 opaque(u64 x)                           /* x, of which the compiler cannot make a branch */
{
    __asm__("" : "+r"(x));
    return x;
}

/* Plays turns until the round is over or a move needs slow_turn().  A run begins with a card that
 * covers, so hands are searched for runs only when a single card does; for quads only after a draw.
 * The deck goes on with zeros, so nothing asks whether the stock is empty before drawing. */
static __attribute__((noinline, noclone)) int play_turns(Table *t)
{
    u64 p = t->turn, owner = t->owner, bank = t->bank, drawn = t->drawn, fails = t->fails;
    const u64 after = t->after, rare = needs_slow_path(t);
    const Card *top = t->top;
    int why;
    for (;;) {
        t->sum.turns++;
        u64 mine = AT(t->hand, p), can = mine & AT(top->cover, p), laid;
        why = FIRST_MOVE;
        if (RARELY(rare >> p & 1)) break;
        why = LATER_MOVE;
#ifdef SELECTS
        const u64 need = opaque(!can);
        AT(t->hand, p) = mine |= t->deck[drawn] & -need;
        drawn += need;
        if (RARELY(quads(mine))) break;
        can = mine & AT(top->cover, p);
#else
        if (!can) {
            const u64 card = t->deck[drawn++];
            AT(t->hand, p) = mine |= card;
            if (RARELY(quads(mine))) break;
            can = card & AT(top->cover, p);
        }
#endif
        if (!can) {
            if (owner != p && bank >= 2 * PILE) AT(t->won, owner) += bank, bank = 0, t->sum.captures++;
            fails += drawn >= PACK;
            why = OVER;
            if (RARELY(fails == t->in)) break;
            p = after >> p & 255;
            continue;
        }
        do {
            if (RARELY(runs(mine))) goto stop;
            laid = can;
            if (can & (can - 1)) laid = nth(can, below(&t->state, count(can)));
            if (RARELY(mine == laid)) goto stop;
            AT(t->hand, p) = mine ^= laid;
            top = &t->cards[lowest(laid)];
            owner = p, fails = 0, bank += top->value;
            can = mine & AT(top->cover, p);
        } while (laid & RANK(EIGHT) && can);
        p = after >> p & 255;
#ifdef SELECTS
        const u64 seven = opaque((laid & RANK(SEVEN)) != 0);
        t->sum.turns += seven, t->sum.skips += seven, p ^= ((after >> p & 255) ^ p) & -seven;
#else
        if (laid & RANK(SEVEN)) t->sum.turns++, t->sum.skips++, p = after >> p & 255;
#endif
    }
stop:
    t->turn = p, t->owner = owner, t->bank = bank, t->fails = fails, t->top = top;
    t->drawn = drawn < PACK ? drawn : PACK;
    t->blocked |= why == OVER;
    return why;
}

/* ---- a round ----------------------------------------------------------------------------------- */

/* Who moves first: without branches, since nothing here can be predicted. */
INLINE int find_starter(const u64 hand[], const int players, int opening, int dealer)
{
    u64 held = 0;
    for (int s = 0; s < players; s++) held |= hand[s];
    held &= NIBBLES << opening % 4;
    const u64 lower = held & (BIT(opening) - 1);
    const u64 nearest = lower ? BIT(63 - __builtin_clzll(lower | 1)) : held & -held;
    int holder = 0;
    for (int s = 1; s < players; s++) holder += (hand[s] & nearest) ? s : 0;
    return held ? holder : (dealer + 1) % players;
}

INLINE void deal(Table *t, const int players, u64 key, u64 number, int dealer)
{
    shuffle(t->deck, stream(key, number, DEAL));
    t->state = stream(key, number, PLAY);
    t->quads = t->after = 0;
    for (int s = 0; s < players; s++) {
        const u64 *dealt = t->deck + HAND * s;
        t->hand[s] = dealt[0] | dealt[1] | dealt[2] | dealt[3];
        t->won[s] = t->bonus[s] = 0;
        t->after |= (u64)(8 * ((s + 1) % players)) << 8 * s;
        t->quads |= (u64)(quads(t->hand[s]) != 0) << 8 * s;
    }
    t->drawn = players * HAND + 1;
    t->top = &t->cards[lowest(t->deck[players * HAND])], t->owner = 8 * dealer;
    t->bank = t->top->value + PILE;                /* counts as two cards: alone, it can be taken */
    t->fails = t->kings = t->place = t->blocked = 0, t->in = players;
}

/* Plays a round, leaves its scores in score[]; returns the starter. */
INLINE int play_round(Table *t, const int players, u64 key, u64 number, int dealer, int score[])
{
    deal(t, players, key, number, dealer);
    const int starter = find_starter(t->hand, players, t->top - t->cards, dealer);
    t->turn = 8 * starter;
    for (int why, going = 1; going && (why = play_turns(t));) going = slow_turn(t, why == FIRST_MOVE);
    int left = 0;
    for (int s = 0; s < players; s++) {
        score[s] = (int)(t->won[s] & (PILE - 1)) + t->bonus[s] - sum_points(t->hand[s]);
        left += count(t->hand[s]);
    }
    t->sum.laid += t->drawn - 1 - left;
    t->sum.draws += t->drawn - (players * HAND + 1);
    t->sum.blocked += t->blocked;
    return starter;
}

/* ---- a game ----------------------------------------------------------------------------------- */

/* Quantities of a game, and the sums over games of each and of each product of two. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(SPILLS)
#pragma GCC pop_options
#endif

enum { ROUNDS, TURNS, LAID, DRAWS, CAPTURES, SKIPS, BLOCKED, STARTER, QUANTITIES };
typedef struct { u64 sum[QUANTITIES]; double product[QUANTITIES][QUANTITIES]; u64 capped, won[SEATS]; } Sums;

/* The lowest score deals; among equals the first from the dealer's left. */
INLINE int next_dealer(const int players, int dealer, const int score[])
{
    int worst = INT32_MAX;
    for (int i = 0; i < players; i++) {
        int seat = dealer + 1 + i;
        seat -= seat >= players ? players : 0;
        const int key = score[seat] * SEATS + i;
        worst = key < worst ? key : worst;
    }
    const int seat = dealer + 1 + (worst & (SEATS - 1));
    return seat - (seat >= players ? players : 0);
}

INLINE int highest(const int players, const int score[], int *how_many)
{
    int best = score[0];
    for (int s = 1; s < players; s++) best = score[s] > best ? score[s] : best;
    *how_many = 0;
    for (int s = 0; s < players; s++) *how_many += score[s] == best;
    return best;
}

INLINE u64 starter_share(const int players, const int score[], int starter)
{
    static const u64 share[SEATS + 1] = {0, TWELFTHS, TWELFTHS / 2, TWELFTHS / 3, TWELFTHS / 4};
    int ties, best = highest(players, score, &ties);
    return share[score[starter] == best ? ties : 0];
}

static void add_game(Sums *sums, const u64 q[QUANTITIES])
{
    for (int i = 0; i < QUANTITIES; i++) {
        sums->sum[i] += q[i];
        for (int j = 0; j <= i; j++) sums->product[i][j] += (double)q[i] * (double)q[j];
    }
}

INLINE void play_game(Table *t, const int players, u64 key, Sums *sums)
{
    u64 lot = stream(key, 0, LOT), rounds = 0, share = 0;
    int dealer = below(&lot, players), score[SEATS], total[SEATS] = {0}, winner = -1, decided = 0;
    memset(&t->sum, 0, sizeof t->sum);
    while (winner < 0 && rounds < MAX_ROUNDS) {
        const int starter = play_round(t, players, key, ++rounds, dealer, score);
        share += starter_share(players, score, starter);
        dealer = next_dealer(players, dealer, score);
        for (int s = 0; s < players; s++) total[s] += score[s];
        int leaders;
        const int best = highest(players, total, &leaders);
        decided |= best >= TARGET;
        if (RARELY(decided & (leaders == 1)))
            for (winner = 0; total[winner] != best;) winner++;
    }
    if (winner < 0) sums->capped++;
    else sums->won[winner]++;
    add_game(sums, (u64[]){rounds, t->sum.turns, t->sum.laid, t->sum.draws, t->sum.captures,
                           t->sum.skips, t->sum.blocked, share});
}

/* ---- measuring and printing ------------------------------------------------------------------- */

/* By Newton, so that the program links without a mathematics library. */
static double root(double x)
{
    if (!(x > 0)) return 0;
    double r = x > 1 ? x : 1;
    for (double last = 2 * r; r < last; r = (r + x / r) / 2) last = r;
    return r;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static __attribute__((noinline)) void play_games(int players, u64 games, u64 seed, Sums *sums)
{
    Table *table = calloc(1, sizeof *table);
    if (!table) {
        fprintf(stderr, "bank: out of memory\n");
        exit(1);
    }
    make_tables(table->cards);
    for (u64 g = 0; g < games; g++) {
#ifdef REPEAT
        const u64 key = mix(mix(seed + GAMMA));
#else
        const u64 key = mix(mix(seed + GAMMA) + g * GAMMA);
#endif
        if (players == 2) play_game(table, 2, key, sums);
        else if (players == 3) play_game(table, 3, key, sums);
        else play_game(table, 4, key, sums);
    }
    free(table);
}

/* The floor: nanoseconds of a whole keyed shuffle of 36 cards, the least of five runs. */
static double shuffle_ns(u64 seed)
{
    enum { TIMES = 200000 };
    double best = 1e9;
    volatile unsigned sink = 0;
    for (int run = 0; run < 5; run++) {
        double start = cpu_seconds();
        unsigned sum = 0;
        for (int i = 0; i < TIMES; i++) {
            u64 pack[PACK];
            shuffle(pack, stream(seed, i, FLOOR));
            __asm__ volatile("" : : "r"(pack) : "memory");
            sum += pack[i % PACK];
        }
        sink += sum;
        double ns = (cpu_seconds() - start) / TIMES * 1e9;
        best = ns < best ? ns : best;
    }
    return best;
}

/* Mean and standard error of the ratio sum(a) / sum(b), games as clusters (linearised). */
static void print_ratio(const char *name, const Sums *s, u64 games, int a, int b, double unit)
{
    double mean = (double)s->sum[a] / s->sum[b];
    double square = s->product[a][a] - 2 * mean * s->product[a > b ? a : b][a > b ? b : a]
                    + mean * mean * s->product[b][b];
    double error = games > 1 ? root(square * games / (games - 1)) / s->sum[b] : 0;
    printf(", \"%s\": [%.6f, %.6f]", name, mean / unit, error / unit);
}

static void print_rounds(const Sums *s, u64 games)
{
    double mean = (double)s->sum[ROUNDS] / games;
    double square = s->product[ROUNDS][ROUNDS] - games * mean * mean;
    double error = games > 1 ? root(square / (games - 1) / games) : 0;
    printf(", \"rounds_per_game\": [%.6f, %.6f]", mean, error);
}

/* A whole number from low to high, or the end of the program. */
static u64 number(const char *name, const char *text, u64 low, u64 high)
{
    char *end;
    errno = 0;
    u64 n = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && low <= n && n <= high) return n;
    fprintf(stderr, "bank: %s is %s, must be a whole number from %" PRIu64 " to %" PRIu64 "\n", name, text, low, high);
    exit(2);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: bank PLAYERS GAMES SEED\n");
        return 2;
    }
    const int players = number("PLAYERS", argv[1], 2, SEATS);
    const u64 games = number("GAMES", argv[2], 1, 1000000000000), seed = number("SEED", argv[3], 0, UINT64_MAX);
    static Sums s;
    double floor_ns = shuffle_ns(seed), start = cpu_seconds();
    play_games(players, games, seed, &s);
    double cpu = cpu_seconds() - start;
    static const char *names[] = {
        "rounds", "turns", "laid", "draws", "captures", "skips", "blocked", "starter_twelfths"};
    printf("{\"game\": \"bank\", \"players\": %d, \"games\": %" PRIu64 ", \"seed\": %" PRIu64, players, games, seed);
    for (int i = 0; i < QUANTITIES; i++) printf(", \"%s\": %" PRIu64, names[i], s.sum[i]);
    printf(", \"capped\": %" PRIu64 ", \"won\": [", s.capped);
    for (int i = 0; i < players; i++) printf("%s%" PRIu64, i ? ", " : "", s.won[i]);
    printf("]");
    print_rounds(&s, games);
    print_ratio("turns_per_round", &s, games, TURNS, ROUNDS, 1);
    print_ratio("laid_per_round", &s, games, LAID, ROUNDS, 1);
    print_ratio("blocked_share", &s, games, BLOCKED, ROUNDS, 1);
    print_ratio("starter_share", &s, games, STARTER, ROUNDS, TWELFTHS);
    printf(", \"cpu_seconds\": %.4f, \"ns_per_turn\": %.3f, \"ns_per_round\": %.2f, \"ns_shuffle\": %.2f}\n",
           cpu, cpu / s.sum[TURNS] * 1e9, cpu / s.sum[ROUNDS] * 1e9, floor_ns);
    return 0;
}
