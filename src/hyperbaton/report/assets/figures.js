// Figures are drawn when they come near, and again when the page turns light or dark.

const drawings = [];
let figureData = null;
let library = null;

// The drawing library is packed; the page's policy knows it by its hash.
function loadLibrary() {
  library ??= unpackText("drawing-library").then((code) => {
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
  });
  return library;
}

// Once this is done, figures are drawn without waiting for anything: a page that is to be printed does not wait.
function prepareFigures() {
  figureData ??= unpack("figures-data");
  return Promise.all([figureData, loadLibrary()]);
}

function dark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function points(data) {
  return Object.values(data).reduce((most, values) => Math.max(most, values.length ?? 0), 0);
}

function namesOf(spec, found = new Set()) {
  if (Array.isArray(spec)) for (const part of spec) namesOf(part, found);
  else if (spec && typeof spec === "object")
    for (const [key, value] of Object.entries(spec)) {
      if (key === "data" && value && typeof value.name === "string") found.add(value.name);
      namesOf(value, found);
    }
  return found;
}

// One drawing at a time in each box: the page may turn dark while a figure is being drawn.
function draw(drawing) {
  drawing.done = (drawing.done ?? Promise.resolve()).then(() => drawNow(drawing));
  return drawing.done;
}

async function drawNow(drawing) {
  const [{ figures, datasets, themes }] = await prepareFigures();
  const spec = structuredClone(figures[drawing.number]);
  spec.datasets = {};
  for (const name of namesOf(spec)) if (name in datasets) spec.datasets[name] = datasets[name];
  document.documentElement.dataset.drawn = dark() ? "dark" : "light";
  const options = {
    actions: false,
    ast: true, // the page's policy forbids code made from text
    config: narrowed(clickable(themes[dark() ? "dark" : "light"]), drawing.box.clientWidth),
    renderer: points(spec.datasets) > 4000 ? "canvas" : "svg",
    tooltip: { theme: dark() ? "dark" : "light" },
  };
  try {
    for (let next = spec, trial = 0; next && trial < 3; trial++) {
      await show(drawing, next, options);
      const total = drawing.box.querySelector("svg, canvas").getBoundingClientRect().width;
      next = fitted(next, drawing.result.view, total, drawing.box.clientWidth);
    }
    drawing.box.classList.add("drawn");
    const label = document.getElementById(`${drawing.box.closest("figure").id}-title`).textContent;
    drawing.box.querySelector("svg, canvas").setAttribute("aria-label", label);
    // A frame that scrolls is reached by keys; one that does not is no stop on their way.
    const frame = drawing.box.parentElement;
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
  } catch (error) {
    console.error(error);
    drawing.box.textContent = `This figure cannot be drawn: ${error.message}`;
    drawing.box.classList.add("failed");
  }
}

async function show(drawing, spec, options) {
  drawing.result?.finalize();
  drawing.result = await vegaEmbed(drawing.box, spec, options);
  if (hasSentences()) drawing.result.view.addEventListener("click", (event, item) => pick(item?.datum, spec.usermeta));
}

function drawAll() {
  return Promise.all(drawings.map((drawing) => drawing.done ?? draw(drawing)));
}

function redrawFigures() {
  return Promise.all(drawings.filter((drawing) => drawing.done).map(draw));
}

async function saveFigure(button) {
  const box = button.closest("figure").querySelector(".drawing");
  const drawing = drawings.find((each) => each.box === box);
  await (drawing.done ?? draw(drawing));
  const { view } = drawing.result;
  if (button.classList.contains("svg")) return save(button.dataset.file, "image/svg+xml", [await view.toSVG()]);
  const canvas = await view.toCanvas(3);
  canvas.toBlob((blob) => save(button.dataset.file, "image/png", [blob]));
}

function startFigures() {
  let [width, later] = [innerWidth, 0];
  addEventListener("resize", () => {
    if (innerWidth === width) return; // the bars of a phone's browser come and go
    width = innerWidth;
    clearTimeout(later);
    later = setTimeout(redrawFigures, 250);
  });
  for (const box of document.querySelectorAll(".drawing")) {
    const drawing = { box, number: Number(box.dataset.figure), done: null, result: null };
    drawings.push(drawing);
    whenNear(box, 400, () => draw(drawing));
  }
  for (const button of document.querySelectorAll("figure button")) button.addEventListener("click", () => saveFigure(button));
}
