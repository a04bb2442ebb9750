// The sentence explorer: a list that draws only the rows in sight, and the chosen sentence in full.

const ROW_HEIGHT = 60;
const MOST_ROWS = 250000; // browsers draw no element higher than this many rows

class Explorer {
  constructor(rows) {
    this.rows = rows;
    this.chosen = 0;
    this.list = document.getElementById("x-list");
    this.spacer = this.list.firstElementChild;
    this.sentence = document.getElementById("x-sentence");
    this.listText = rows.texts.find((text) => text.order || text.marks) ?? rows.texts[0];
    this.controls();
    this.list.addEventListener("scroll", () => this.draw(), { passive: true });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-at]");
      if (row) this.choose(Number(row.dataset.at));
    });
    new ResizeObserver(() => this.draw()).observe(this.list);
    linkWords(this.sentence);
    document.getElementById("x-key").hidden = !rows.texts.some((text) => text.words && !text.marks);
    this.scales = rows.scores.map((score) => scaleOf(score.values));
    this.apply();
  }

  controls() {
    const { rows } = this;
    const update = () => this.apply();
    this.search = document.getElementById("x-search");
    this.sort = document.getElementById("x-sort");
    this.direction = document.getElementById("x-direction");
    this.filters = rows.filters.map((filter) => filterSelect(filter));
    document.getElementById("x-filters").append(...this.filters.map((select) => select.parentElement));
    this.sort.append(new Option("run order", "-1"));
    rows.scores.forEach((score, k) => this.sort.append(new Option(score.label, String(k))));
    this.search.addEventListener("input", update);
    for (const select of [this.sort, this.direction, ...this.filters]) select.addEventListener("change", update);
    for (const control of [this.search, this.sort, this.direction]) control.disabled = false;
    this.search.form.addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("x-reset").addEventListener("click", () => {
      this.search.form.reset();
      this.apply();
    });
    document.getElementById("x-csv").addEventListener("click", () => this.save());
  }

  apply() {
    this.shown = this.rows.select({
      query: this.search.value,
      choices: this.filters.map((select) => Number(select.value)),
      score: Number(this.sort.value),
      down: this.direction.value === "down",
    });
    const [part, all] = [this.shown.length, this.rows.size].map((n) => n.toLocaleString("en"));
    const cut = this.shown.length > MOST_ROWS ? `; the first ${MOST_ROWS.toLocaleString("en")} are listed` : "";
    document.getElementById("x-count").textContent = `${part} of ${all} rows${cut}`;
    this.spacer.style.height = `${Math.min(this.shown.length, MOST_ROWS) * ROW_HEIGHT}px`;
    this.list.scrollTop = 0;
    this.choose(0);
  }

  draw() {
    const first = Math.max(Math.floor(this.list.scrollTop / ROW_HEIGHT) - 3, 0);
    const last = Math.min(first + Math.ceil(this.list.clientHeight / ROW_HEIGHT) + 6, this.shown.length, MOST_ROWS);
    const drawn = [];
    for (let at = first; at < last; at++) drawn.push(this.row(at));
    this.spacer.replaceChildren(...drawn);
    const current = document.getElementById(`x-row-${this.chosen}`);
    if (current) this.list.setAttribute("aria-activedescendant", current.id);
    else this.list.removeAttribute("aria-activedescendant");
  }

  row(at) {
    const row = this.shown[at];
    const text = this.rows.text(this.listText, row);
    const about = this.rows.filters.map((filter) => this.rows.cell(filter, row)).filter((value) => value !== null);
    const score = Number(this.sort.value);
    const line = element("p", { class: "line", lang: text.language, dir: "auto" });
    line.append(...(text.text === null ? ["–"] : textNodes(text)));
    const small = element("p", { class: "about" }, element("span", null, about.join(" · ")));
    if (score >= 0) small.append(element("b", null, number(this.rows.scores[score].values[row])));
    const made = element(
      "div",
      {
        class: "row",
        role: "option",
        id: `x-row-${at}`,
        "data-at": at,
        "aria-selected": at === this.chosen,
        "aria-posinset": at + 1,
        "aria-setsize": this.shown.length,
      },
      line,
      small,
    );
    made.style.top = `${at * ROW_HEIGHT}px`;
    return made;
  }

  choose(at) {
    this.chosen = Math.max(0, Math.min(at, this.shown.length - 1, MOST_ROWS - 1));
    const top = this.chosen * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.list.scrollTop = top + ROW_HEIGHT - clientHeight;
    this.draw();
    this.show();
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW_HEIGHT) - 1);
    const last = this.shown.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(this.chosen + steps[event.key]);
  }

  show() {
    if (!this.shown.length) {
      this.sentence.replaceChildren(element("p", { class: "empty" }, "No row is left: loosen a filter or the search."));
      return;
    }
    const row = this.shown[this.chosen];
    const chips = this.rows.filters.map((filter) => [filter.label, this.rows.cell(filter, row)]);
    const about = element("dl", { class: "chips" });
    for (const [label, value] of chips)
      if (value !== null) about.append(element("div", null, element("dt", null, label), element("dd", null, value)));
    this.sentence.replaceChildren(about, ...this.rows.texts.flatMap((of) => this.block(this.rows.text(of, row))), this.scoreList(row));
    alignCrossings(this.sentence);
  }

  block(of) {
    const { label, text, order, group, language } = of;
    if (text === null) return [];
    const nodes = textNodes(of);
    const body = element("p", { class: "text", lang: language, dir: "auto" });
    body.append(...nodes);
    const made = element("section", { class: "block" }, element("h4", null, label), body);
    const moved = order && nodes.some((node) => node.dataset) && order.some((old, place) => old !== place);
    if (moved) body.before(crossings(order, group));
    return [made];
  }

  scoreList(row) {
    const table = element("div", { class: "scores", role: "table", "aria-label": "Scores" });
    this.rows.scores.forEach((score, k) => {
      const value = score.values[row];
      const bar = element("span", { class: "track", "aria-hidden": "true" });
      if (!Number.isNaN(value)) bar.append(barOf(value, this.scales[k]));
      table.append(
        element("div", { role: "row" }, element("span", { role: "rowheader" }, score.label), bar, element("b", { role: "cell" }, number(value))),
      );
    });
    return table;
  }

  save() {
    const { texts, scores, filters } = this.rows;
    const lines = [csvLine([...filters, ...texts, ...scores].map((of) => of.label))];
    for (const row of this.shown) {
      const named = [...filters, ...texts].map((of) => this.rows.cell(of, row));
      lines.push(csvLine([...named, ...scores.map((score) => (Number.isNaN(score.values[row]) ? null : score.values[row]))]));
    }
    save("sentences.csv", "text/csv;charset=utf-8", lines);
  }
}

