// Figures of several panels as wide as the page: how many panels stand in a row, and how wide they are.

const GAP = 20; // between panels, unless a figure says otherwise
const NARROWEST = 0.6; // of the width that the figure asks for
const WIDEST = 1.7;
const READABLE = 0.85; // what a panel may lose so that one more stands in its row

// On a phone the entries of a legend stand under each other, or the last are cut off.
function narrowed(config, width) {
  return width < 480 ? { ...config, legend: { ...config.legend, columns: 1 } } : config;
}

// The panels of a figure: those of a wrapped facet may change rows, those of a column facet may not.
function panelsOf(spec) {
  const wrapped = spec.encoding?.facet ?? (spec.facet?.field ? spec.facet : null);
  const columns = spec.encoding?.facet?.columns ?? spec.columns;
  if (wrapped && columns) return { field: wrapped.field, columns, wraps: true };
  const column = spec.encoding?.column ?? spec.facet?.column;
  return column ? { field: column.field, columns: null, wraps: false } : null;
}

function distinct(spec, field) {
  const name = spec.data?.name ?? spec.spec?.data?.name;
  const rows = spec.data?.values ?? spec.datasets?.[name] ?? [];
  return new Set(rows.map((row) => row[field])).size;
}

function signalOf(view, name) {
  try {
    return view.signal(name);
  } catch {
    return undefined;
  }
}

// How many panels stand in a row when so many fit: full rows if that is not many rows more.
function inRow(count, fit) {
  for (let columns = fit; columns >= fit * NARROWEST; columns--) if (count % columns === 0) return columns;
  return Math.ceil(count / Math.ceil(count / fit));
}

// The same figure for a page of this width, or null when it fits as it was drawn.
function fitted(spec, view, total, width) {
  if (spec.hconcat) return fittedRow(spec, total, width);
  const panels = panelsOf(spec);
  const [wide, high] = ["child_width", "child_height"].map((name) => signalOf(view, name));
  if (!panels || !wide) return null;
  const count = distinct(spec, panels.field) || 1;
  const before = Math.min(panels.columns ?? count, count);
  const around = total - before * wide - (before - 1) * GAP;
  let columns = before;
  if (panels.wraps) {
    const most = Math.floor((width - around + GAP) / (wide * READABLE + GAP));
    columns = inRow(count, Math.max(1, Math.min(most, count)));
  }
  const room = Math.floor((width - around - (columns - 1) * GAP) / columns);
  const now = Math.min(room, Math.round(wide * WIDEST));
  if (now < wide * NARROWEST || (columns === before && Math.abs(now - wide) < 6)) return null;
  const made = structuredClone(spec);
  const inner = made.spec ?? made;
  const marks = (inner.layer ?? [inner]).map((part) => part.mark?.type ?? part.mark);
  if (marks.includes("rect")) inner.height = Math.round((high * now) / wide); // cells keep their shape
  inner.width = now;
  if (panels.wraps) {
    if (made.encoding?.facet) made.encoding.facet.columns = columns;
    else made.columns = columns;
    // Without this the axis of a row that is not full stands under nothing, and that of a long column out of sight.
    const far = columns === 1 && count > 1;
    if (far || (count % columns && count > columns)) made.resolve = { ...made.resolve, axis: { x: "independent", ...made.resolve?.axis } };
  }
  return made;
}

function fittedRow(spec, total, width) {
  const widths = spec.hconcat.map((part) => part.width);
  if (!widths.every((part) => typeof part === "number")) return null;
  const sum = widths.reduce((a, b) => a + b, 0);
  const share = Math.min((width - (total - sum)) / sum, WIDEST);
  const made = structuredClone(spec);
  if (share >= NARROWEST) {
    if (Math.abs(share - 1) < 0.03) return null;
    for (const part of made.hconcat) part.width = Math.floor(part.width * share);
    return made;
  }
  made.vconcat = made.hconcat;
  delete made.hconcat;
  return made;
}
