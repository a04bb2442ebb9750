// The words of two texts compared: in both, in both but elsewhere, or in one of them only.

const MOST_CELLS = 250000; // of the table that finds the longest common order

function piecesOf(text, language) {
  let segmenter;
  try {
    segmenter = new Intl.Segmenter(language ?? undefined, { granularity: "word" });
  } catch {
    return text.split(/(\s+)/).map((piece) => ({ piece, word: /\S/.test(piece) ? piece.toLowerCase() : null }));
  }
  return [...segmenter.segment(text)].map(({ segment, isWordLike }) => ({
    piece: segment,
    word: isWordLike ? segment.toLowerCase() : null,
  }));
}

// The places in both lists of one longest common order.
function commonOrder(a, b) {
  const [m, n] = [a.length, b.length];
  if (m * n > MOST_CELLS) return [new Set(), new Set()];
  const best = Array.from({ length: m + 1 }, () => new Uint16Array(n + 1));
  for (let i = m - 1; i >= 0; i--)
    for (let j = n - 1; j >= 0; j--)
      best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
  const [ours, theirs] = [new Set(), new Set()];
  for (let i = 0, j = 0; i < m && j < n; ) {
    if (a[i] === b[j]) {
      ours.add(i++);
      theirs.add(j++);
    } else if (best[i + 1][j] >= best[i][j + 1]) i++;
    else j++;
  }
  return [ours, theirs];
}

function counted(words) {
  const found = new Map();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return found;
}

function compared(pieces, kept, others, only) {
  const left = counted(others);
  let place = 0;
  const words = pieces.filter(({ word }) => word !== null).map(({ word }) => word);
  words.forEach((word, k) => kept.has(k) && left.set(word, left.get(word) - 1));
  return pieces.map(({ piece, word }) => {
    if (word === null || kept.has(place++)) return document.createTextNode(piece);
    const there = (left.get(word) ?? 0) > 0;
    if (there) left.set(word, left.get(word) - 1);
    return element("span", { class: there ? "elsewhere" : only }, piece);
  });
}

// Both texts as nodes: { text, language } each.
function diffNodes(first, second) {
  const [a, b] = [first, second].map(({ text, language }) => piecesOf(text, language));
  const [x, y] = [a, b].map((pieces) => pieces.flatMap(({ word }) => (word === null ? [] : [word])));
  const [ours, theirs] = commonOrder(x, y);
  return [compared(a, ours, y, "gone"), compared(b, theirs, x, "new")];
}
