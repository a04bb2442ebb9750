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
    const linked = { words: data.words.map(column), orders: data.orders.map(column), languages: data.languages.map(column) };
    this.texts = data.texts.map((text) => ({
      ...column(text),
      group: text.words,
      words: linked.words[text.words] ?? null,
      order: linked.orders[text.order] ?? null,
      language: linked.languages[text.language] ?? null,
    }));
    this.filters = data.filters.map(column);
    this.scores = data.scores.map((score) => ({
      label: score.label,
      values: Float64Array.from(score.values, (value) => value ?? NaN),
    }));
    this.sorted = new Map();
    this.found = { query: "", flags: null };
  }

  cell(of, row) {
    const code = of ? of.codes[row] : -1;
    return code < 0 ? null : of.strings[code];
  }

  text(of, row) {
    const text = this.cell(of, row);
    const words = this.cell(of.words, row);
    const order = this.cell(of.order, row);
    return {
      label: of.label,
      text,
      group: of.group,
      language: this.cell(of.language, row),
      words: words === null ? null : words.split("\x1f"),
      order: order === null ? null : order.split(" ").map(Number),
    };
  }

  // All rows from the lowest score to the highest, and how many have one; the rest stand at the end.
  ranking(score) {
    if (!this.sorted.has(score)) {
      const { values } = this.scores[score];
      const none = [];
      let count = 0;
      const rows = new Uint32Array(this.size);
      for (let row = 0; row < this.size; row++) {
        if (Number.isNaN(values[row])) none.push(row);
        else rows[count++] = row;
      }
      rows.subarray(0, count).sort((a, b) => values[a] - values[b] || a - b);
      rows.set(none, count);
      this.sorted.set(score, { rows, count });
    }
    return this.sorted.get(score);
  }

  // For each text column, which of its strings hold the query; a longer query looks only there.
  search(query) {
    const wanted = query.trim().toLowerCase();
    if (!wanted) return (this.found = { query: "", flags: null }).flags;
    const columns = [...this.texts, ...this.filters];
    const narrower = this.found.flags && wanted.startsWith(this.found.query);
    const flags = columns.map((of, k) => {
      of.lower ??= of.strings.map((string) => string.toLowerCase());
      const before = narrower ? this.found.flags[k] : null;
      const now = new Uint8Array(of.lower.length);
      for (let i = 0; i < now.length; i++)
        if ((!before || before[i]) && of.lower[i].includes(wanted)) now[i] = 1;
      return now;
    });
    this.found = { query: wanted, flags };
    return flags;
  }

  // The rows to show: { query, choices: code or -1 per filter, score: number or -1, down }.
  select({ query, choices, score, down }) {
    const flags = this.search(query);
    const searched = [...this.texts, ...this.filters].map((of) => of.codes);
    const asked = choices.map((code, k) => [this.filters[k].codes, code]).filter(([, code]) => code >= 0);
    const ranking = score < 0 ? null : this.ranking(score);
    const chosen = new Uint32Array(this.size);
    let count = 0;
    for (let i = 0; i < this.size; i++) {
      const row = ranking ? ranking.rows[down && i < ranking.count ? ranking.count - 1 - i : i] : i;
      if (asked.some(([codes, code]) => codes[row] !== code)) continue;
      if (flags && !flags.some((flag, k) => searched[k][row] >= 0 && flag[searched[k][row]])) continue;
      chosen[count++] = row;
    }
    return chosen.subarray(0, count);
  }
}
