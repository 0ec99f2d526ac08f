"use strict";
// Square on the table: the two squares, the hands, the discards; and which rule let a card be laid.
(() => {
  const { make, rank, word, card, cards } = window.kozyrCards;
  const GRIDS = { natural: ["A", "2", "3", "4", "5", "6", "7", "8", "9"], magic: ["4", "9", "2", "3", "5", "7", "8", "A", "6"] };
  const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [6, 4, 2]];
  const ORDER = "A23456789TJQK";
  const COLOUR = { c: "black", s: "black", d: "red", h: "red" };
  const sideOf = (seat) => seat % 2;
  const seatName = (seat) => `Seat ${seat}`;
  const sideName = (s, side) => (s.bots.length === 2 ? seatName(side) : `Seats ${side} and ${side + 2}`);
  const points = (n) => `${n} ${n === 1 ? "point" : "points"}`;

  // The lines of a square that count, each with its points and why.
  const counted = (s, side) => {
    const grid = GRIDS[s.rules.layout];
    return LINES.flatMap((line) => {
      const places = line.map((at) => grid[at]);
      const tops = places.map((place) => s.squares[side][place]?.at(-1));
      if (tops.some((top) => !top || !top.open)) return [];
      const suits = new Set(tops.map((top) => top.card[1]));
      if (suits.size === 1) return [{ places, sum: s.rules.suit_points, why: "one suit" }];
      if (new Set([...suits].map((suit) => COLOUR[suit])).size === 1) return [{ places, sum: s.rules.colour_points, why: "one colour" }];
      return [];
    });
  };
  const worth = (s, side) => counted(s, side).reduce((sum, line) => sum + line.sum, 0);

  const layRule = (s, e) => {
    const whose = e.to === "own" ? "the own square" : "the opponents' square (gifts=yes)";
    if (e.to === "discard") return "any card may be discarded; it is out of play";
    if (e.card[0] === "T") return "a ten goes on any free place of the own square";
    if (e.card[0] === "J") return `a jack is laid closed on any open card of ${whose}: the place becomes free`;
    if (e.card[0] === "Q") return "a queen is laid closed on any open card of the own square: the place becomes free";
    if (e.card[0] === "K") return "a king goes on any place of the own square, free or not";
    return `a number card goes on the place of its rank, if free, in ${whose}`;
  };

  const apply = {
    game: (s, e) => {
      Object.assign(s, { rules: e.rules, bots: e.bots, total: [0, 0] });
      const rules = Object.entries(e.rules).map(([name, value]) => `${name}=${value}`).join(", ");
      return { text: `Game ${e.index} of seed ${e.seed}.`, rule: rules };
    },
    deal: (s, e) => {
      Object.assign(s, {
        deal: e.deal, dealer: e.dealer, hands: e.hands.map((hand) => [...hand]), pack: e.pack.length, squares: [{}, {}], discards: [],
        fresh: null, place: null, score: null, actor: e.first,
      });
      const rule = s.rules.first === "dealer" ? "the dealer begins (first=dealer)" : "the dealer's left neighbour begins (first=left)";
      return { text: `Deal ${e.deal}: seat ${e.dealer} deals, seat ${e.first} begins.`, rule };
    },
    ask: (s, e) => ({
      text: `${seatName(e.seat)} asks to end; the partner ${e.answer ? "agrees" : "refuses"}.`,
      rule: e.answer ? "with the partner's consent the deal is ended (consult=veto)" : "who was refused cannot ask again in this deal (consult=veto)",
    }),
    draw: (s, e) => {
      s.hands[e.seat].push(e.card);
      s.pack -= 1;
      Object.assign(s, { fresh: e.card, place: null });
      const when = s.rules.draw === "before" ? "a card is drawn at the start of a turn (draw=before)" : "a card is drawn at the end of a turn (draw=after)";
      return { text: `${seatName(e.seat)} draws ${word(e.card)}.`, rule: s.pack ? when : `${when}; the pack is empty: the deal ends with this turn` };
    },
    play: (s, e) => {
      s.hands[e.seat] = s.hands[e.seat].filter((held) => held !== e.card);
      s.fresh = e.card;
      const rule = layRule(s, e);
      if (e.to === "discard") {
        s.discards.push(e.card);
        s.place = null;
        return { text: `${seatName(e.seat)} discards ${word(e.card)}.`, rule };
      }
      const side = e.to === "own" ? sideOf(e.seat) : 1 - sideOf(e.seat);
      const before = worth(s, side);
      (s.squares[side][e.place] ??= []).push({ card: e.card, open: !"JQ".includes(e.card[0]) });
      s.place = `${side}${e.place}`;
      const change = worth(s, side) - before;
      const told = change ? ` It is worth ${points(Math.abs(change))} ${change > 0 ? "more" : "less"} now.` : "";
      const square = e.to === "own" ? "the own square" : "the opponents' square";
      return { text: `${seatName(e.seat)} lays ${word(e.card)} on place ${e.place} of ${square}.${told}`, rule };
    },
    end: (s, e) => ({ text: `${seatName(e.seat)} ends the deal.`, rule: `an own square worth ${s.rules.end_at} or more lets a player end (end_at)` }),
    deal_end: (s, e) => {
      Object.assign(s, { total: e.total, score: e, actor: null, fresh: null, place: null });
      const price = `worth + what is above ${s.rules.end_at}${s.rules.excess === "double" ? ", counted once more" : ", counted once only"} − ${s.rules.end_cost} for ending`;
      return e.why === "ended"
        ? { text: "The deal is over: it was ended.", rule: `the side that ended scores its ${price}; the other its worth` }
        : { text: "The deal is over: the pack ran out.", rule: `each side scores its worth (exhaust_excess=${s.rules.exhaust_excess})` };
    },
    game_end: (s, e) => {
      if (e.capped) return { text: "Stopped undecided: no winner.", rule: `a match is stopped after ${s.rules.max_deals} deals (max_deals)` };
      const rule = s.rules.match === "target" ? `the first side with ${s.rules.target} points wins (target)` : `the higher total after ${s.rules.deals} deals wins (deals)`;
      return { text: e.winner === null ? "A draw." : `${sideName(s, e.winner)} win${s.bots.length === 2 ? "s" : ""} with ${points(e.total[e.winner])}.`, rule };
    },
  };

  const placeBox = (s, side, place, scoring) => {
    const pile = s.squares[side][place] ?? [];
    const top = pile.at(-1);
    const marked = s.place === `${side}${place}`;
    const box = make("span", "");
    Object.assign(box.style, {
      display: "flex", alignItems: "center", justifyContent: "center", minWidth: "3.1rem", minHeight: "2.5rem", position: "relative",
      border: "1px solid var(--faint)", borderRadius: "4px", background: scoring ? "var(--mark)" : "",
    });
    if (!top) box.append(make("span", "", rank(place)));
    else if (top.open) box.append(card(top.card, marked));
    else {
      const back = make("span", `card${marked ? " marked" : ""}`, "▒");
      back.setAttribute("role", "img");
      back.setAttribute("aria-label", `closed card on place ${place}`);
      box.append(back);
    }
    if (!top) {
      box.style.color = "var(--soft)";
      box.setAttribute("aria-label", `place ${place}, empty`);
    }
    return box;
  };

  const squareOf = (s, side) => {
    const lines = counted(s, side);
    const grid = make("div", "", ...GRIDS[s.rules.layout].map((place) => placeBox(s, side, place, lines.some((line) => line.places.includes(place)))));
    Object.assign(grid.style, { display: "grid", gridTemplateColumns: "repeat(3, max-content)", gap: ".25rem", margin: ".35rem 0" });
    const said = lines.map((line) => `${line.places.map(rank).join("-")} ${line.why} ${line.sum}`).join(", ");
    const sums = make("div", "sums", `worth ${worth(s, side)}${said ? `: ${said}` : ""}`, make("b", "", `total ${s.total[side]}`));
    if (s.score) sums.append(make("b", "", `score ${s.score.score[side]}`));
    const box = make("div", "", make("div", "who", make("b", "", sideName(s, side))), grid, sums);
    box.style.flex = "1 1 12rem";
    return box;
  };

  const handOf = (s, seat) => {
    const hand = [...s.hands[seat]].sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]) || a[1].localeCompare(b[1]));
    const head = make("div", "who", make("b", "", seatName(seat)), ` ${s.bots[seat]}`, make("i", "", seat === s.dealer ? "deals" : ""));
    return make("div", `seat${seat === s.actor ? " acting" : ""}`, head, cards(hand, new Set([s.fresh])));
  };

  const show = (s) => {
    if (!s.deal) return make("p", "", s.bots.map((bot, seat) => `${seatName(seat)}: ${bot}`).join(", "));
    const squares = make("div", "bank", squareOf(s, 0), squareOf(s, 1));
    Object.assign(squares.style, { display: "flex", flexWrap: "wrap", gap: ".5rem 1.5rem" });
    const heap = make("div", "seat", make("div", "who", make("b", "", "Discards"), ` ${s.discards.length}; pack ${s.pack}`), cards(s.discards, new Set([s.fresh])));
    return make("div", "square-table", make("p", "part", `Deal ${s.deal}`), squares, ...s.hands.map((_, seat) => handOf(s, seat)), heap);
  };

  window.kozyrBoards.square = {
    start: () => ({ total: [0, 0] }),
    apply: (state, event) => {
      if ("seat" in event) state.actor = event.seat;
      return apply[event.event](state, event);
    },
    show,
  };
})();