function textNodes(of) {
  return of.marked ? markedNodes(of) : wordNodes(of);
}

function filterSelect(filter) {
  const counts = new Uint32Array(filter.strings.length);
  for (const code of filter.codes) if (code >= 0) counts[code]++;
  const select = element("select", null, new Option("all", "-1"));
  filter.strings.forEach((name, code) => select.append(new Option(`${name} (${counts[code].toLocaleString("en")})`, String(code))));
  element("label", null, filter.label, select);
  return select;
}

function scaleOf(values) {
  let [low, high] = [0, 1];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low < 0 && low >= -1 && high <= 1 ? [-1, 1] : [low, high];
}

function barOf(value, [low, high]) {
  const at = (x) => (100 * (x - low)) / (high - low || 1);
  const bar = element("span", { class: value < 0 ? "fill minus" : "fill" });
  bar.style.left = `${at(Math.min(value, 0))}%`;
  bar.style.width = `${Math.abs(at(value) - at(0))}%`;
  return bar;
}

function number(value) {
  return Number.isNaN(value) ? "–" : value.toFixed(3).replace("-", "−");
}

async function startExplorer() {
  const place = document.getElementById("x-list");
  if (!place) return;
  const data = await unpack("sentences-data");
  const rows = new Rows(data);
  new Explorer(rows);
  (window.requestIdleCallback ?? setTimeout)(() => rows.prepare());
}
