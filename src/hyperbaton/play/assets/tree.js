// The dependency tree under the tiles: an arc from each head to its dependents, wherever they stand.

const STEP = 17;
const SVG = "http://www.w3.org/2000/svg";

function node(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

// How deep each arc hangs: below those that it spans, clear of those that it meets.
export function levelsOf(arcs) {
  const placed = [];
  for (const arc of [...arcs].sort((a, b) => a.last - a.first - (b.last - b.first) || a.first - b.first)) {
    const meets = placed.filter((other) => other.first < arc.last && arc.first < other.last);
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
  const arcs = heads.flatMap((head, i) =>
    head === i ? [] : [{ word: i, head, first: Math.min(place[i], place[head]), last: Math.max(place[i], place[head]) }],
  );
  const placed = levelsOf(arcs);
  const deepest = Math.max(1, ...placed.map((arc) => arc.level));
  svg.setAttribute("height", deepest * STEP + 22);
  for (const { word, head, level } of placed) {
    const [from, to] = [middle[head], middle[word]];
    const bend = Math.sign(to - from);
    const [depth, start] = [level * STEP, from + bend * 5];
    const round = Math.min(10, Math.abs(to - start) / 2, depth);
    const d = `M${start} 0 V${depth - round} Q${start} ${depth} ${start + bend * round} ${depth} H${to - bend * round} Q${to} ${depth} ${to} ${depth - round} V3`;
    const path = node("path", { d });
    path.style.stroke = placeColour(word, heads.length);
    svg.append(path);
    svg.append(node("text", { x: (start + to) / 2, y: depth + 4 }, deps?.[word] ?? ""));
  }
}
