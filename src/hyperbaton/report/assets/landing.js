// Links into the page land where they should, although figures above grow while they are drawn.

function targetOf(hash) {
  const id = hash.startsWith(`${PLACE}&`) ? PLACE.slice(1) : hash.slice(1);
  return id ? document.getElementById(id) : null;
}

// Jump, and stay there until the figures are drawn or the reader moves.
function land(target) {
  const go = () => target.scrollIntoView({ behavior: "instant", block: "start" });
  const growing = new ResizeObserver(go);
  const stop = () => growing.disconnect();
  go();
  growing.observe(document.querySelector("main"));
  for (const moved of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(moved, stop, { once: true, passive: true });
  setTimeout(stop, 5000);
}

function startLanding() {
  const arrive = () => {
    if (location.hash.startsWith(`${PLACE}&`) && hasSentences()) startExplorer();
    const target = targetOf(location.hash);
    if (target) land(target);
  };
  addEventListener("hashchange", arrive);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (link && link.hash === location.hash) arrive(); // the same address again
  });
  arrive();
}
