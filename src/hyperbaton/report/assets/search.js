// Search in many texts: case and accents do not count, and all words must be there, in any order.

function fold(text) {
  const lower = text.toLowerCase();
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}

// The words of a query; what stands between quotation marks is one.
function queryWords(query) {
  return [...fold(query).matchAll(/"([^"]+)"|[^\s"]+/g)].map((match) => match[1] ?? match[0]);
}

// All strings as one, which is searched faster than many, and where each of them ends.
function searchIndex(strings) {
  const folded = strings.map(fold);
  const ends = new Uint32Array(folded.length);
  let at = 0;
  for (let i = 0; i < folded.length; i++) {
    at += folded[i].length + 1;
    ends[i] = at;
  }
  return { text: folded.join("\n"), ends };
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
