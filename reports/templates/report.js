"use strict";
// Sorting, copying and hints. But for long folded tables and games the page reads whole without any of it.
// What is packed is deflated text (RFC 1950) in base 64.
window.kozyrUnpack = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
};
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // --- long tables: unpacked when they are opened
  const fill = async (body) => {
    const packed = body.dataset.packed;
    delete body.dataset.packed;
    try {
      body.innerHTML = await window.kozyrUnpack(packed);
      hint(body);
    } catch {
      body.insertRow().insertCell().textContent = "This browser cannot unpack the table; the command below prints its numbers.";
    }
  };
  for (const fold of all("details.fold")) {
    const open = () => { if (fold.open) all("tbody[data-packed]", fold).forEach(fill); };
    fold.addEventListener("toggle", open);
    open();
  }

  // --- sorting: numbers by their exact value, blanks last
  const value = (cell) => cell.dataset.value ?? cell.textContent.trim();
  const compare = (a, b) => {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : a.localeCompare(b, "en", { numeric: true });
  };
  const sort = (table, column, falling) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const blank = (row) => value(row.cells[column]) === "";
    rows.sort((a, b) => blank(a) - blank(b) || (falling ? -1 : 1) * compare(value(a.cells[column]), value(b.cells[column])));
    body.append(...rows);
  };
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = "↕";
      button.setAttribute("aria-label", `Sort by ${head.innerText.replace(/\s+/g, " ").trim()}`);
      button.addEventListener("click", () => {
        const falling = head.getAttribute("aria-sort") === "ascending" || (head.classList.contains("number") && !head.hasAttribute("aria-sort"));
        for (const other of all("thead th", table)) {
          other.removeAttribute("aria-sort");
          other.querySelector(".sort").textContent = "↕";
        }
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        button.textContent = falling ? "↓" : "↑";
        sort(table, column, falling);
      });
      head.append(button);
      head.addEventListener("click", (event) => {
        if (!event.target.closest("a, button")) button.click();
      });
    });
  }

  // --- copying
  const told = (button, text) => {
    const before = button.textContent;
    button.textContent = text;
    setTimeout(() => { button.textContent = before; }, 1500);
  };
  const copy = async (text, button) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    told(button, "Copied");
  };
  const asText = (table) => {
    const heads = all("thead th", table).map((head) => head.innerText.replace(/[↕↑↓]/g, "").replace(/\s+/g, " ").trim());
    const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => value(cell).replace(/\s+/g, " ")));
    return [heads, ...rows].map((row) => row.join("\t")).join("\n");
  };
  for (const button of all(".copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button.parentElement.querySelector("code").textContent, button));
  }
  for (const button of all(".copy-table")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(asText(button.closest(".table").querySelector("table")), button));
  }

  // --- a metric's formula: on hover, on focus, on the first tap
  const tip = document.getElementById("tip");
  let owner = null;
  const hide = () => {
    tip.hidden = true;
    owner?.removeAttribute("aria-describedby");
    owner = null;
  };
  const show = (link) => {
    const entry = document.getElementById(link.hash.slice(1));
    if (!entry) return;
    tip.replaceChildren(...[...entry.querySelector("dd").childNodes].map((node) => node.cloneNode(true)));
    tip.hidden = false;
    owner = link;
    link.setAttribute("aria-describedby", "tip");
    const at = link.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const below = at.bottom + 6 + size.height < innerHeight;
    tip.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - size.width - 8))}px`;
    tip.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - size.height - 6)}px`;
  };
  const hint = (root) => all("a.metric", root).forEach((link) => {
    link.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") show(link); });
    link.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
    link.addEventListener("focus", () => show(link));
    link.addEventListener("blur", hide);
    link.addEventListener("click", (event) => {
      if (matchMedia("(hover: none)").matches) {
        event.preventDefault();
        show(link);
      } else {
        document.querySelector("#metrics details").open = true;
      }
    });
  });
  hint(document);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", () => { if (owner) show(owner); }, { passive: true, capture: true });

  // --- a page on paper shows what a page on a screen folds away, but for games and long tables
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details.fold:not([open])").filter((one) => !one.querySelector("tbody[data-packed], tr:nth-child(60)"));
    opened.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    target?.closest?.("details")?.setAttribute("open", "");
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
