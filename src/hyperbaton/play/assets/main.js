// The page: one state, shown by tiles, buttons and cards; each change asks the systems anew.

import { Bar } from "./bar.js";
import { BreakSearch } from "./breaks.js";
import { Card } from "./cards.js";
import { Choices } from "./choices.js";
import { OrderMap } from "./orders.js";
import { Studies } from "./runs.js";
import { EMPTY, History, read, tongueOf, write } from "./state.js";
import { ask, listen } from "./talk.js";
import { english, isKnown, languageName, preferred, speak, t } from "./texts.js";
import { Tiles } from "./tiles.js";
import { drawTree } from "./tree.js";

const MOST_TILES = 30; // words in one row, over their tree
const AGAIN = 250; // milliseconds after which a question is put again when there were too many
const PENDING = 700; // milliseconds after which an outcome is asked for that was not known yet
const byId = (id) => document.getElementById(id);
// randomUUID is missing where a proxy shows the page without encryption.
const page = crypto.getRandomValues(new Uint32Array(3)).join("");

class Page {
  async start() {
    this.tongue = isKnown(tongueOf(location.hash)) ? tongueOf(location.hash) : preferred();
    byId("tongue").value = this.tongue;
    await speak(this.tongue);
    this.setup = await ask("start");
    this.number = Math.floor(Math.random() * 200);
    this.cards = new Map(this.setup.systems.map((system, i) => [system, new Card(system, i)]));
    this.tiles = new Tiles(byId("tiles"), byId("stage"), (text) => (byId("spoken").textContent = text), {
      moving: (order) => this.vary({ order }, false),
      moved: (order) => this.vary({ order }, true),
    });
    this.choices = new Choices(byId("choices"), this.setup, (variant) => this.vary(variant, true));
    this.map = new OrderMap(this);
    this.breaks = new BreakSearch(this);
    this.studies = new Studies(this);
    this.bar = new Bar(this);
    this.wire();
    setInterval(() => this.cards.forEach((card) => card.tick()), 500);
    new ResizeObserver(() => this.drawTree()).observe(byId("stage"));
    const linked = read(location.hash);
    this.history = new History({ ...EMPTY, off: this.setup.off, ...linked, pair: linked?.pair || this.setup.pair });
    if (linked) await this.show();
    else await this.surprise(true);
    document.documentElement.dataset.ready = "yes";
  }

  get state() {
    return this.history.now;
  }

