// A click on a bar, a point or a cell shows its sentences.

function hasSentences() {
  return document.getElementById("sentences") !== null;
}

function clickable(config) {
  return hasSentences() ? { ...config, mark: { ...config.mark, cursor: "pointer" } } : config;
}

// A figure may say that its points are single samples, whose scores then tell them apart, or by `range` which
// score its bars are about and which fields are their ends: { score, low, high }.
async function pick(datum, meta) {
  if (!datum) return;
  const { rows } = await startExplorer();
  const state = { ...NOTHING, is: {}, in: {} };
  for (const [field, value] of Object.entries(datum)) {
    const name = rows.fields[field] ?? field;
    const filter = rows.filters.find((of) => of.name === name);
    const score = rows.scores.find((of) => of.name === field);
    if (filter?.strings.includes(String(value))) state.is[name] = String(value);
    else if (meta?.samples && score && typeof value === "number") state.in[field] = [value - 5e-5, value + 5e-5];
  }
  const range = meta?.range;
  if (range && rows.scores.some((of) => of.name === range.score)) {
    state.in[range.score] = [datum[range.low], datum[range.high]];
    state.sort = range.score;
  }
  if (Object.keys(state.is).length || Object.keys(state.in).length) location.hash = writeState(state);
}
