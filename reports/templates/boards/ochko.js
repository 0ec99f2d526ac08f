"use strict";
// Ochko on the table: the bank, the banker's hand, the punters' hands and stakes; and which rule settles a hand.
(() => {
  const { make, word, words, card, cards } = window.kozyrCards;
  const PICTURES = { J: 2, Q: 3, K: 4, T: 10 };
  const seatName = (seat) => `Seat ${seat}`;
  const units = (n) => `${n} ${Math.abs(n) === 1 ? "unit" : "units"}`;

  // The total of a hand, as the rules of the game count it.
  const total = (rules, hand) => {
    const aces = hand.filter((name) => name[0] === "A").length;
    if (rules.two_aces === "twenty_one" && hand.length === 2 && aces === 2) return 21;
    const rest = hand.filter((name) => name[0] !== "A").reduce((sum, name) => sum + (PICTURES[name[0]] ?? Number(name[0])), 0);
    const low = rest + aces * (rules.ace === "eleven" ? 11 : 1);
    return rules.ace === "either" && aces && low <= 11 ? low + 10 : low;
  };

  const WHY = {
    twenty_one: () => "21 with seen cards wins the stake at once",
    bust: () => "above 21 a punter shows his cards and pays his stake into the bank",
    hidden_bust: (r) => `a concealed bust is always found out and costs ${r.hidden_bust} stakes (hidden_bust)`,
    blind_bust: () => "bust through the blind card: the stake is lost once, never double",
    both_bust: (r) => (r.both_bust === "push" ? "both are bust: the stake goes back (both_bust=push)" : "both are bust: the banker wins (both_bust=banker)"),
    banker_bust: () => "the banker is bust: the punter wins his stake",
    higher: () => "the higher total wins",
    lower: () => "the higher total wins",
    tie: (r) => (r.tie === "push" ? "equal totals: the stake goes back (tie=push)" : "equal totals go to the banker (tie=banker)"),
  };
  const END = {
    broken: () => "a bank that is empty after a hand is broken: the session ends at once",
    stuk: () => "after the stuk circle the banker takes the bank",
    capped: (r) => `a session is stopped after ${r.max_circles} circles (max_circles), or with a bank of 10⁹ or more`,
  };

  const apply = {
    game: (s, e) => {
      Object.assign(s, { rules: e.rules, bots: e.bots, total: e.bots.map(() => 0) });
      const rules = Object.entries(e.rules).map(([name, value]) => `${name}=${value}`).join(", ");
      return { text: `Game ${e.index} of seed ${e.seed}.`, rule: rules };
    },
    session: (s, e) => {
      Object.assign(s, { banker: e.banker, bank: e.bank, circle: 0, hands: {}, stakes: {}, done: {}, marker: null, pack: 0, actor: e.banker });
      return { text: `${seatName(e.banker)} banks and puts ${units(e.bank)} into the bank.`, rule: "every seat is the banker in turn" };
    },
    circle: (s, e) => {
      Object.assign(s, {
        circle: e.circle, stuk: e.stuk, hands: Object.fromEntries(e.deal.map(([seat, dealt]) => [seat, [dealt]])), stakes: {}, done: {},
        marker: e.marker, pack: e.pack.length, fresh: e.deal.map(([, dealt]) => dealt), actor: null,
      });
      const rule = s.rules.stuk ? `the stuk is called when the bank holds ${s.rules.stuk * s.rules.bank} or more at the end of a circle (stuk)` : "the stuk is never called (stuk=0)";
      return { text: `Circle ${e.circle}${e.stuk ? ", the stuk circle" : ""}: the whole pack is shuffled and a card dealt to each.`, rule };
    },
    stake: (s, e) => {
      s.stakes[e.seat] = e.stake;
      s.fresh = [];
      return { text: `${seatName(e.seat)} goes for ${e.stake} of ${e.bank}.`, rule: "a stake is 1 or more, and no more than the bank holds" };
    },
    draw: (s, e) => {
      s.hands[e.seat].push(e.card);
      s.pack -= 1;
      s.fresh = [e.card];
      const now = total(s.rules, s.hands[e.seat]);
      const rule = e.blind ? "a punter below 21 may draw a last card unseen (blind=yes)" : e.role === "banker" ? "the banker sees his own cards and how many the punter has" : "a punter must take at least one card";
      return { text: `${seatName(e.seat)} draws ${word(e.card)}${e.blind ? " unseen" : ""}: ${now}.`, rule };
    },
    first: (s, e) => {
      s.hands[s.banker] = [e.card];
      s.pack -= 1;
      s.fresh = [e.card];
      s.actor = s.banker;
      return { text: `The banker's new first card is ${word(e.card)}.`, rule: "after a hand that came to him the banker plays a fresh one (duel=each)" };
    },
    stop: (s, e) => {
      const now = total(s.rules, s.hands[e.seat]);
      if (e.conceals) return { text: `${seatName(e.seat)} stands with ${now} and conceals the bust.`, rule: "who conceals a bust goes to the showdown as if he stood" };
      return { text: `${seatName(e.seat)} stops with ${now}.`, rule: s.pack ? "" : "where no card is left, a player must stop" };
    },
    reshuffle: (s, e) => {
      s.pack = e.pack.length;
      return { text: `The played cards are shuffled: ${words(e.pack)}.`, rule: "when a card is needed and the pack is empty, the played cards become the pack" };
    },
    settle: (s, e) => {
      s.bank = e.bank;
      s.done[e.seat] = e.gain;
      s.fresh = [];
      s.total[e.seat] += e.gain;
      const what = e.gain > 0 ? `wins ${units(e.gain)}` : e.gain < 0 ? `pays ${units(-e.gain)}` : "neither wins nor pays";
      const against = e.banker === null ? "" : ` against ${e.banker}`;
      return { text: `${seatName(e.seat)} ${what} with ${e.punter}${against}; the bank holds ${e.bank}.`, rule: WHY[e.why](s.rules) };
    },
    session_end: (s, e) => {
      Object.assign(s, { total: [...e.net], actor: s.banker, bank: 0 });
      return { text: `The session is over: the banker takes ${units(e.bank)}.`, rule: END[e.why](s.rules) };
    },
    game_end: (s, e) => {
      s.total = [...e.total];
      return { text: `Net gains by seat: ${e.total.join(", ")}.`, rule: e.capped ? "a game is capped if a session was" : "every seat has banked" };
    },
  };

  const seatRow = (s, seat) => {
    const banks = seat === s.banker;
    const hand = s.hands[seat] ?? [];
    const parts = [banks ? "banks" : "", s.stakes[seat] ? `stake ${s.stakes[seat]}` : "", seat in s.done ? `${s.done[seat] > 0 ? "+" : ""}${s.done[seat]}` : ""];
    const head = make("div", "who", make("b", "", seatName(seat)), ` ${s.bots[seat]}`, make("i", "", parts.filter(Boolean).join(", ")));
    const sums = make("div", "sums", hand.length ? `total ${total(s.rules, hand)}` : "", make("b", "", `net ${s.total[seat]}`));
    return make("div", `seat${seat === s.actor ? " acting" : ""}`, head, cards(hand, new Set(s.fresh)), sums);
  };

  const show = (s) => {
    if (s.banker === undefined) return make("p", "", s.bots.map((bot, seat) => `${seatName(seat)}: ${bot}`).join(", "));
    const marker = s.marker ? [make("span", "", " marker "), card(s.marker)] : [];
    const bank = make("div", "bank", make("div", "who", make("b", "", `Bank ${s.bank}`), ` pack ${s.pack}`), ...marker);
    const order = s.bots.map((_, k) => (s.banker + 1 + k) % s.bots.length);
    const title = s.circle ? `Circle ${s.circle}${s.stuk ? " (stuk)" : ""}` : `${seatName(s.banker)} banks`;
    return make("div", "ochko-table", make("p", "part", title), bank, ...order.map((seat) => seatRow(s, seat)));
  };

  window.kozyrBoards.ochko = {
    start: () => ({ total: [] }),
    apply: (state, event) => {
      if ("seat" in event) state.actor = event.seat;
      return apply[event.event](state, event);
    },
    show,
  };
})();
