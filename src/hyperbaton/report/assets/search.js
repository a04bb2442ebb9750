// Search in many texts: case and accents do not count, and all words must be there, in any order.

function fold(text) {
  const lower = text.toLowerCase();
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}

// The words of a query; what stands between quotation marks is one.
function queryWords(query) {
  return [...fold(query).matchAll(/"([^"]+)"|[^\s"]+/g)].map((match) => match[1] ?? match[0]);
}

// All strings as one, which is folded and searched faster than many, and where each of them ends.
function searchIndex(strings) {
  const lines = strings.map((string) => (string.includes("\n") ? string.replaceAll("\n", " ") : string));
  const text = fold(lines.join("\n"));
  const ends = new Uint32Array(strings.length);
  for (let i = 0, at = 0; i < ends.length; i++) {
    const end = text.indexOf("\n", at);
    at = ends[i] = (end < 0 ? text.length : end) + 1;
  }
  return { text, ends };
}

// 1 for each string that holds the word; null when none does.
function holding({ text, ends }, word) {
  let at = text.indexOf(word);
  if (at < 0) return null;
  const flags = new Uint8Array(ends.length);
  for (let i = 0; at >= 0; at = text.indexOf(word, ends[i])) {
    while (ends[i] <= at) i++;
    flags[i] = 1;
  }
  return flags;
}

// Whether one string holds the word.
function holds({ text, ends }, code, word) {
  return code >= 0 && text.slice(code ? ends[code - 1] : 0, ends[code] - 1).includes(word);
}

// 1 for each row that is still `kept` (so many are `left`) and holds the word in one of its columns.
// Where most rows are decided, the rest are looked at one by one.
function rowsHolding(columns, word, kept, left) {
  const found = new Uint8Array(kept.length);
  for (const { index, codes } of columns) {
    if (!left) break;
    const few = left * 50 < kept.length;
    const flags = few ? null : holding(index, word);
    if (!few && !flags) continue;
    for (let row = 0; row < kept.length; row++)
      if (kept[row] && !found[row] && (few ? holds(index, codes[row], word) : flags[codes[row]])) {
        found[row] = 1;
        left--;
      }
  }
  return found;
}
