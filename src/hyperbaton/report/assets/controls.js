// The controls of the explorer: each shows a part of the state, and changes it.

class Controls {
  constructor(rows, change) {
    this.rows = rows;
    this.search = document.getElementById("x-search");
    this.sort = document.getElementById("x-sort");
    this.direction = document.getElementById("x-direction");
    this.better = document.getElementById("x-better");
    this.ranges = document.getElementById("x-ranges");
    this.chips = {};
    const listed = rows.filters.filter((filter) => filter.listed);
    this.filters = listed.map((filter) => [filter, filterSelect(filter)]);
    document.getElementById("x-filters").append(...this.filters.map(([, select]) => select.parentElement));
    this.sort.append(new Option("run order", ""));
    for (const score of rows.scores) this.sort.append(new Option(score.full, score.name));
    if (rows.rivals !== null && rows.filters[rows.rivals].strings.length > 1) {
      this.better.append(new Option("–", ""), ...rows.filters[rows.rivals].strings.map((name) => new Option(name, name)));
      document.getElementById("x-rivals").hidden = false;
    }
    this.change = () => change(this.read());
    this.search.addEventListener("input", this.change);
    this.better.addEventListener("change", () => {
      if (this.better.value && !this.sort.value) this.sort.value = rows.scores[rows.lead ?? 0].name;
      if (this.better.value) this.direction.value = "down";
      this.change();
    });
    for (const select of [this.sort, this.direction, ...this.filters.map(([, select]) => select)]) select.addEventListener("change", this.change);
    for (const control of [this.search, this.sort, this.direction]) control.disabled = false;
    this.search.form.addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("x-reset").addEventListener("click", () => change(NOTHING));
  }

  read() {
    const is = { ...this.chips.is };
    for (const [filter, select] of this.filters) if (select.value !== "-1") is[filter.name] = filter.strings[Number(select.value)];
    return {
      query: this.search.value,
      is,
      in: { ...this.chips.in },
      sort: this.sort.value,
      order: this.direction.value === "down" ? "down" : "",
      better: this.better.value,
    };
  }

  show(state) {
    if (this.search.value !== state.query) this.search.value = state.query;
    this.sort.value = state.sort;
    this.direction.value = state.order === "down" ? "down" : "up";
    this.better.value = state.better;
    const hidden = { ...state.is };
    for (const [filter, select] of this.filters) {
      select.value = String(filter.strings.indexOf(state.is[filter.name]));
      delete hidden[filter.name];
    }
    this.chips = { is: hidden, in: { ...state.in } };
    const said = [
      ...Object.entries(hidden).map(([name, value]) => ["is", name, `${this.labelOf(name)} ${value}`]),
      ...Object.entries(state.in).map(([name, range]) => ["in", name, `${this.labelOf(name)} ${rangeText(range)}`]),
    ];
    this.ranges.replaceChildren(...said.map(([kind, name, text]) => this.chip(kind, name, text)));
  }

  labelOf(name) {
    return [...this.rows.filters, ...this.rows.scores].find((of) => of.name === name)?.label ?? name;
  }

  chip(kind, name, text) {
    const button = element("button", { type: "button", class: "chip", "aria-label": `Remove: ${text}` }, `${text} ×`);
    button.addEventListener("click", () => {
      delete this.chips[kind][name];
      this.change();
    });
    return button;
  }
}

function rangeText([low, high]) {
  const [from, to] = [low, high].map((end) => (Number.isFinite(end) ? number(end) : null));
  return from === to ? `= ${from}` : from === null ? `≤ ${to}` : to === null ? `≥ ${from}` : `${from} to ${to}`;
}

function filterSelect(filter) {
  const counts = new Uint32Array(filter.strings.length);
  for (const code of filter.codes) if (code >= 0) counts[code]++;
  const select = element("select", null, new Option("all", "-1"));
  const codes = filter.strings.map((_, code) => code);
  if (filter.strings.every((name) => /^\d/.test(name))) codes.sort((a, b) => collator.compare(filter.strings[a], filter.strings[b]));
  for (const code of codes) select.append(new Option(`${filter.strings[code]} (${counts[code].toLocaleString("en")})`, String(code)));
  element("label", null, filter.label, select);
  return select;
}
