// What the explorer shows, as a part of the page's address: a link brings back exactly this.

const PLACE = "#sentences";
const NOTHING = { query: "", is: {}, in: {}, sort: "", order: "", better: "", view: "", row: null };

function readState(hash) {
  if (!hash.startsWith(`${PLACE}&`)) return null;
  const state = { ...NOTHING, is: {}, in: {} };
  for (const [key, value] of new URLSearchParams(hash.slice(PLACE.length + 1))) {
    const [kind, name] = [key.slice(0, 3), key.slice(3)];
    if (kind === "is.") state.is[name] = value;
    else if (kind === "in.") state.in[name] = value.split("..").map((part) => (part === "" ? NaN : Number(part)));
    else if (key === "row") state.row = Number(value);
    else if (key in NOTHING) state[key] = value;
  }
  return state;
}

function writeState(state) {
  const found = new URLSearchParams();
  for (const key of ["query", "sort", "order", "better", "view"]) if (state[key]) found.set(key, state[key]);
  for (const [name, value] of Object.entries(state.is)) found.set(`is.${name}`, value);
  for (const [name, range] of Object.entries(state.in)) found.set(`in.${name}`, range.map((end) => (Number.isFinite(end) ? end : "")).join(".."));
  if (state.row !== null) found.set("row", String(state.row));
  const text = found.toString();
  return text ? `${PLACE}&${text}` : PLACE;
}

// The page's address; a page within a page may not change its own.
function setAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    return false;
  }
  return true;
}
