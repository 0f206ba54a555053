// A large matrix: a picture, and the row that is chosen as a table.
for (const block of document.querySelectorAll(".matrix")) {
  const {names, columns, rates} = JSON.parse(block.querySelector("script").textContent);
  const others = columns.length ? columns : names;
  const of = (row, column) => {
    if (columns.length) return rates[row * columns.length + column];
    if (row === column) return 0;
    const [a, b] = row < column ? [row, column] : [column, row];
    const at = rates[a * names.length - a * (a + 1) / 2 + b - a - 1];
    if (!at || row < column) return at;
    return [1000 - at[0], 1000 - at[2], 1000 - at[1], at[3]];
  };
  const shown = rate => (rate / 10).toFixed(1);
  const words = ([rate, low, high]) => `${shown(rate)}% (${shown(low)} to ${shown(high)})`;

  const canvas = block.querySelector("canvas");
  const probe = document.createElement("span");
  block.append(probe);
  const colors = new Map();
  const color = rate => {
    const depth = Math.round(0.124 * Math.abs(rate - 500));
    const key = `${rate >= 500 ? "wins" : "loses"} ${depth}`;
    if (!colors.has(key)) {
      probe.className = rate >= 500 ? "wins" : "loses";
      probe.style.setProperty("--depth", `${depth}%`);
      colors.set(key, getComputedStyle(probe).backgroundColor);
    }
    return colors.get(key);
  };
  const paint = canvas.getContext("2d");
  for (let row = 0; row < names.length; row++) {
    for (let column = 0; column < others.length; column++) {
      const rate = of(row, column);
      if (!rate) continue;
      paint.fillStyle = color(rate[0]);
      paint.fillRect(column, row, 1, 1);
    }
  }
  probe.remove();

  const select = block.querySelector("select");
  names.forEach((name, row) => select.append(new Option(name, row)));
  const body = block.querySelector("tbody");
  const show = row => {
    select.value = row;
    block.querySelector("caption span").textContent = `Win rate in % of ${names[row]}`;
    for (const head of block.querySelectorAll("[aria-sort]")) head.removeAttribute("aria-sort");
    const lines = [];
    others.forEach((name, column) => {
      const rate = of(row, column);
      if (!rate) return;
      const line = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.className = "name";
      head.textContent = name;
      line.append(head);
      const [value, low, high, games] = rate;
      const texts = [shown(value), `${shown(low)} to ${shown(high)}`, games.toLocaleString("en")];
      for (const text of texts) {
        const cell = document.createElement("td");
        cell.className = "number";
        cell.textContent = text;
        line.append(cell);
      }
      lines.push([value, line]);
    });
    lines.sort((a, b) => b[0] - a[0]);
    body.replaceChildren(...lines.map(([, line]) => line));
  };
  select.addEventListener("change", () => show(Number(select.value)));
  const place = event => {
    const box = canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / box.height * names.length);
    const column = Math.floor((event.clientX - box.left) / box.width * others.length);
    return [Math.min(row, names.length - 1), Math.min(column, others.length - 1)];
  };
  canvas.addEventListener("click", event => show(place(event)[0]));
  canvas.addEventListener("mousemove", event => {
    const [row, column] = place(event);
    const rate = of(row, column);
    canvas.title = `${names[row]} against ${others[column]}: ${rate ? words(rate) : "not played"}`;
  });
  show(0);
}
