// A card for each system: its translation, where each word came from, and what became of the sentence.

import { english, languageName, t } from "./texts.js";

// Why an answer is no translation, in brackets: the source again, or the language it is in.
function reason(what) {
  if (!what) return "";
  return ` (${what === "copied" ? t("untranslated_copied") : t("untranslated_in", { language: languageName(what) })})`;
}

// A translation as nodes, each word in the colour of the word of the source that it is linked to.
function linkedNodes({ text, words, links }, group, size) {
  const spans = wordSpans(words, text);
  if (!spans) return [document.createTextNode(text)];
  const from = new Map(links.map(([source, target]) => [target, source]));
  const nodes = [];
  let at = 0;
  spans.forEach(([start, end], place) => {
    if (start > at) nodes.push(document.createTextNode(text.slice(at, start)));
    const piece = text.slice(start, end);
    const source = from.get(place);
    if (source === undefined) nodes.push(document.createTextNode(piece));
    else {
      const word = element("span", { class: "word" }, piece);
      word.style.setProperty("--c", placeColour(source, size));
      Object.assign(word.dataset, { group, word: source, size });
      nodes.push(word);
    }
    at = end;
  });
  nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

function block(label, nodes, language, above) {
  const text = element("p", { class: "text", lang: language, dir: "auto" });
  text.append(...nodes);
  const made = element("section", { class: "block" }, element("h4", null, label), text);
  if (above) text.before(above);
  return made;
}

function gauge(name, value) {
  const bar = element("i");
  bar.style.width = `${100 * (value ?? 0)}%`;
  const track = element("span", { class: "track", "aria-hidden": "true" }, bar);
  const label = element("span", { title: t(`${name}_means`) }, t(name));
  return element("div", { class: "gauge" }, label, track, element("b", null, value === null ? "–" : value.toFixed(2)));
}

export class Card {
  constructor(system, number) {
    this.system = system;
    this.group = `s${number}`;
    this.busy = element("p", { class: "busy", role: "status" });
    this.body = element("div", { class: "answer-of" });
    this.outcome = element("span", { class: "outcome" });
    const head = element("header", null, element("h3", null, system), this.outcome);
    this.node = element("article", { class: "card", "data-system": system, "data-state": "new", "aria-label": system }, head, this.body, this.busy);
    linkWords(this.body);
    new ResizeObserver(() => alignCrossings(this.body)).observe(this.body);
  }

  // Asked, and nothing said yet; what was there before stays to be read.
  asked() {
    this.since = performance.now();
    this.node.dataset.state = "asked";
    this.tick();
  }

  tick() {
    if (this.node.dataset.state !== "asked") return;
    const seconds = Math.floor((performance.now() - this.since) / 1000);
    this.busy.textContent = seconds < 1 ? "" : t(seconds < 5 ? "working" : "slow", { seconds });
  }

  fault(sentence) {
    this.node.dataset.state = "fault";
    this.outcome.className = "outcome";
    this.outcome.textContent = "";
    this.busy.textContent = "";
    this.body.replaceChildren(element("p", { class: "fault" }, t("fault"), " ", english(sentence)));
  }

  answer(event, varied, [source, target]) {
    const { words, order } = event.source;
    const size = words.length;
    const above = wordNodes({ text: varied, words, order, group: this.group });
    for (const node of above) if (node.dataset && event.lost.includes(Number(node.dataset.word))) node.classList.add("missing");
    const places = order ?? words.map((_, i) => i);
    const lines = crossings(places, this.group);
    const blocks = [
      block(t("given"), above, source),
      block(t("translation"), linkedNodes(event.varied, this.group, size), target, lines),
    ];
    if (event.outcome !== "unchanged") {
      const texts = [event.clean.text, event.varied.text].map((text) => ({ text, language: target }));
      blocks.push(block(t("clean"), diffNodes(...texts)[0], target));
    }
    const scores = event.scores ? Object.entries(event.scores).map(([name, value]) => gauge(name, value)) : [];
    if (scores.length && event.outcome !== "unchanged") blocks.push(element("div", { class: "gauges" }, ...scores));
    if (scores.length && event.outcome === "unchanged") blocks.push(element("div", { class: "gauges" }, scores[0]));
    this.outcome.className = event.outcome ? `outcome ${event.outcome}` : "outcome";
    this.outcome.textContent = event.outcome ? t(`outcome_${event.outcome}`) + reason(event.untranslated) : "";
    this.outcome.title = event.outcome ? t(`outcome_${event.outcome}_means`) : "";
    this.body.replaceChildren(...blocks);
    this.busy.textContent = event.pending ? t("pending") : "";
    this.node.dataset.state = "answer";
    alignCrossings(this.body);
  }
}
