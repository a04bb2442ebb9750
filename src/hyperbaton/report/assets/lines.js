// Lines from where each word stood (the text above) to where it stands now, over line ends too.

function crossings(order, group) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "crossings");
  svg.setAttribute("aria-hidden", "true");
  order.forEach((old, place) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.style.stroke = placeColour(old, order.length);
    Object.assign(path.dataset, { group, word: old });
    if (old === place) path.classList.add("still");
    svg.append(path);
  });
  return svg;
}

// Where a line leaves or meets each word of a text, by the word's old place: a point of the page.
function ends(text, side) {
  const found = new Map();
  for (const word of text.querySelectorAll(".word")) {
    const [box] = word.getClientRects();
    if (box) found.set(word.dataset.word, [box.left + box.width / 2, box[side]]);
  }
  return found;
}

// The nearest text above that shows the same words.
function origin(block, group) {
  for (let above = block.previousElementSibling; above; above = above.previousElementSibling) {
    const text = above.querySelector(".text");
    if (text?.querySelector(`.word[data-group="${group}"]`)) return text;
  }
  return null;
}

function alignCrossings(root) {
  for (const svg of root.querySelectorAll(".crossings")) {
    const block = svg.closest(".block");
    const above = origin(block, svg.firstElementChild.dataset.group);
    const box = svg.getBoundingClientRect();
    if (!above || !box.width) continue;
    const [from, to] = [ends(above, "bottom"), ends(block.querySelector(".text"), "top")];
    for (const path of svg.children) {
      const [a, b] = [from.get(path.dataset.word), to.get(path.dataset.word)];
      if (!a || !b) continue;
      const [x1, y1, x2, y2] = [a[0] - box.left, a[1] - box.top, b[0] - box.left, b[1] - box.top];
      const bend = Math.max(12, (y2 - y1) / 2);
      path.setAttribute("d", `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`);
    }
    const wrapped = new Set([...from.values(), ...to.values()].map(([, y]) => Math.round(y))).size > 2;
    svg.classList.toggle("wrapped", wrapped);
  }
}
