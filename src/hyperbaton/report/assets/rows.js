// The rows of the explorer as columns: what is asked of them is a loop over small integers.

function codesOf(steps) {
  const codes = new Int32Array(steps.length);
  let code = 0;
  for (let i = 0; i < steps.length; i++) codes[i] = code += steps[i];
  return codes;
}

function column(encoded) {
  return { name: encoded.name, label: encoded.label, strings: encoded.strings, codes: codesOf(encoded.steps) };
}

class Rows {
  constructor(data) {
    this.size = data.size;
    const roles = ["words", "orders", "languages", "marks", "labels"];
    const linked = Object.fromEntries(roles.map((role) => [role, data[role].map(column)]));
    this.texts = data.texts.map((text) => ({
      ...column(text),
      group: text.words,
      words: linked.words[text.words] ?? null,
      order: linked.orders[text.order] ?? null,
      language: linked.languages[text.language] ?? null,
      marks: linked.marks[text.marks] ?? null,
      labels: linked.labels[text.labels] ?? null,
    }));
    this.filters = data.filters.map((filter) => ({ ...column(filter), listed: filter.listed }));
    this.scores = data.scores.map(({ name, label, metric, values }) => ({
      name,
      label,
      metric,
      full: metric ? `${label} (${metric})` : label,
      values: Float64Array.from(values, (value) => value ?? NaN),
    }));
    this.fields = data.fields;
    this.item = data.item ? column(data.item) : null;
    this.sentence = data.sentence ? codesOf(data.sentence) : null;
    this.along = data.sentence ? data.along : [];
    this.rivals = data.sentence ? data.rivals : null;
    this.lead = data.lead;
    const pair = data.compared?.map((number) => this.texts[number]) ?? [];
    this.compared = pair.length && !pair.some((of) => of.marks) ? pair : null; // marks say more
    this.sorted = new Map();
    this.leads = new Map();
  }

  cell(of, row) {
    const code = of ? of.codes[row] : -1;
    return code < 0 ? null : of.strings[code];
  }

  text(of, row) {
    const text = this.cell(of, row);
    const words = this.cell(of.words, row);
    const order = this.cell(of.order, row);
    const marks = this.cell(of.marks, row);
    const labels = this.cell(of.labels, row);
    return {
      label: of.label,
      text,
      group: of.group,
      language: this.cell(of.language, row),
      words: words === null ? null : words.split("\x1f"),
      order: order === null ? null : order.split(" ").map(Number),
      marked: of.marks !== null,
      marks: marks ? marks.split(" ").map(Number) : [],
      labels: labels === null ? null : labels.split("\x1f"),
    };
  }

  // All rows from the lowest value to the highest, and how many have one; the rest stand at the end.
  ranking(name, values) {
    if (!this.sorted.has(name)) this.sorted.set(name, ranked(values));
    return this.sorted.get(name);
  }

  // The rows of the same sentence that differ from a row along one filter only.
  siblings(row, along) {
    const others = this.along.filter((k) => k !== along).map((k) => this.filters[k].codes);
    const found = [];
    for (let each = 0; each < this.size; each++)
      if (this.sentence[each] === this.sentence[row] && others.every((codes) => codes[each] === codes[row])) found.push(each);
    const { codes } = this.filters[along];
    return found.sort((a, b) => codes[a] - codes[b] || a - b);
  }

  // How far each row is ahead of the same sample of a rival; NaN where the rival has none.
  ahead(score, rival) {
    const name = `${score} ${rival}`;
    if (!this.leads.has(name)) this.leads.set(name, leadOver(this, score, rival));
    return this.leads.get(name);
  }

  // So that the first search is as quick as the next.
  prepare() {
    for (const of of this.searched()) of.index ??= searchIndex(of.strings);
  }

  searched() {
    return [...this.texts, ...this.filters, ...(this.item ? [this.item] : [])];
  }

