// Words in the colour of the place they came from.

const RAMP = [[94, 60, 153], [54, 118, 186], [24, 156, 148], [110, 181, 75], [230, 172, 22]];

function placeColour(place, size) {
  const at = size > 1 ? (place / (size - 1)) * (RAMP.length - 1) : 0;
  const left = Math.min(Math.floor(at), RAMP.length - 2);
  const mix = RAMP[left].map((v, k) => Math.round(v + (RAMP[left + 1][k] - v) * (at - left)));
  return `rgb(${mix.join(" ")})`;
}

// Where the words stand in the text that they make; null when they do not make it.
function wordSpans(words, text) {
  const spans = [];
  let at = 0;
  for (const word of words) {
    while (at < text.length && !text.startsWith(word, at) && /\s/.test(text[at])) at++;
    if (!word || !text.startsWith(word, at)) return null;
    spans.push([at, at + word.length]);
    at += word.length;
  }
  return text.slice(at).trim() ? null : spans;
}

function isOrder(order, size) {
  if (order.length !== size) return false;
  const seen = new Set(order);
  return seen.size === size && order.every((i) => Number.isInteger(i) && i >= 0 && i < size);
}

// A text as nodes: { text, words, order, group } with `words` as written before any change of order.
function wordNodes({ text, words, order, group }) {
  const old = order ?? words?.map((_, i) => i);
  const known = words && isOrder(old, words.length);
  const spans = known ? wordSpans(old.map((i) => words[i]), text) : null;
  if (!spans) return [document.createTextNode(text)];
  const nodes = [];
  let at = 0;
  spans.forEach(([start, end], place) => {
    if (start > at) nodes.push(document.createTextNode(text.slice(at, start)));
    const node = element("span", { class: "word" }, text.slice(start, end));
    node.style.setProperty("--c", placeColour(old[place], words.length));
    Object.assign(node.dataset, { group, word: old[place], place, size: words.length });
    nodes.push(node);
    at = end;
  });
  if (at < text.length) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

// A text with some of its words marked: { text, words, marks, labels }, a label beneath each mark.
function markedNodes({ text, words, marks, labels }) {
  const spans = words ? wordSpans(words, text) : null;
  if (!spans) return [document.createTextNode(text)];
  const nodes = [];
  let at = 0;
  marks.forEach((place, k) => {
    const [start, end] = spans[place] ?? [-1, -1];
    if (start < at) return;
    nodes.push(document.createTextNode(text.slice(at, start)));
    const label = labels?.[k]?.replace(/^-/, "−");
    nodes.push(element("mark", { "data-label": label }, text.slice(start, end)));
    at = end;
  });
  nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

// Pointing at a word lights it up in every linked text and says where it went.
function linkWords(root) {
  const tip = element("div", { class: "tip", role: "tooltip", hidden: "" });
  document.body.append(tip);
  const clear = () => {
    tip.hidden = true;
    root.classList.remove("pointing");
    for (const node of root.querySelectorAll(".same")) node.classList.remove("same");
  };
  const point = (event) => {
    const word = event.target.closest("[data-word]");
    clear();
    if (!word || !root.contains(word)) return;
    const { group, word: old } = word.dataset;
    root.classList.add("pointing");
    const same = root.querySelectorAll(`[data-group="${group}"][data-word="${old}"]`);
    for (const node of same) node.classList.add("same");
    const moved = [...same].find((node) => node.dataset.place !== undefined && node.dataset.place !== old);
    const from = Number(old) + 1;
    const spoken = [...same].find((node) => node.dataset.size);
    const goes = moved ? `place ${from} → ${Number(moved.dataset.place) + 1}` : `stays in place ${from}`;
    tip.textContent = `${goes} of ${spoken?.dataset.size ?? "?"}`;
    tip.hidden = false;
    const box = word.getBoundingClientRect();
    const left = Math.min(Math.max(box.left, 8), innerWidth - tip.offsetWidth - 8);
    tip.style.left = `${left}px`;
    tip.style.top = `${Math.max(box.top - tip.offsetHeight - 6, 4)}px`;
  };
  root.addEventListener("pointerover", point);
  root.addEventListener("click", point);
  root.addEventListener("pointerleave", clear);
  addEventListener("scroll", clear, { passive: true, capture: true });
}
