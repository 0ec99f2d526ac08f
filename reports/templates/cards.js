"use strict";
// What boards share: cards, seats, small elements.
window.kozyrBoards = {};
window.kozyrCards = (() => {
  const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
  const make = (tag, name, ...parts) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...parts);
    return made;
  };
  const rank = (card) => (card[0] === "T" ? "10" : card[0]);
  const word = (card) => `${rank(card)}${SUITS[card[1]]}`;
  const words = (cards) => cards.map(word).join(" ");
  const card = (name, marked = false) => {
    const red = name[1] === "d" || name[1] === "h";
    const made = make("span", `card${red ? " red" : ""}${marked ? " marked" : ""}`, make("b", "", rank(name)), SUITS[name[1]]);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", `${rank(name)} of ${NAMES[name[1]]}`);
    return made;
  };
  const cards = (list, marked = new Set()) => make("span", "cards", ...list.map((name) => card(name, marked.has(name))));
  return { SUITS, NAMES, make, rank, word, words, card, cards };
})();
