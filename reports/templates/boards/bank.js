"use strict";
// Bank on the table: hands, bank, captured points; and which rule let a card be laid.
(() => {
  const { SUITS, NAMES, make, rank, word, words, card, cards } = window.kozyrCards;
  const ORDER = "6789JQKTA";
  const POINTS = { A: 12, T: 10, K: 5, Q: 3, J: 1 };
  const OWN = ["s", "h", "d", "c"];
  const ORDINAL = ["", "first", "second", "third"];
  const seatName = (seat) => `Seat ${seat}`;
  const points = (list) => list.reduce((sum, name) => sum + (POINTS[name[0]] ?? 0), 0);
  const height = (name) => ORDER.indexOf(name[0]);

  const trumpsOf = (mode, seat) => ({ own: [OWN[seat]], none: [], one: ["s"], two: ["s", "d"], ranked: ["s", "d"] })[mode];
  const level = (mode, suit) => {
    if (mode === "ranked") return suit === "s" ? 2 : suit === "d" ? 1 : 0;
    return (mode === "one" && suit === "s") || (mode === "two" && (suit === "s" || suit === "d")) ? 1 : 0;
  };

  // Every reason for which `laid` covers `top`, in the order of the rules.
  const reasons = (rules, seat, laid, top) => {
    const [suit, under] = [laid[1], top[1]];
    const lower = height(top) - height(laid);
    const found = [];
    if (laid[0] === "8") found.push("an eight covers anything");
    if (laid[0] === top[0]) found.push("the same rank covers");
    if (suit === under && (lower === 1 || (rules.cover === "any_lower" && lower > 0))) {
      found.push(rules.cover === "any_lower" ? "a lower card of the suit covers" : "one lower of the suit covers");
    }
    if (suit === under && laid[0] === "6") found.push("a six covers any card of its suit");
    if (rules.trumps === "own" && suit === OWN[seat] && under !== suit) found.push(`${NAMES[suit]} are the trumps of seat ${seat}`);
    if (level(rules.trumps, suit) > level(rules.trumps, under)) {
      found.push(rules.trumps === "ranked" && level("ranked", under) ? "the senior trump beats the junior" : "a trump covers a plain suit");
    }
    return found;
  };

  const SEVEN = {
    skip: "the seven takes the turn (seven=skip)",
    draw_play: "the seven makes the next player draw a card, then play (seven=draw_play)",
    draw_skip: "the seven makes the next player draw a card and lose the turn (seven=draw_skip)",
    nothing: "a seven does nothing (seven=nothing)",
  };
  const STARTER = {
    nearest: "the holder of the nearest lower card of the opening card's suit begins, else of the nearest higher (first_move=nearest)",
    left: "the first holder of a lower card of the suit from the dealer's left begins (first_move=left)",
    dealer_left: "the player at the dealer's left begins (first_move=dealer_left)",
  };
  const CAPTURE = {
    failed: "a player who cannot cover leaves the bank to the owner of its top card",
    kings: "whoever covers four kings laid in one move takes the bank",
    trump_king: "going out with a trump king on top takes the bank",
    final: "what lies in the bank at the end goes to the owner of its top card (final_bank=last_cover)",
  };
  const PENALTY = {
    none: "nobody pays for cards in hand",
    hand: "cards in hand cost their points",
    hand_fixed: "cards in hand cost their points and a fixed sum",
    hand_per_card: "cards in hand cost their points and a sum for each",
    fixed: "cards in hand cost a fixed sum",
    per_card: "each card in hand costs a fixed sum",
  };

  const apply = {
    game: (s, e) => {
      Object.assign(s, { rules: e.rules, bots: e.bots, total: e.bots.map(() => 0) });
      const rules = Object.entries(e.rules).map(([name, value]) => `${name}=${value}`).join(", ");
      return { text: `Game ${e.index} of seed ${e.seed}.`, rule: rules };
    },
    round: (s, e) => {
      const none = e.hands.map(() => 0);
      Object.assign(s, {
        round: e.round, dealer: e.dealer, hands: e.hands.map((hand) => [...hand]), stock: e.stock.length, bank: [e.opening],
        top: e.opening, owner: s.rules.opening_card === "dealer" ? e.dealer : null, captured: [...none], places: [...none],
        score: null, actor: e.starter, fresh: [e.opening], laid: null,
      });
      return { text: `Round ${e.round}: seat ${e.dealer} deals, ${word(e.opening)} opens the bank, seat ${e.starter} begins.`, rule: STARTER[s.rules.first_move] };
    },
    skip: (s, e) => ({ text: `${seatName(e.seat)} loses the turn.`, rule: SEVEN[s.rules.seven] }),
    draw: (s, e) => {
      s.hands[e.seat].push(e.card);
      s.stock -= 1;
      s.fresh = [e.card];
      const why = {
        seven: SEVEN[s.rules.seven],
        turn: e.choice ? "a player may draw though he could lay (must_play=no)" : "a player without a move draws one card",
        extra: "a player who owes an extra move and has none draws one card (extra_move=draw)",
      };
      return { text: `${seatName(e.seat)} draws ${word(e.card)}.`, rule: why[e.why] };
    },
    lay: (s, e) => {
      const top = s.top;
      s.hands[e.seat] = s.hands[e.seat].filter((held) => !e.cards.includes(held));
      s.bank.push(...e.cards);
      s.top = e.cards.at(-1);
      s.owner = e.seat;
      s.fresh = e.cards;
      const first = reasons(s.rules, e.seat, e.cards[0], top);
      const why = {
        single: () => first.join("; also "),
        quad: () => "four of a rank go on anything",
        run: () => `four cards in a row, the first by: ${first.join("; also ")}`,
      };
      const kind = { single: "", quad: " (four of a rank)", run: " (a run)" }[e.kind];
      const extra = e.extra ? " as an extra move" : "";
      return { text: `${seatName(e.seat)} lays ${words(e.cards)}${kind}${extra} on ${word(top)}.`, rule: why[e.kind]() };
    },
    decline: (s, e) => ({ text: `${seatName(e.seat)} declines to lay.`, rule: "a player may give up a move (must_play=no)" }),
    fail: (s, e) => ({ text: `${seatName(e.seat)} fails to cover ${word(s.top)}.`, rule: s.stock ? "no card in hand covers, nor did the one drawn" : "no card in hand covers, and the stock is empty" }),
    capture: (s, e) => {
      const worth = points(e.cards);
      s.captured[e.seat] += worth;
      s.bank = [];
      s.fresh = [];
      const n = e.cards.length;
      return { text: `${seatName(e.seat)} takes the bank: ${n} ${n === 1 ? "card" : "cards"}, worth ${worth}.`, rule: CAPTURE[e.why] };
    },
    out: (s, e) => {
      s.places[e.seat] = e.place;
      const names = { out: "going out", king: "a king on top", quad: "a quad", run: "a run in one suit" };
      const parts = Object.entries(e.bonus).filter(([, sum]) => sum).map(([name, sum]) => `${names[name]} ${sum}`);
      return { text: `${seatName(e.seat)} is out as the ${ORDINAL[e.place] ?? e.place}.`, rule: `bonus: ${parts.join(" + ")}` };
    },
    round_end: (s, e) => {
      s.total = e.total;
      s.score = e;
      s.actor = null;
      s.fresh = [];
      const why = e.why === "blocked" ? "nobody left can lay a card" : "one player is left";
      return { text: `The round ends: ${why}.`, rule: `score = captured + bonus − penalty; ${PENALTY[s.rules.penalty]} (penalty=${s.rules.penalty})` };
    },
    game_end: (s, e) => {
      s.winner = e.winner;
      s.actor = e.winner;
      return e.capped
        ? { text: "Stopped undecided: no winner.", rule: `a game is stopped after ${s.rules.max_rounds} rounds (max_rounds)` }
        : { text: `Seat ${e.winner} wins with ${e.total[e.winner]} points.`, rule: `the highest total wins once somebody has ${s.rules.target} (target)` };
    },
  };

  const seatRow = (s, seat) => {
    const trumps = trumpsOf(s.rules.trumps, seat).map((suit) => SUITS[suit]).join("");
    const marks = [seat === s.dealer ? "deals" : "", s.places[seat] ? `out, ${ORDINAL[s.places[seat]]}` : "", seat === s.owner ? "owns the top card" : ""];
    const head = make("div", "who", make("b", "", seatName(seat)), ` ${s.bots[seat]}${trumps ? `, trumps ${trumps}` : ""}`, make("i", "", marks.filter(Boolean).join(", ")));
    const score = s.score
      ? `${s.score.captured[seat]} + ${s.score.bonus[seat]} − ${s.score.penalty[seat]} = ${s.score.score[seat]}`
      : `captured ${s.captured[seat]}`;
    const sums = make("div", "sums", score, make("b", "", `total ${s.total[seat]}`));
    const hand = [...s.hands[seat]].sort((a, b) => (a[1] === b[1] ? height(a) - height(b) : a[1].localeCompare(b[1])));
    return make("div", `seat${seat === s.actor ? " acting" : ""}`, head, cards(hand, new Set(s.fresh)), sums);
  };

  const show = (s) => {
    if (!s.round) return make("p", "", s.bots.map((bot, seat) => `${seatName(seat)}: ${bot}`).join(", "));
    const lying = s.bank.length ? cards(s.bank, new Set(s.fresh)) : make("span", "", "empty");
    const cover = s.bank.length ? [] : [make("span", "", " — to cover still: "), card(s.top)];
    const bank = make("div", "bank", make("div", "who", make("b", "", "Bank"), ` ${s.bank.length} cards worth ${points(s.bank)}; stock ${s.stock}`), lying, ...cover);
    return make("div", "bank-table", make("p", "part", `Round ${s.round}`), bank, ...s.hands.map((_, seat) => seatRow(s, seat)));
  };

  window.kozyrBoards.bank = {
    start: () => ({ total: [] }),
    apply: (state, event) => {
      if ("seat" in event && event.event !== "capture") state.actor = event.seat;
      return apply[event.event](state, event);
    },
    show,
  };
})();