  // 1 for each row that holds every word of the query somewhere; null for no query.
  search(query) {
    const words = queryWords(query).sort((a, b) => b.length - a.length); // the rarest first
    if (!words.length) return null;
    this.prepare();
    let kept = new Uint8Array(this.size).fill(1);
    let left = this.size;
    for (const word of words) {
      const found = rowsHolding(this.searched(), word, kept, left);
      if (this.item && word.startsWith("#")) {
        const code = this.item.strings.findIndex((id) => fold(id) === word.slice(1));
        if (code >= 0) this.item.codes.forEach((of, row) => (found[row] |= kept[row] && of === code));
      }
      kept = found;
      left = kept.reduce((sum, one) => sum + one, 0);
    }
    return kept;
  }

  // The rows to show: { query, choices: [[filter, code]], ranges: [[score, low, high]], rival: code or -1,
  // score: number or -1, down }. With a rival, only rows that are better, by how far they are ahead.
  select({ query, choices, ranges, rival, score, down }) {
    const keep = this.search(query) ?? new Uint8Array(this.size).fill(1);
    for (const [k, code] of choices) {
      const { codes } = this.filters[k];
      for (let row = 0; row < keep.length; row++) if (codes[row] !== code) keep[row] = 0;
    }
    for (const [k, low, high] of ranges) {
      const { values } = this.scores[k];
      for (let row = 0; row < keep.length; row++) if (!(values[row] >= low && values[row] <= high)) keep[row] = 0;
    }
    const ahead = rival >= 0 && score >= 0 ? this.ahead(score, rival) : null;
    if (ahead) for (let row = 0; row < keep.length; row++) if (!(ahead[row] > 0)) keep[row] = 0;
    const name = ahead ? `${score} ${rival}` : String(score);
    const ranking = score < 0 ? null : this.ranking(name, ahead ?? this.scores[score].values);
    const chosen = new Uint32Array(this.size);
    let count = 0;
    for (let i = 0; i < this.size; i++) {
      const row = ranking ? ranking.rows[down && i < ranking.count ? ranking.count - 1 - i : i] : i;
      if (keep[row]) chosen[count++] = row;
    }
    return chosen.subarray(0, count);
  }
}

// Samples of a rival by sentence and by what else they differ in; draws are met one after another.
function leadOver(rows, score, rival) {
  const { values } = rows.scores[score];
  const systems = rows.filters[rows.rivals].codes;
  const others = rows.along.filter((k) => k !== rows.rivals).map((k) => rows.filters[k].codes);
  const cell = (row) => others.reduce((key, codes) => `${key} ${codes[row]}`, String(rows.sentence[row]));
  const theirs = new Map();
  for (let row = 0; row < rows.size; row++) {
    if (systems[row] !== rival) continue;
    const key = cell(row);
    if (theirs.has(key)) theirs.get(key).push(values[row]);
    else theirs.set(key, [values[row]]);
  }
  const met = new Map();
  return Float64Array.from(values, (value, row) => {
    if (systems[row] === rival) return NaN;
    const key = cell(row);
    const mine = `${systems[row]} ${key}`;
    const draw = met.get(mine) ?? 0;
    met.set(mine, draw + 1);
    return value - (theirs.get(key)?.[draw] ?? NaN);
  });
}

// Scores have four decimals: score and row fit into one number, and numbers sort ten times as fast
// as rows that are compared.
function ranked(values) {
  const size = values.length;
  const keys = new Float64Array(size);
  const none = [];
  let count = 0;
  for (let row = 0; row < size; row++) {
    if (Number.isNaN(values[row])) none.push(row);
    else keys[count++] = Math.round(values[row] * 1e4) * size + row;
  }
  const sorted = keys.subarray(0, count).sort();
  const rows = new Uint32Array(size);
  for (let i = 0; i < count; i++) rows[i] = ((sorted[i] % size) + size) % size;
  rows.set(none, count);
  return { rows, count };
}
