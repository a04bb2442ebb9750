// The rows of the explorer as columns: what is asked of them is a loop over small integers.

function codesOf(steps) {
  const codes = new Int32Array(steps.length);
  let code = 0;
  for (let i = 0; i < steps.length; i++) codes[i] = code += steps[i];
  return codes;
}

function column(encoded) {
  return { label: encoded.label, strings: encoded.strings, codes: codesOf(encoded.steps) };
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
    this.filters = data.filters.map(column);
    this.scores = data.scores.map((score) => ({
      label: score.label,
      values: Float64Array.from(score.values, (value) => value ?? NaN),
    }));
    this.sorted = new Map();
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

  // All rows from the lowest score to the highest, and how many have one; the rest stand at the end.
  ranking(score) {
    if (!this.sorted.has(score)) this.sorted.set(score, ranked(this.scores[score].values));
    return this.sorted.get(score);
  }

  // 1 for each row that holds the query in a text or in a filter's value; null for no query.
  search(query) {
    const wanted = query.trim().toLowerCase();
    if (!wanted) return null;
    const found = new Uint8Array(this.size);
    for (const of of [...this.texts, ...this.filters]) {
      of.index ??= searchIndex(of.strings);
      const flags = holding(of.index, wanted);
      const { codes } = of;
      if (flags) for (let row = 0; row < found.length; row++) if (flags[codes[row]]) found[row] = 1;
    }
    return found;
  }

  // So that the first search is as quick as the next.
  prepare() {
    for (const of of [...this.texts, ...this.filters]) of.index ??= searchIndex(of.strings);
  }

  // The rows to show: { query, choices: code or -1 per filter, score: number or -1, down }.
  select({ query, choices, score, down }) {
    const keep = this.search(query) ?? new Uint8Array(this.size).fill(1);
    choices.forEach((code, k) => {
      const { codes } = this.filters[k];
      if (code >= 0) for (let row = 0; row < keep.length; row++) if (codes[row] !== code) keep[row] = 0;
    });
    const ranking = score < 0 ? null : this.ranking(score);
    const chosen = new Uint32Array(this.size);
    let count = 0;
    for (let i = 0; i < this.size; i++) {
      const row = ranking ? ranking.rows[down && i < ranking.count ? ranking.count - 1 - i : i] : i;
      if (keep[row]) chosen[count++] = row;
    }
    return chosen.subarray(0, count);
  }
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

// All strings as one, which is searched faster than many, and where each of them ends.
function searchIndex(strings) {
  const lower = strings.map((string) => string.toLowerCase());
  const ends = new Uint32Array(lower.length);
  let at = 0;
  for (let i = 0; i < lower.length; i++) {
    at += lower[i].length + 1;
    ends[i] = at;
  }
  return { text: lower.join("\n"), ends };
}

// 1 for each string that holds the query; null when none does.
function holding({ text, ends }, query) {
  let at = text.indexOf(query);
  if (at < 0) return null;
  const flags = new Uint8Array(ends.length);
  for (let i = 0; at >= 0; at = text.indexOf(query, ends[i])) {
    while (ends[i] <= at) i++;
    flags[i] = 1;
  }
  return flags;
}
