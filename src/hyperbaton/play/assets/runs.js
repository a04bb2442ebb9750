// From the page to a study: started on a file, paused, resumed, compared; and an example saved.

import { ask } from "./talk.js";
import { english, t } from "./texts.js";

const LOOK = 700; // milliseconds between looks at a run that goes on
const byId = (id) => document.getElementById(id);

export class Studies {
  constructor(page) {
    this.page = page;
    this.chosen = new Set();
    byId("study").addEventListener("submit", (event) => {
      event.preventDefault();
      this.try(() => this.start());
    });
    for (const format of ["conllu", "tsv"]) byId(`save-${format}`).addEventListener("click", () => this.try(() => this.save(format)));
    byId("compare").addEventListener("click", () => this.try(() => this.compare()));
    this.refresh();
  }

  async try(act) {
    try {
      await act();
    } catch (error) {
      this.page.trouble(error);
    }
  }

  async start() {
    const picked = [...byId("study-files").files];
    const files = Object.fromEntries(await Promise.all(picked.map(async (file) => [file.name, await file.text()])));
    await ask("runs/start", { study: byId("study-name").value, pair: this.page.state.pair, systems: this.page.systems(), files });
    await this.refresh();
  }

  async save(format) {
    const { pair, text, reference, variant } = this.page.state;
    const made = await ask("example", { pair, text, reference, variant, format });
    save(`example.${format}`, "text/plain", [made.text]);
  }

  async compare() {
    byId("compared").textContent = t("comparing");
    try {
      const { page } = await ask("runs/compare", { names: [...this.chosen] });
      byId("compared").replaceChildren(this.link(page, t("open_comparison")));
    } catch (error) {
      byId("compared").textContent = "";
      throw error;
    }
  }

  async refresh() {
    await this.try(async () => this.show(await ask("runs/listed")));
  }

  show({ runs, studies }) {
    clearTimeout(this.later);
    if (!byId("study-name").options.length) byId("study-name").replaceChildren(...studies.map((name) => element("option", { value: name }, name)));
    const focused = document.activeElement?.dataset?.act;
    byId("runs").replaceChildren(...runs.map((run) => this.item(run)));
    if (focused) byId("runs").querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus();
    byId("compare").hidden = runs.filter((run) => run.report).length < 2;
    if (runs.some((run) => run.state === "running")) this.later = setTimeout(() => this.refresh(), LOOK);
  }

  item(run) {
    const box = element("input", { type: "checkbox", "aria-label": t("choose_run", { name: run.name }) });
    box.checked = this.chosen.has(run.name);
    box.disabled = !run.report;
    box.addEventListener("change", () => (box.checked ? this.chosen.add(run.name) : this.chosen.delete(run.name)));
    const about = element("div", { class: "about-run" }, element("b", null, run.name), ` ${t(`run_${run.state}`)} `);
    if (run.systems) about.append(element("span", { class: "small" }, run.systems.join(", ")));
    if (run.all) about.append(element("progress", { max: run.all, value: run.done, "aria-label": t("progress_of", { name: run.name }) }));
    if (run.message) about.append(element("p", { class: "fault" }, english(run.message)));
    if (run.state === "there" && !run.report && run.command) about.append(element("p", { class: "small" }, t("resume_by"), " ", element("code", null, run.command)));
    const acts = element("div", { class: "acts" });
    if (run.state === "running") acts.append(this.button(run, "pause"));
    if (run.state === "paused" || run.state === "failed") acts.append(this.button(run, "resume"));
    if (run.report) acts.append(this.link(run.report, t("open_report")));
    return element("li", { "data-run": run.name, "data-state": run.state }, box, about, acts);
  }

  button(run, act) {
    const made = element("button", { type: "button", "data-act": `${act} ${run.name}` }, t(act));
    made.addEventListener("click", () => {
      made.disabled = true;
      this.try(async () => this.show(await ask(`runs/${act}`, { name: run.name })));
    });
    return made;
  }

  // Seen from the page: a proxy may show it beneath a path of its own.
  link(path, text) {
    return element("a", { href: `..${path}`, target: "_blank", rel: "noopener" }, text);
  }
}
