"use strict";
// Without scripts nothing is missing: these show the same figures in other ways.
const made = (tag, properties, ...inner) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inner);
  return element;
};
// What is wider than the screen says so.
const hint = (wide) => {
  const line = made("p", { className: "hint" });
  wide.after(line);
  return line;
};
for (const wide of document.querySelectorAll(".wide")) {
  const line = hint(wide);
  const look = () => {
    const more = wide.scrollWidth > wide.clientWidth + 1;
    line.hidden = !more;
    line.textContent = more ? "This table goes on to the right: scroll it sideways." : "";
  };
  new ResizeObserver(look).observe(wide);
  look();
}
// Rows of one deck; matchups are shown from its side.
for (const table of document.querySelectorAll("table[data-filter]")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const show = (isShown) => body.replaceChildren(...rows.filter(isShown));
  const isOther = (row) => row.hasAttribute("data-other");
  const decks = [...new Set(rows.map((row) => row.dataset.deck))];
  const choice = made("select", {}, made("option", { value: "" }, "all decks"));
  for (const deck of decks.sort((a, b) => a.localeCompare(b))) {
    choice.append(made("option", { value: deck }, deck));
  }
  choice.addEventListener("change", () => {
    show((row) => choice.value ? row.dataset.deck === choice.value : !isOther(row));
  });
  show((row) => !isOther(row));
  for (const row of rows) row.hidden = false;
  table.closest(".wide").before(
    made("p", { className: "filter" }, made("label", {}, "Show ", choice)));
}
// The interval of a cell, by touch and by keyboard: arrows move from cell to cell.
for (const table of document.querySelectorAll("table.heatmap")) {
  const said = hint(table.closest(".wide"));
  said.setAttribute("aria-live", "polite");
  said.textContent = "Choose a cell for its interval; arrow keys move.";
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1));
  const heads = [...table.tHead.rows[0].cells].slice(1);
  let current = null;
  const choose = (r, c) => {
    const cell = rows[r]?.[c];
    if (!cell) return;
    if (current) current.tabIndex = -1;
    current = cell;
    cell.tabIndex = 0;
    cell.focus();
    const name = (head) => head.lastChild.textContent.trim();
    const row = rows[r][0].parentElement.cells[0];
    said.textContent = `${name(row)} against ${name(heads[c])}: ${cell.title || "not played"}`;
  };
  rows.forEach((row, r) => row.forEach((cell, c) => {
    cell.tabIndex = -1;
    cell.addEventListener("click", () => choose(r, c));
    cell.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1],
        ArrowRight: [0, 1] }[event.key];
      if (step) { event.preventDefault(); choose(r + step[0], c + step[1]); }
    });
  }));
  const first = rows.flat().find((cell) => cell.classList.contains("cell"));
  if (first) { first.tabIndex = 0; current = first; }
}
// The best decks against a field of one's own, from the cells of the matrix.
const square = document.querySelector("table.heatmap.square");
const bring = document.querySelector("section[id$='bring']");
if (square && bring) {
  const rows = [...square.tBodies[0].rows];
  const names = rows.map((row) => row.cells[0].lastChild.textContent.trim());
  const rates = rows.map((row) => [...row.cells].slice(1)
    .map((cell) => cell.dataset.rate === undefined ? 0.5 : Number(cell.dataset.rate)));
  const weights = names.map(() => 5);
  const best = made("ol", {});
  const rank = () => {
    const all = weights.reduce((a, b) => a + b, 0) || 1;
    const expected = rates.map((row, i) =>
      [row.reduce((sum, rate, j) => sum + rate * weights[j], 0) / all, names[i]]);
    expected.sort((a, b) => b[0] - a[0]);
    best.replaceChildren(...expected.slice(0, 5).map(([rate, name]) =>
      made("li", {}, `${name}: ${(100 * rate).toFixed(1)}%`)));
  };
  const sliders = names.map((name, i) => {
    const shown = made("output", {}, "5");
    const slider = made("input", { type: "range", min: 0, max: 10, value: 5 });
    slider.addEventListener("input", () => {
      weights[i] = Number(slider.value);
      shown.textContent = slider.value;
      rank();
    });
    return made("label", {}, name, slider, shown);
  });
  rank();
  bring.append(made("fieldset", { className: "field" },
    made("legend", {}, "The field that you expect, and what does best against it"),
    made("div", { className: "weights" }, ...sliders), best));
}
// All of it on paper.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
