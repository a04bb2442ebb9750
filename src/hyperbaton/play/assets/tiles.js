// The words as tiles: dragged by mouse or finger, or lifted and moved by keys.

import { t } from "./texts.js";

const SLACK = 5; // pixels before a press becomes a drag
const EDGE = 40; // pixels from the edge where a drag scrolls

export class Tiles {
  // `moving(order)` is called while a tile moves, `moved(order)` when it has been put down.
  constructor(list, stage, say, { moving, moved }) {
    Object.assign(this, { list, stage, say, moving, moved });
    this.order = [];
    this.words = [];
    this.drag = null;
    this.lifted = null;
    list.addEventListener("pointerdown", (event) => this.press(event));
    list.addEventListener("keydown", (event) => this.key(event));
    // Tiles that are put in order lose the focus for a moment: that is no leaving.
    list.addEventListener("focusout", (event) => !this.placing && !list.contains(event.relatedTarget) && this.put());
    addEventListener("pointermove", (event) => this.pull(event));
    addEventListener("pointerup", (event) => this.drop(event, true));
    addEventListener("pointercancel", (event) => this.drop(event, false));
  }

  show({ words, upos, language }) {
    this.words = words;
    this.order = words.map((_, i) => i);
    this.drag = this.lifted = null;
    this.tiles = words.map((word, i) => {
      const tile = element("button", { type: "button", class: "tile", "data-word": i, "aria-describedby": "tiles-help", "aria-pressed": "false" });
      tile.append(element("span", { lang: language, dir: "auto" }, word));
      if (upos) tile.append(element("small", { "aria-hidden": "true" }, upos[i]));
      tile.style.setProperty("--c", placeColour(i, words.length));
      return tile;
    });
    this.list.replaceChildren(...this.tiles.map((tile) => element("li", null, tile)));
    this.place(this.order);
  }

  // Puts the tiles in an order, for good: also for the keyboard and for readers of the screen.
  place(order) {
    this.order = [...order];
    const focused = this.tiles.find((tile) => tile === document.activeElement);
    this.placing = true;
    this.list.append(...order.map((old) => this.tiles[old].parentElement));
    for (const tile of this.tiles) {
      tile.parentElement.style.order = "";
      tile.tabIndex = -1;
    }
    const first = focused ?? this.tiles[order[0]];
    if (first) first.tabIndex = 0;
    focused?.focus();
    this.placing = false;
  }

  // Shows an order without touching the tile under the finger.
  sketch(order) {
    this.order = [...order];
    order.forEach((old, place) => (this.tiles[old].parentElement.style.order = place));
  }

  press(event) {
    const tile = event.target.closest(".tile");
    if (!tile || event.button > 0 || this.drag) return;
    this.put();
    this.drag = { tile, id: event.pointerId, x: event.clientX, y: event.clientY, before: [...this.order], live: false };
  }

  pull(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.live && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
    drag.live = true;
    drag.tile.classList.add("held");
    event.preventDefault();
    const box = this.stage.getBoundingClientRect();
    if (event.clientX < box.left + EDGE) this.stage.scrollLeft -= EDGE / 4;
    else if (event.clientX > box.right - EDGE) this.stage.scrollLeft += EDGE / 4;
    this.change(Number(drag.tile.dataset.word), this.spot(event.clientX, event.clientY, drag.tile));
  }

  // The place that a point means: before the first other tile whose middle lies beyond it.
  spot(x, y, dragged) {
    let place = 0;
    for (const old of this.order) {
      const tile = this.tiles[old];
      if (tile === dragged) continue;
      const box = tile.parentElement.getBoundingClientRect();
      const beyond = y < box.top || (y <= box.bottom && x < box.left + box.width / 2);
      if (beyond) return place;
      place++;
    }
    return place;
  }

  change(word, place) {
    const order = this.order.filter((old) => old !== word);
    order.splice(place, 0, word);
    if (order.every((old, i) => old === this.order[i])) return;
    this.sketch(order);
    this.moving(order);
  }

  drop(event, good) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    drag.tile.classList.remove("held");
    if (!drag.live) return;
    const order = good ? this.order : drag.before;
    this.place(order);
    this.moved(order);
  }

  key(event) {
    const tile = event.target.closest(".tile");
    if (!tile || event.ctrlKey || event.metaKey || event.altKey) return;
    const word = Number(tile.dataset.word);
    const at = this.order.indexOf(word);
    const last = this.order.length - 1;
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (step < 0 || step > last) return;
      if (this.lifted || event.shiftKey) this.shift(tile, word, step);
      else this.focus(this.order[step]);
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (this.lifted) this.put();
      else this.lift(tile);
    } else if (event.key === "Escape" && this.lifted) {
      const { before } = this.lifted;
      this.put();
      this.place(before);
      this.moved(before);
    }
  }

  focus(word) {
    for (const tile of this.tiles) tile.tabIndex = -1;
    this.tiles[word].tabIndex = 0;
    this.tiles[word].focus();
  }

  shift(tile, word, place) {
    const order = this.order.filter((old) => old !== word);
    order.splice(place, 0, word);
    this.place(order);
    tile.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.say(t("moved_to", { word: this.words[word], place: place + 1, size: order.length }));
    this.moved(order);
  }

  lift(tile) {
    this.lifted = { tile, before: [...this.order] };
    tile.setAttribute("aria-pressed", "true");
    this.say(t("lifted", { word: this.words[tile.dataset.word] }));
  }

  put() {
    if (!this.lifted) return;
    this.lifted.tile.setAttribute("aria-pressed", "false");
    this.say(t("put_down", { word: this.words[this.lifted.tile.dataset.word] }));
    this.lifted = null;
  }
}