  wire() {
    for (const id of ["source", "target"]) {
      byId(id).replaceChildren(...this.setup.languages.map((code) => element("option", { value: code }, languageName(code))));
      byId(id).addEventListener("change", () => this.changeLanguages(id));
    }
    byId("sentence").addEventListener("submit", (event) => {
      event.preventDefault();
      this.change({ text: byId("text").value, reference: this.ownReference(), variant: null });
    });
    byId("text").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      byId("sentence").requestSubmit();
    });
    byId("surprise").addEventListener("click", () => this.surprise());
    addEventListener("hashchange", () => {
      const linked = read(location.hash);
      if (linked && write(linked, this.tongue) !== write(this.state, this.tongue)) this.change(linked);
    });
  }

  async changeLanguages(changed) {
    let [source, target] = [byId("source").value, byId("target").value];
    // English is one of the two in most systems: the other side makes way.
    if (source === target) [source, target] = changed === "source" ? [source, this.state.pair.split("-")[0]] : [this.state.pair.split("-")[1], target];
    const pair = `${source}-${target}`;
    const typed = byId("text").value;
    const [ofSource, ofTarget] = await Promise.all([source, target].map((code) => this.counterpart(typed, code)));
    // What was typed stays, whatever its language; a sentence that is shipped is there in every language.
    const [text, reference] = ofSource ? [ofSource, ofTarget] : [typed, ""];
    this.change({ pair, text, reference, variant: null });
  }

  // A text in another language, if it is the sentence that was drawn last: the first one is one of the short ones.
  async counterpart(text, code) {
    const [from] = this.state.pair.split("-");
    if (code === from) return text;
    const asked = [false, true].map((short) => ask("surprise", { pair: `${from}-${code}`, number: this.number, short }).catch(() => null));
    return (await Promise.all(asked)).find((one) => one?.text === text)?.reference ?? "";
  }

  // A reference is one of its sentence: that of the sentence before does not stay with a new one.
  ownReference() {
    const reference = byId("reference").value;
    const stale = byId("text").value !== this.state.text && reference === this.state.reference;
    return stale ? "" : reference;
  }

  async surprise(first = false) {
    const { pair } = this.state;
    this.number++;
    try {
      const { text, reference } = await ask("surprise", { pair, number: this.number, short: first });
      if (first) this.history = new History({ ...this.state, text, reference });
      await this.change({ text, reference, variant: null }, first);
    } catch (error) {
      this.trouble(error);
    }
  }

  async change(some, anyway = false) {
    const before = this.state;
    this.history.add({ ...before, ...some });
    if (anyway || this.state !== before) await this.show();
  }

  async step(by) {
    if (this.history.go(by)) await this.show();
  }

  // A new variant of the same sentence; while a tile is in the air it is no step to undo.
  vary(variant, settled) {
    const order = variant?.order;
    const same = order && order.every((old, i) => old === i);
    const next = { ...this.state, variant: same ? null : variant };
    if (settled) {
      this.history.add(next);
      this.show();
    } else this.put(next, order);
  }

  // Everything, from the state.
  async show() {
    const { state } = this;
    this.trouble(null);
    const turn = (this.turning = Symbol("show"));
    history.replaceState(null, "", write(state, this.tongue));
    this.bar.show(this.history);
    const [source, target] = state.pair.split("-");
    byId("source").value = source;
    byId("target").value = target;
    byId("text").value = state.text;
    byId("reference").value = state.reference;
    try {
      const key = `${state.pair}|${state.text}`;
      if (this.shownKey !== key) {
        const found = await ask("sentence", { pair: state.pair, text: state.text });
        if (turn !== this.turning) return;
        this.sentence = found;
        this.shownKey = key;
        byId("stage").classList.toggle("long", found.words.length > MOST_TILES);
        this.tiles.show(found);
        this.map.reset();
        this.breaks.reset();
      }
      const variant = await this.variant(state);
      if (turn !== this.turning) return;
      this.tiles.place(variant?.order ?? this.sentence.words.map((_, i) => i));
      this.choices.show(this.sentence, state.variant);
      this.note();
      this.put(state, variant?.order, variant?.text);
    } catch (error) {
      this.trouble(error);
    }
  }

  // What the state's variant is: { text, order }, or null.
  async variant({ pair, text, variant }) {
    if (!variant) return null;
    if (variant.order) return { order: variant.order };
    if (variant.text !== undefined) return { text: variant.text };
    if (!variant.draw && this.sentence.variants[variant.name]) return this.sentence.variants[variant.name];
    const found = await ask("variant", { pair, text, ...variant });
    if (!found) throw new Error(t("does_not_apply"));
    return found;
  }

  note() {
    const { note, heads, words } = this.sentence;
    const long = heads && words.length > MOST_TILES;
    byId("note").replaceChildren(...(note ? [t("no_parser"), " ", english(note)] : long ? [t("long_sentence")] : []));
    byId("note").hidden = !note && !long;
  }

  put(state, order, text) {
    this.drawTree();
    this.describe(order, text);
    this.showSystems(state);
    this.ask(state);
  }

  // A variant that is more than an order of the tiles has a line of its own.
  describe(order, text) {
    const { text: whole, language } = this.sentence;
    const apart = text !== undefined && !order;
    byId("variant-line").hidden = !apart;
    byId("variant").lang = language;
    byId("variant").replaceChildren(...(apart ? diffNodes({ text: whole, language }, { text, language })[1] : []));
  }

  drawTree() {
    if (!this.sentence || !this.tiles.tiles) return;
    const drawn = this.sentence.words.length <= MOST_TILES ? this.sentence : { heads: null };
    drawTree(byId("tree"), this.tiles.tiles, this.tiles.order, drawn);
  }

  // The systems whose cards are shown.
  systems({ off } = this.state) {
    return this.setup.systems.filter((system) => !off.includes(system));
  }

  showSystems(state) {
    const { off } = state;
    const buttons = this.setup.systems.map((system) => {
      const button = element("button", { type: "button", "aria-pressed": String(!off.includes(system)), "data-system": system }, system);
      button.addEventListener("click", () => {
        this.change({ off: off.includes(system) ? off.filter((name) => name !== system) : [...off, system] });
        byId("shown").querySelector(`[data-system="${CSS.escape(system)}"]`)?.focus();
      });
      return button;
    });
    byId("shown").hidden = buttons.length < 2;
    byId("shown").replaceChildren(...buttons);
    const cards = this.systems(state).map((system) => this.cards.get(system).node);
    if (cards.length !== byId("cards").children.length || cards.some((card, i) => card !== byId("cards").children[i])) byId("cards").replaceChildren(...cards);
  }

  // Asks every system on the page; an older question is given up.
  async ask(state, quietly = false) {
    this.asking?.abort();
    clearTimeout(this.later);
    this.asked = (this.asked ?? 0) + 1;
    const asking = (this.asking = new AbortController());
    const systems = this.systems(state);
    if (!quietly) for (const system of systems) this.cards.get(system).asked();
    const { pair, text, reference, variant } = state;
    let pending = false;
    const take = (event) => {
      if (this.asking !== asking) return;
      pending ||= event.pending === true;
      this.take(event, pair);
    };
    const content = { page, number: this.asked, systems, pair, text, reference, variant };
    try {
      await listen("ask", content, take, asking.signal);
      if (pending && this.asking === asking) this.later = setTimeout(() => this.ask(state, true), PENDING);
    } catch (error) {
      if (this.asking !== asking) return;
      if (error.status === 429) setTimeout(() => this.asking === asking && this.ask(state), AGAIN);
      else this.trouble(error);
    }
  }

  take(event, pair) {
    const card = this.cards.get(event.system);
    if (event.state === "fault") card.fault(event.fault);
    if (event.state === "answer") card.answer(event, event.source.text, pair.split("-"));
  }

  trouble(error) {
    if (error?.name === "AbortError") return;
    byId("trouble").hidden = !error;
    byId("trouble").lang = error?.language || this.tongue;
    byId("trouble").textContent = error ? (error instanceof TypeError ? t("gone") : error.message) : "";
  }
}

const shown = new Page();
await shown.start();
