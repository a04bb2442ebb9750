// The sentence explorer: a list that draws only the rows in sight, and the chosen sentence in full.

const ROW_HEIGHT = 60;
const MOST_ROWS = 250000; // browsers draw no element higher than this many rows

class Explorer {
  constructor(rows) {
    this.rows = rows;
    this.state = NOTHING;
    this.chosen = 0;
    this.list = document.getElementById("x-list");
    this.spacer = this.list.firstElementChild;
    this.listText = rows.texts.find((text) => text.order || text.marks) ?? rows.texts[0];
    this.controls = new Controls(rows, (asked) => this.apply({ ...this.state, ...asked, row: null }));
    this.sentence = new Sentence(rows, this.listText, (view) => this.look(view));
    this.list.addEventListener("scroll", () => this.draw(), { passive: true });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-at]");
      if (row) this.choose(Number(row.dataset.at));
    });
    new ResizeObserver(() => this.draw()).observe(this.list);
    document.getElementById("x-csv").addEventListener("click", () => this.save());
    startLinkButton(() => writeState(this.state));
    addEventListener("hashchange", () => this.visit());
    this.apply(readState(location.hash) ?? NOTHING, false);
  }

  visit() {
    const state = readState(location.hash);
    if (state && writeState(state) !== writeState(this.state)) this.apply(state, false);
  }

  apply(state, told = true) {
    this.state = state;
    this.controls.show(state);
    this.shown = this.rows.select(this.asked());
    const [part, all] = [this.shown.length, this.rows.size].map((n) => n.toLocaleString("en"));
    const cut = this.shown.length > MOST_ROWS ? `; the first ${MOST_ROWS.toLocaleString("en")} are listed` : "";
    document.getElementById("x-count").textContent = `${part} of ${all} rows${cut}`;
    this.spacer.style.height = `${Math.min(this.shown.length, MOST_ROWS) * ROW_HEIGHT}px`;
    this.list.scrollTop = 0;
    const at = state.row === null ? -1 : this.shown.indexOf(state.row);
    this.choose(Math.max(at, 0), false);
    if (told) this.tell();
  }

  // The state as the rows understand it; what they do not know is left out.
  asked() {
    const { query, is, in: within, sort, order, better } = this.state;
    const place = (columns, name) => columns.findIndex((column) => column.name === name);
    const { filters, scores, rivals } = this.rows;
    return {
      query,
      choices: Object.entries(is).flatMap(([name, value]) => {
        const k = place(filters, name);
        return k < 0 ? [] : [[k, filters[k].strings.indexOf(value) < 0 ? -2 : filters[k].strings.indexOf(value)]];
      }),
      ranges: Object.entries(within).flatMap(([name, [low, high]]) => {
        const k = place(scores, name);
        return k < 0 ? [] : [[k, Number.isFinite(low) ? low : -Infinity, Number.isFinite(high) ? high : Infinity]];
      }),
      rival: better && rivals !== null ? filters[rivals].strings.indexOf(better) : -1,
      score: place(scores, sort),
      down: order === "down",
    };
  }

  // The address follows, but not on every key that is held down.
  tell() {
    clearTimeout(this.later);
    this.later = setTimeout(() => setAddress(writeState(this.state)), 150);
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
    const listed = this.rows.filters.filter((filter) => filter.listed);
    const about = listed.map((filter) => this.rows.cell(filter, row)).filter((value) => value !== null);
    const line = element("p", { class: "line", lang: text.language, dir: "auto" });
    line.append(...(text.text === null ? ["–"] : textNodes(text)));
    const small = element("p", { class: "about" }, element("span", null, about.join(" · ")));
    const value = this.value(row);
    if (value !== null) small.append(element("b", null, value));
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

  // What the rows are sorted by.
  value(row) {
    const { score, rival } = this.asked();
    if (score < 0) return null;
    if (rival < 0) return number(this.rows.scores[score].values[row]);
    return `+${number(this.rows.ahead(score, rival)[row])}`;
  }

  choose(at, told = true) {
    this.chosen = Math.max(0, Math.min(at, this.shown.length - 1, MOST_ROWS - 1));
    const top = this.chosen * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.list.scrollTop = top + ROW_HEIGHT - clientHeight;
    this.draw();
    this.sentence.show(this.shown.length ? this.shown[this.chosen] : null, this.state.view);
    if (!told) return;
    this.state = { ...this.state, row: this.shown[this.chosen] ?? null };
    this.tell();
  }

  look(view) {
    this.state = { ...this.state, view, row: this.shown[this.chosen] ?? null };
    this.sentence.show(this.state.row, view);
    this.tell();
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW_HEIGHT) - 1);
    const last = this.shown.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(this.chosen + steps[event.key]);
  }

  save() {
    const { texts, scores, filters, item } = this.rows;
    const named = [...(item ? [{ ...item, label: "item" }] : []), ...filters, ...texts];
    const lines = [csvLine([...named.map((of) => of.label), ...scores.map((score) => score.full)])];
    for (const row of this.shown) {
      const numbers = scores.map((score) => (Number.isNaN(score.values[row]) ? null : score.values[row]));
      lines.push(csvLine([...named.map((of) => this.rows.cell(of, row)), ...numbers]));
    }
    save("sentences.csv", "text/csv;charset=utf-8", lines);
  }
}

function textNodes(of) {
  return of.marked ? markedNodes(of) : wordNodes(of);
}

function number(value) {
  return Number.isNaN(value) ? "–" : value.toFixed(3).replace("-", "−");
}

let explorer = null;

function startExplorer() {
  explorer ??= unpack("sentences-data").then((data) => {
    const rows = new Rows(data);
    const made = new Explorer(rows);
    (window.requestIdleCallback ?? setTimeout)(() => rows.prepare());
    return made;
  });
  return explorer;
}
