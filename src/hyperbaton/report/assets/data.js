// The data blocks of this page, and files made from them.

async function unpack(id) {
  const text = await unpackText(id);
  return text === null ? null : JSON.parse(text);
}

async function unpackText(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  const letters = atob(element.textContent);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function save(name, type, parts) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function csvCell(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? spreadsheetText(value) : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// As spreadsheet_text in wording.py: an apostrophe keeps a text from being taken for a formula.
function spreadsheetText(text) {
  const number = /^[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?$/;
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !number.test(text) ? `'${text}` : text;
}

function csvLine(values) {
  return values.map(csvCell).join(",") + "\n";
}

// element("p", { class: "note" }, "text", child): text is always text, never markup.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {}))
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function whenNear(target, margin, act) {
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      act();
    },
    { rootMargin: `${margin}px 0px` },
  );
  watch.observe(target);
}
