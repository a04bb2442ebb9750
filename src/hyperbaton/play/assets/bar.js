// The bar: undo and redo, the link of this state, light or dark, the language of the page; and the legends.

import { languageName, speak, t } from "./texts.js";

const byId = (id) => document.getElementById(id);
const KINDS = ["repaired", "carried", "lost", "mixed", "untranslated", "empty"];

export class Bar {
  constructor(page) {
    this.page = page;
    byId("undo").addEventListener("click", () => page.step(-1));
    byId("redo").addEventListener("click", () => page.step(1));
    byId("link").addEventListener("click", () => this.copyLink());
    byId("theme").addEventListener("click", () => this.turn());
    byId("tongue").addEventListener("change", () => this.translate());
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.matches("textarea, input")) return;
      const by = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key.toLowerCase()];
      if (!by) return;
      event.preventDefault();
      page.step(by);
    });
    this.legend();
  }

  show({ canUndo, canRedo }) {
    byId("undo").disabled = !canUndo;
    byId("redo").disabled = !canRedo;
  }

  // What the colours mean.
  legend() {
    byId("outcomes").replaceChildren(...KINDS.map((kind) => element("li", { class: kind }, `${t(`outcome_${kind}`)}: ${t(`outcome_${kind}_means`)}`)));
    this.page.map?.legend();
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      byId("spoken").textContent = byId("link").textContent = t("link_copied");
      setTimeout(() => (byId("link").textContent = t("copy_link")), 2000);
    } catch {
      prompt(t("copy_link"), location.href);
    }
  }

  turn() {
    const { dataset } = document.documentElement;
    const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = dark ? "light" : "dark";
  }

  async translate() {
    this.page.tongue = byId("tongue").value;
    await speak(this.page.tongue);
    for (const id of ["source", "target"]) for (const option of byId(id).options) option.textContent = languageName(option.value);
    this.legend();
    this.page.studies.refresh();
    await this.page.show();
  }
}
