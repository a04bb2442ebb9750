// The chosen sentence: one sample of it in full, or all of its samples along a filter.

class Sentence {
  constructor(rows, listText, look) {
    this.rows = rows;
    this.listText = listText;
    this.look = look;
    this.place = document.getElementById("x-sentence");
    this.scales = rows.scores.map((score) => scaleOf(score.values));
    linkWords(this.place);
    new ResizeObserver(() => alignCrossings(this.place)).observe(this.place);
    document.getElementById("x-key").hidden = !rows.texts.some((text) => text.words && !text.marks);
    document.getElementById("x-diff").hidden = !rows.compared;
  }

  show(row, view) {
    this.place.scrollTop = 0;
    if (row === null) {
      this.place.replaceChildren(element("p", { class: "empty" }, "No row is left: loosen a filter or the search."));
      return;
    }
    const along = this.rows.along.find((k) => this.rows.filters[k].name === view);
    const body = along === undefined ? this.sample(row) : this.together(row, along);
    this.place.replaceChildren(...this.views(view), ...body);
    alignCrossings(this.place);
  }

  // One sample, or all that differ along a filter.
  views(view) {
    const { along, filters } = this.rows;
    const kinds = along.filter((k) => filters[k].strings.length > 1);
    if (!kinds.length) return [];
    const group = element("div", { class: "views", role: "group", "aria-label": "What is shown of the sentence" });
    for (const [name, label] of [["", "this sample"], ...kinds.map((k) => [filters[k].name, `every ${filters[k].label}`])]) {
      const button = element("button", { type: "button", "aria-pressed": String(name === view), "data-view": name }, label);
      button.addEventListener("click", () => {
        this.look(name);
        this.place.querySelector(`[data-view="${CSS.escape(name)}"]`)?.focus();
      });
      group.append(button);
    }
    return [group];
  }

  sample(row) {
    const chips = this.rows.filters.filter((filter) => filter.listed).map((filter) => [filter.label, this.rows.cell(filter, row)]);
    const nodes = this.nodes(row);
    const blocks = this.rows.texts.flatMap((of) => this.block(of, row, nodes.get(of)));
    return [this.about([...this.named(row), ...chips]), ...blocks, this.scoreTable(row)];
  }

  named(row) {
    return this.rows.item ? [["item", this.rows.cell(this.rows.item, row)]] : [];
  }

  // What all samples share once, then each with what is its own.
  together(row, along) {
    const { filters, texts, compared } = this.rows;
    const rows = this.rows.siblings(row, along);
    const same = (of) => rows.every((each) => of.codes[each] === of.codes[row]);
    const shared = filters.filter((filter) => filter.listed && filter !== filters[along] && same(filter));
    const last = (compared ?? texts).at(-1); // what each gave for this, though they be the same
    const own = [...new Set([this.listText, ...(compared ?? texts)])].filter((of) => of === last || !same(of));
    return [
      this.about([...this.named(row), ...shared.map((filter) => [filter.label, this.rows.cell(filter, row)])]),
      ...texts.filter((of) => same(of) && !own.includes(of)).flatMap((of) => this.block(of, row)),
      ...rows.map((each) => this.member(each, row, filters[along], [own, shared])),
    ];
  }

  member(row, chosen, along, [own, shared]) {
    const { filters, scores } = this.rows;
    const nodes = this.nodes(row);
    const about = filters.filter((filter) => filter.listed && filter !== along && !shared.includes(filter));
    const told = about.map((filter) => this.rows.cell(filter, row)).filter((value) => value !== null);
    const lead = scores.filter((score) => score.metric === scores[0].metric);
    const values = lead.map((score) => `${score.label} ${number(score.values[row])}`);
    return element(
      "section",
      { class: row === chosen ? "member chosen" : "member" },
      element("h4", null, element("b", null, this.rows.cell(along, row) ?? "–"), ` ${told.join(" · ")}`),
      ...own.flatMap((of) => this.block(of, row, nodes.get(of), false)),
      element("p", { class: "values" }, values.join("  ")),
    );
  }

  about(pairs) {
    const list = element("dl", { class: "chips" });
    for (const [label, value] of pairs)
      if (value !== null) list.append(element("div", null, element("dt", { title: termOf(label) }, label), element("dd", { title: termOf(value) }, value)));
    return list;
  }

  // The two texts that are compared, word by word.
  nodes(row) {
    const pair = this.rows.compared?.map((of) => this.rows.text(of, row));
    if (!pair || pair.some(({ text }) => text === null)) return new Map();
    const made = diffNodes(...pair);
    return new Map(this.rows.compared.map((of, k) => [of, made[k]]));
  }

  block(column, row, made, lines = true) {
    const of = this.rows.text(column, row);
    const { label, text, order, group, language } = of;
    if (text === null) return [];
    const nodes = made ?? textNodes(of);
    const body = element("p", { class: "text", lang: language, dir: "auto" });
    body.append(...nodes);
    const block = element("section", { class: "block" }, element("h4", { title: termOf(label) }, label), body);
    const moved = lines && order && nodes.some((node) => node.dataset) && order.some((old, place) => old !== place);
    if (moved) body.before(crossings(order, group));
    return [block];
  }

  scoreTable(row) {
    const { scores } = this.rows;
    const metrics = [...new Set(scores.map((score) => score.metric))];
    const labels = [...new Set(scores.map((score) => score.label))];
    const head = metrics.length > 1 ? [element("tr", null, element("td"), ...metrics.map((metric) => element("th", { scope: "col" }, metric)))] : [];
    const lines = labels.map((label) => {
      const line = element("tr", null, element("th", { scope: "row", title: termOf(label) }, label));
      for (const metric of metrics) {
        const k = scores.findIndex((score) => score.label === label && score.metric === metric);
        line.append(k < 0 ? element("td") : this.scoreCell(row, k));
      }
      return line;
    });
    return element("table", { class: "scores", "aria-label": "Scores" }, ...head, ...lines);
  }

  scoreCell(row, k) {
    const value = this.rows.scores[k].values[row];
    const bar = element("span", { class: "track", "aria-hidden": "true" });
    if (!Number.isNaN(value)) bar.append(barOf(value, this.scales[k]));
    return element("td", null, element("div", null, bar, element("b", null, number(value))));
  }
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
