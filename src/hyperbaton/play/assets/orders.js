// Every order of a short sentence: a column for each distance, a cell for each order, coloured by its outcome.

import { listen } from "./talk.js";
import { t } from "./texts.js";

const RANK = ["repaired", "unchanged", "mixed", "carried", "lost", "untranslated", "empty"];
const byId = (id) => document.getElementById(id);

export class OrderMap {
  constructor(page) {
    this.page = page;
    this.points = [];
    byId("orders-system").replaceChildren(...page.setup.systems.map((system) => element("option", { value: system }, system)));
    byId("orders-start").addEventListener("click", () => this.start());
    byId("orders-cancel").addEventListener("click", () => this.cancel(t("cancelled")));
  }

  // Another sentence: the old map is no longer about it.
  reset() {
    this.cancel("");
    byId("orders-map").hidden = byId("orders-legend").hidden = true;
    byId("orders-point").textContent = "";
  }

  cancel(said, language = "") {
    this.running?.abort();
    this.running = null;
    byId("orders-cancel").hidden = byId("orders-progress").hidden = true;
    byId("orders-start").disabled = false;
    byId("orders-answer").lang = language || this.page.tongue;
    byId("orders-answer").textContent = said;
  }

  async start() {
    this.reset();
    const running = (this.running = new AbortController());
    const { pair, text } = this.page.state;
    this.system = byId("orders-system").value;
    this.points = [];
    byId("orders-start").disabled = true;
    byId("orders-cancel").hidden = byId("orders-progress").hidden = false;
    byId("orders-progress").removeAttribute("value");
    try {
      await listen("orders", { pair, text, system: this.system }, (event) => this.running === running && this.take(event), running.signal);
    } catch (error) {
      if (this.running === running) this.cancel(error.message, error.language);
    }
  }

  take(event) {
    if (event.state === "begun") this.begin(event);
    if (event.state === "points") {
      for (const point of event.points) this.add(point);
      this.legend();
      byId("orders-progress").value = event.done / this.about.orders;
      byId("orders-answer").textContent = t("orders_counted", { done: event.done, orders: this.about.orders });
    }
    if (event.state === "done") this.cancel(this.found());
    if (event.state === "fault") this.cancel(event.fault, "en");
  }

  begin(about) {
    this.about = about;
    this.columns = Array.from({ length: about.farthest + 1 }, (_, distance) => {
      const label = element("span", { "aria-hidden": "true" }, String(distance));
      return element("div", { class: "column", role: "group", "aria-label": t("distance", { distance }) }, label);
    });
    byId("orders-map").replaceChildren(...this.columns);
    byId("orders-map").hidden = byId("orders-legend").hidden = false;
  }

  add(point) {
    this.points.push(point);
    const name = `${point.varied} → ${point.text} (${t(`outcome_${point.outcome}`)})`;
    const cell = element("button", { type: "button", class: point.outcome, "aria-label": name, title: name });
    cell.dataset.rank = RANK.indexOf(point.outcome);
    cell.addEventListener("click", () => this.page.vary({ order: point.order }, true));
    for (const kind of ["focus", "pointerenter"]) cell.addEventListener(kind, () => (byId("orders-point").textContent = name));
    const column = this.columns[point.distance];
    const after = [...column.querySelectorAll("button")].find((other) => Number(other.dataset.rank) > Number(cell.dataset.rank));
    if (after) after.before(cell);
    else column.append(cell);
  }

  // The last distance up to which at least half of the orders are repaired, all nearer ones too; and what is there beyond.
  found() {
    let limit = 0;
    for (let distance = 1; distance <= this.about.farthest; distance++) {
      const here = this.points.filter((point) => point.distance === distance);
      const repaired = here.filter((point) => point.outcome === "repaired" || point.outcome === "unchanged").length;
      if (2 * repaired < here.length) break;
      limit = distance;
    }
    const { farthest, orders, possible } = this.about;
    const drawn = orders < possible ? t("orders_drawn", { orders, possible }) : t("orders_all", { orders });
    const key = limit === 0 ? "orders_none" : limit === farthest ? "orders_every" : "orders_limit";
    return [t(key, { system: this.system, limit, farthest }), this.beyond(limit), drawn].filter(Boolean).join(" ");
  }

  // What most cells show that are farther away than that.
  beyond(limit) {
    const far = this.points.filter((point) => point.distance > limit);
    const [most] = this.counts(far);
    return most ? t(limit ? "orders_beyond" : "orders_mostly", { outcome: t(`outcome_${most[0]}`), count: most[1], orders: far.length }) : "";
  }

  // Outcomes with how often each is there, the most frequent first.
  counts(points) {
    const found = new Map();
    for (const { outcome } of points) found.set(outcome, (found.get(outcome) ?? 0) + 1);
    return [...found].sort((a, b) => b[1] - a[1]);
  }

  // The colours that are on the map, each with its word and how many cells have it.
  legend() {
    const items = this.counts(this.points).map(([outcome, count]) => element("li", { class: outcome, title: t(`outcome_${outcome}_means`) }, t("orders_outcome", { outcome: t(`outcome_${outcome}`), count })));
    byId("orders-legend").replaceChildren(...items);
  }
}
