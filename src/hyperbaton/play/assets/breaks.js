// "Break it": the search for the smallest change that breaks the sentence, shown as it goes.

import { listen } from "./talk.js";
import { english, t } from "./texts.js";

const MOST = 5; // changes that are listed where the search was stopped
const byId = (id) => document.getElementById(id);

export class BreakSearch {
  constructor(page) {
    this.page = page;
    byId("break-system").replaceChildren(...page.setup.systems.map((system) => element("option", { value: system }, system)));
    byId("break-start").addEventListener("click", () => this.start());
    byId("break-stop").addEventListener("click", () => this.stopped());
  }

  // Another sentence: what was found is no longer about it.
  reset() {
    this.end("");
    this.tries = [];
    byId("break-tries").hidden = byId("break-found").hidden = true;
    byId("break-tries").replaceChildren();
    byId("break-found").replaceChildren();
  }

  end(said, language = "") {
    this.running?.abort();
    this.running = null;
    byId("break-stop").hidden = byId("break-progress").hidden = true;
    byId("break-start").disabled = false;
    byId("break-answer").lang = language || this.page.tongue;
    byId("break-answer").textContent = said;
  }

  stopped() {
    const broken = this.tries.filter((one) => one.why);
    this.end(t(broken.length ? "break_stopped" : "break_stopped_none", { done: this.done, broken: broken.length }));
    this.list(broken.slice(0, MOST));
    byId("break-start").focus();
  }

  async start() {
    this.reset();
    const running = (this.running = new AbortController());
    const { pair, text } = this.page.state;
    this.system = byId("break-system").value;
    this.done = 0;
    byId("break-start").disabled = true;
    byId("break-stop").hidden = byId("break-progress").hidden = false;
    byId("break-progress").removeAttribute("value");
    byId("break-stop").focus();
    byId("break-answer").textContent = t("break_begun", { system: this.system });
    try {
      await listen("break", { pair, text, system: this.system }, (event) => this.running === running && this.take(event), running.signal);
    } catch (error) {
      if (this.running === running) this.end(error instanceof TypeError ? t("gone") : error.message, error.language);
    }
  }

  take(event) {
    if (event.state === "begun") this.budget = event.budget;
    if (event.state === "tried") this.add(event);
    if (event.state === "done") this.finish(event);
    if (event.state === "fault") this.end(event.fault, "en");
  }

  // A round of changes: a cell each, dark as far as its translation differs, and those that break in a list.
  add({ tried, done }) {
    this.done = done;
    this.tries.push(...tried);
    byId("break-progress").value = Math.min(1, done / this.budget);
    byId("break-tries").hidden = false;
    byId("break-tries").append(
      ...tried.map((one) => {
        const cell = element("span", { class: one.why ? "broken" : "", title: `${one.text} → ${one.output}` });
        cell.style.setProperty("--damage", `${Math.round(100 * (1 - one.similarity))}%`);
        return cell;
      }),
    );
    const broken = this.tries.filter((one) => one.why);
    byId("break-answer").textContent = t(broken.length ? "break_so_far" : "break_not_yet", { done, broken: broken.length });
    const near = broken.at(-1) ?? [...this.tries].sort((a, b) => a.similarity - b.similarity)[0];
    byId("break-found").hidden = !near;
    if (near) byId("break-found").replaceChildren(this.item(near, false));
  }

  finish({ cases, done, translated }) {
    this.done = done;
    const focused = document.activeElement === byId("break-stop");
    if (!translated) this.end(t("break_silent", { system: this.system }));
    else if (!cases.length) this.end(t("break_none", { system: this.system, done }));
    else this.end(t(cases[0].size > 1 ? "break_found_several" : "break_found", { system: this.system, done, size: cases[0].size, kind: t(`kind_${cases[0].kind}`) }));
    if (focused) byId("break-start").focus();
    this.list(cases);
    if (cases.length) this.open(cases[0]);
  }

  // Each change as a button that makes it in the sentence.
  list(cases) {
    byId("break-found").hidden = !cases.length;
    byId("break-found").replaceChildren(...cases.map((one) => this.item(one)));
  }

  item(one, opens = true) {
    const [language, target] = this.page.state.pair.split("-");
    const changed = diffNodes({ text: this.page.state.text, language }, { text: one.text, language })[1];
    const made = element(opens ? "button" : "span", opens ? { type: "button" } : {}, element("span", { class: "text", lang: language, dir: "auto" }, ...changed));
    if (opens) made.addEventListener("click", () => this.open(one));
    const head = element("b", null, t(one.kind ? `kind_${one.kind}` : one.why ? "break_breaks" : "break_nearest"));
    const why = element("span", { class: "small" }, one.why ? english(one.why) : "");
    return element("li", null, head, made, element("span", { class: "text", lang: target, dir: "auto" }, one.output), why);
  }

  open(one) {
    this.page.vary(one.order ? { order: one.order } : { text: one.text }, true);
  }
}
