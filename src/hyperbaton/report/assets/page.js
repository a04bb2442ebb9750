// What the whole page does: light and dark, print, copy.

function stored(value) {
  try {
    if (value === undefined) return localStorage.getItem("hyperbaton-theme");
    localStorage.setItem("hyperbaton-theme", value);
  } catch {
    // A file opened from a disk may have no storage; the choice then lasts as long as the page.
  }
  return null;
}

function setTheme(name) {
  if (name) document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = dark() ? "Light" : "Dark";
  return redrawFigures();
}

function startTheme() {
  const before = stored();
  setTheme(before === "dark" || before === "light" ? before : null);
  document.getElementById("theme").addEventListener("click", () => {
    const name = dark() ? "light" : "dark";
    stored(name);
    setTheme(name);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme(null));
}

function startPrint() {
  document.getElementById("print").addEventListener("click", async () => {
    const before = dark();
    if (before) await setTheme("light");
    await drawAll();
    print();
    if (before) await setTheme("dark");
  });
  addEventListener("beforeprint", () => {
    drawAll(); // what is prepared is drawn before the page is laid out for paper
    for (const details of document.querySelectorAll("details")) details.open = true; // paper cannot be unfolded
  });
}

// A browser that prints at once, without a window, waits for the page to be loaded: an open frame keeps it loading
// until figures can be drawn.
function loadFigures() {
  const frame = element("iframe", { hidden: "", title: "", "aria-hidden": "true" });
  document.body.append(frame);
  frame.contentDocument?.open();
  prepareFigures().finally(() => {
    frame.contentDocument?.close();
    frame.remove();
  });
}

async function copyText(button) {
  const code = button.closest("section").querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

function startLinkButton(link) {
  const button = document.getElementById("x-link");
  button.addEventListener("click", async () => {
    if (!setAddress(link())) return;
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      return; // the address is in the browser's bar all the same
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy link"), 1500);
  });
}

// What a word means, as the glossary says.
function termOf(label) {
  termOf.known ??= new Map([...document.querySelectorAll(".glossary dt")].map((term) => [term.textContent, term.nextElementSibling.textContent]));
  return termOf.known.get(label) ?? null;
}

// A term says what it means on a tap too; a pointer that rests on it has the browser's own way.
function startTerms() {
  const tip = element("div", { class: "tip", role: "status", hidden: "" });
  document.body.append(tip);
  let term = null;
  // Figures are drawn while one reads and move what is below: the words go with their term.
  const place = () => {
    const box = term?.getBoundingClientRect();
    tip.hidden = !term || box.bottom < 0 || box.top > innerHeight;
    if (tip.hidden) return;
    tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${box.bottom + 6}px`;
  };
  document.addEventListener("click", (event) => {
    term = event.target.closest?.("abbr[title]") ?? null;
    tip.textContent = term?.title ?? "";
    place();
  });
  addEventListener("scroll", place, { passive: true, capture: true });
}

function startCopy() {
  for (const button of document.querySelectorAll(".copy")) button.addEventListener("click", () => copyText(button));
}

startFigures();
startTheme();
startTables();
startPrint();
startCopy();
startTerms();
startLanding();
const sentences = document.getElementById("sentences");
if (sentences) whenNear(sentences, 1200, startExplorer);
if (drawings.length) loadFigures();
