"use strict";
// Stepping through a game. What a board looks like, and what each event means, is told by the game's own script, which puts
// into kozyrBoards[game] an object with
//   start(first): the state before the first event,
//   apply(state, event): changes the state, and returns {text, rule}: what happened, and the rule that let or made it,
//   show(state, event): the board as an element.
// A game without one gets a board that lists what the events say.
(() => {
  const boards = window.kozyrBoards;
  const source = document.getElementById("games-data");
  if (!source) return;
  let unpacked = null;
  const games = () => (unpacked ??= window.kozyrUnpack(source.textContent).then(JSON.parse));
  const BEGINNINGS = new Set(["game", "session", "circle", "round", "deal", "gap", "game_end"]);

  const decode = (data, id) => data.games[id].map(([key, ...found]) => {
    const event = {};
    data.keys[key].forEach((name, i) => { event[name] = data.values[found[i]]; });
    return event;
  });

  const plain = {
    start: () => ({}),
    apply: (state, event) => {
      const facts = Object.entries(event).filter(([key]) => key !== "event");
      for (const [key, value] of facts) state[key] = value;
      return { text: [event.event.replaceAll("_", " "), ...facts.map(([key, value]) => `${key} ${JSON.stringify(value)}`)].join("; "), rule: "" };
    },
    show: (state) => {
      const list = document.createElement("dl");
      for (const [key, value] of Object.entries(state)) {
        const term = document.createElement("dt");
        const detail = document.createElement("dd");
        term.textContent = key;
        detail.textContent = typeof value === "string" ? value : JSON.stringify(value);
        list.append(term, detail);
      }
      return list;
    },
  };

  const gap = (state, event) => {
    if (event.total && "total" in state) state.total = event.total;
    return { text: `${event.left_out} events are left out here; the command above prints them all.`, rule: "" };
  };

  class Viewer {
    constructor(root, events) {
      this.root = root;
      this.events = events;
      this.board = boards[root.dataset.kind] ?? plain;
      this.marks = this.events.flatMap((event, i) => (BEGINNINGS.has(event.event) ? [i] : []));
      this.saved = new Map();
      this.build();
      this.go(Math.min(1, this.events.length - 1));
    }

    build() {
      const button = (label, sign, action) => {
        const made = document.createElement("button");
        made.type = "button";
        made.textContent = sign;
        made.setAttribute("aria-label", label);
        made.title = label;
        made.addEventListener("click", action);
        return made;
      };
      this.bar = document.createElement("div");
      this.bar.className = "bar";
      this.slider = document.createElement("input");
      Object.assign(this.slider, { type: "range", min: 0, max: this.events.length - 1, value: 0 });
      this.slider.setAttribute("aria-label", "Step");
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.count = document.createElement("output");
      this.bar.append(
        button("Part before", "«", () => this.part(-1)),
        button("Step back", "‹", () => this.go(this.at - 1)),
        button("Step", "›", () => this.go(this.at + 1)),
        button("Next part", "»", () => this.part(1)),
        this.slider,
        this.count,
      );
      this.said = document.createElement("div");
      this.said.className = "said";
      this.said.setAttribute("aria-live", "polite");
      this.table = document.createElement("div");
      this.table.className = "board";
      this.root.append(this.bar, this.said, this.table);
      this.root.tabIndex = 0;
      this.root.setAttribute("role", "group");
      this.root.addEventListener("keydown", (event) => this.key(event));
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const moves = {
        ArrowRight: () => this.go(this.at + 1),
        ArrowLeft: () => this.go(this.at - 1),
        ArrowDown: () => this.part(1),
        ArrowUp: () => this.part(-1),
        Home: () => this.go(0),
        End: () => this.go(this.events.length - 1),
      };
      if (!moves[event.key]) return;
      event.preventDefault();
      moves[event.key]();
    }

    part(by) {
      const next = by > 0 ? this.marks.find((mark) => mark > this.at) : this.marks.findLast((mark) => mark < this.at);
      this.go(next ?? (by > 0 ? this.events.length - 1 : 0));
    }

    // The state after event `at`, from the last saved one before it.
    state(at) {
      let from = Math.max(-1, ...[...this.saved.keys()].filter((key) => key <= at));
      let told = { text: "", rule: "" };
      let state = from >= 0 ? structuredClone(this.saved.get(from).state) : this.board.start(this.events[0]);
      if (from >= 0) told = this.saved.get(from).told;
      for (let i = from + 1; i <= at; i += 1) {
        const event = this.events[i];
        told = event.event === "gap" ? gap(state, event) : this.board.apply(state, event);
        if (BEGINNINGS.has(event.event)) this.saved.set(i, { state: structuredClone(state), told });
      }
      return { state, told };
    }

    go(to) {
      this.at = Math.max(0, Math.min(to, this.events.length - 1));
      const { state, told } = this.state(this.at);
      this.slider.value = this.at;
      this.count.textContent = `${this.at} / ${this.events.length - 1}`;
      const text = document.createElement("p");
      text.textContent = told.text;
      const rule = document.createElement("p");
      rule.className = "rule";
      rule.textContent = told.rule;
      this.said.replaceChildren(text, ...(told.rule ? [rule] : []));
      this.table.replaceChildren(this.board.show(state, this.events[this.at]));
    }
  }

  const begin = async (box) => {
    const root = box.querySelector(".viewer");
    if (!box.open || "begun" in root.dataset) return;
    root.dataset.begun = "";
    let data;
    try {
      data = await games();
    } catch {
      root.textContent = "This browser cannot unpack the game; the command above prints it.";
      return;
    }
    new Viewer(root, decode(data, root.dataset.game));
  };
  for (const box of document.querySelectorAll("details.game")) {
    box.addEventListener("toggle", () => begin(box));
    begin(box);
  }
})();
