// What is on the page: kept in the address, with every step to undo.

const DEPTH = 200;

// variant: null, { order }, { name, draw } or { text }.
export const EMPTY = { pair: "", text: "", reference: "", variant: null, off: [] };

export function write(state, tongue) {
  const made = new URLSearchParams();
  made.set("l", state.pair);
  made.set("s", state.text);
  if (state.reference) made.set("r", state.reference);
  const { variant } = state;
  if (variant?.order) made.set("o", variant.order.join("."));
  if (variant?.name) made.set("p", variant.name);
  if (variant?.draw) made.set("d", variant.draw);
  if (variant?.text !== undefined) made.set("v", variant.text);
  for (const system of state.off) made.append("x", system);
  if (tongue) made.set("u", tongue);
  return `#${made}`;
}

// The state that an address holds, or null where it holds none.
export function read(hash) {
  const found = new URLSearchParams(hash.slice(1));
  if (!found.get("s")) return null;
  let variant = null;
  if (found.has("o")) variant = { order: found.get("o").split(".").map(Number) };
  else if (found.has("p")) variant = { name: found.get("p"), draw: Number(found.get("d") ?? 0) };
  else if (found.has("v")) variant = { text: found.get("v") };
  return {
    pair: found.get("l") ?? "",
    text: found.get("s"),
    reference: found.get("r") ?? "",
    variant,
    off: found.getAll("x"),
  };
}

export function tongueOf(hash) {
  return new URLSearchParams(hash.slice(1)).get("u");
}

export class History {
  constructor(first) {
    this.steps = [first];
    this.at = 0;
  }

  get now() {
    return this.steps[this.at];
  }

  // The same state again is no step.
  add(state) {
    if (JSON.stringify(state) === JSON.stringify(this.now)) return;
    this.steps = [...this.steps.slice(0, this.at + 1), state].slice(-DEPTH);
    this.at = this.steps.length - 1;
  }

  go(by) {
    const to = this.at + by;
    if (to < 0 || to >= this.steps.length) return null;
    this.at = to;
    return this.now;
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.steps.length - 1;
  }
}
