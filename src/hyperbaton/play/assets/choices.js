// The perturbations as buttons, and a line for a paraphrase of one's own.

import { has, t } from "./texts.js";

// The German or English name of a perturbation, by its own name without brackets and marks.
export function labelOf(name) {
  const key = `p_${name.replace(/\W+/g, "_").replace(/_$/, "")}`;
  return has(key) ? t(key) : name;
}

export class Choices {
  // A random perturbation is drawn again when its button is pressed once more.
  constructor(place, { groups, random }, choose) {
    Object.assign(this, { place, groups, random, choose });
    this.open = null;
  }

  // The buttons of this sentence; those that do not apply are switched off.
  show({ variants }, variant) {
    const sections = Object.entries(this.groups).map(([group, names]) => this.group(group, names, variants, variant));
    this.place.replaceChildren(...sections, this.byHand(variant));
  }

  group(name, names, variants, variant) {
    const buttons = names.map((each) => {
      const pressed = variant?.name === each;
      const button = element("button", { type: "button", title: each, "aria-pressed": String(pressed), "data-name": each }, labelOf(each));
      button.disabled = !(each in variants);
      button.addEventListener("click", () => {
        const again = pressed && this.random.includes(each);
        this.choose(pressed && !again ? null : { name: each, draw: again ? (variant.draw ?? 0) + 1 : 0 });
        this.place.querySelector(`[data-name="${CSS.escape(each)}"]`)?.focus();
      });
      return button;
    });
    return this.details(name, element("div", { class: "buttons", role: "group", "aria-label": t(`group_${name}`) }, ...buttons));
  }

  byHand(variant) {
    const field = element("textarea", { rows: 1, id: "hand", spellcheck: "false", "aria-label": t("hand") });
    field.value = variant?.text ?? "";
    const button = element("button", { type: "button", id: "hand-use" }, t("hand_use"));
    button.addEventListener("click", () => this.choose(field.value.trim() ? { text: field.value } : null));
    return this.details("hand", element("div", { class: "buttons" }, field, button));
  }

  details(name, content) {
    const made = element("details", { "data-group": name, name: "choices" }, element("summary", null, t(`group_${name}`)), content);
    made.open = this.open === name;
    made.addEventListener("toggle", () => {
      if (made.open) this.open = name;
      else if (this.open === name && made.isConnected) this.open = null;
    });
    return made;
  }
}
