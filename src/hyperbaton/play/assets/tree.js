// The dependency tree under the tiles: an arc from each head to its dependents, wherever they stand.

const STEP = 17;
const ASIDE = 5; // pixels between the ends of two arcs at one word
const GAP = 6; // pixels between two labels
const SVG = "http://www.w3.org/2000/svg";

function node(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

// How deep each arc hangs: below those that it spans, clear of those whose line or label it meets.
export function levelsOf(arcs) {
  const placed = [];
  for (const arc of [...arcs].sort((a, b) => a.last - a.first - (b.last - b.first) || a.first - b.first)) {
    const meets = placed.filter((other) => other.left < arc.right && arc.left < other.right);
    const inside = meets.filter((other) => arc.first <= other.first && other.last <= arc.last);
    const taken = new Set(meets.map((other) => other.level));
    arc.level = Math.max(0, ...inside.map((other) => other.level)) + 1;
    while (taken.has(arc.level)) arc.level++;
    placed.push(arc);
  }
  return placed;
}

export function drawTree(svg, tiles, order, { heads, deps }) {
  svg.replaceChildren();
  if (!heads || !tiles.length) {
    svg.setAttribute("height", 0);
    return;
  }
  const place = [];
  order.forEach((old, at) => (place[old] = at));
  const left = svg.getBoundingClientRect().left;
  const middle = tiles.map((tile) => {
    const box = tile.parentElement.getBoundingClientRect();
    return box.left - left + box.width / 2;
  });
  const arcs = heads.flatMap((head, word) => (head === word ? [] : [arcOf(word, head)]));
  // An arc takes the room of its label where that is the wider of the two, as between short words.
  function arcOf(word, head) {
    const label = svg.appendChild(node("text", {}, deps?.[word] ?? ""));
    const bend = Math.sign(middle[word] - middle[head]);
    const [start, end] = [middle[head] + bend * ASIDE, middle[word]];
    const centre = (start + end) / 2;
    const half = Math.max(Math.abs(end - start), label.getComputedTextLength() + GAP) / 2;
    const [first, last] = [place[word], place[head]].sort((a, b) => a - b);
    return { word, label, bend, start, end, centre, first, last, left: centre - half, right: centre + half };
  }
  const placed = levelsOf(arcs);
  const deepest = Math.max(1, ...placed.map((arc) => arc.level));
  svg.setAttribute("height", deepest * STEP + 22);
  for (const { word, label, bend, start, end, centre, level } of placed) {
    const depth = level * STEP;
    const round = Math.min(10, Math.abs(end - start) / 2, depth);
    const d = `M${start} 0 V${depth - round} Q${start} ${depth} ${start + bend * round} ${depth} H${end - bend * round} Q${end} ${depth} ${end} ${depth - round} V3`;
    const path = node("path", { d });
    path.style.stroke = placeColour(word, heads.length);
    svg.prepend(path);
    label.setAttribute("x", centre);
    label.setAttribute("y", depth + 4);
  }
}
