// The words of the page in the reader's language.

const KNOWN = ["en", "de"];
let texts = {};

export async function speak(language) {
  const response = await fetch(`assets/texts.${language}.json`);
  texts = await response.json();
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
}

export function preferred() {
  return (navigator.languages ?? ["en"]).map((code) => code.slice(0, 2)).find((code) => KNOWN.includes(code)) ?? "en";
}

export function isKnown(language) {
  return KNOWN.includes(language);
}

// t("slow", { seconds: 3 }): a text with its gaps filled.
export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (gap, name) => shown(values[name] ?? gap));
}

function shown(value) {
  return typeof value === "number" ? value.toLocaleString(document.documentElement.lang) : value;
}

// A sentence that a program said, in English whatever the language of the page.
export function english(text) {
  return element("span", { lang: "en" }, text);
}

export function has(key) {
  return key in texts;
}

export function languageName(code) {
  try {
    return new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(code);
  } catch {
    return code;
  }
}
