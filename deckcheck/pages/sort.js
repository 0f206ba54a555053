"use strict";
// Without scripts all tables are there; with them they sort.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = parseFloat(text.replace(/,/g, ""));
    return Number.isNaN(number) ? text : number;
  };
  heads.forEach((head, column) => {
    if (head.tagName !== "TH" || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("number");
      const was = head.getAttribute("aria-sort");
      const now = was ? (was === "ascending" ? "descending" : "ascending")
        : numeric ? "descending" : "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", now);
      const sign = now === "ascending" ? 1 : -1;
      const order = (a, b) => {
        const [x, y] = [key(a, column), key(b, column)];
        if (typeof x !== typeof y) return typeof x === "string" ? 1 : -1;
        return sign * (typeof x === "string" ? x.localeCompare(y) : x - y);
      };
      body.append(...[...body.rows].sort(order));
    });
  });
}
