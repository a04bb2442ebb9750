// Tables: sorting by a column, all rows, CSV in full precision.

const FIRST_ROWS = 60;
const collator = new Intl.Collator(undefined, { numeric: true });

function sortRows(table, column, down) {
  const values = table.values[column];
  const empty = (value) => value === null || value === "";
  const compare = table.numeric[column] ? (a, b) => a - b : collator.compare;
  const rows = values.map((_, row) => row);
  rows.sort((a, b) => {
    if (empty(values[a]) || empty(values[b])) return empty(values[a]) - empty(values[b]) || a - b;
    return (down ? -1 : 1) * compare(values[a], values[b]) || a - b;
  });
  return rows;
}

function fillRows(section, table, state) {
  const size = table.values[0]?.length ?? 0;
  const rows = (state.rows ?? Array.from({ length: size }, (_, row) => row)).slice(0, state.all ? size : FIRST_ROWS);
  const kinds = [...section.querySelectorAll("th")].map((head) => head.className);
  const lines = rows.map((row) => {
    const line = document.createElement("tr");
    table.shown.forEach((column, k) => {
      line.append(element("td", { class: kinds[k], dir: "auto" }, column[row]));
    });
    return line;
  });
  section.querySelector("tbody").replaceChildren(...lines);
}

function startTable(section, tables) {
  const state = { rows: null, all: false, column: -1, down: false };
  const get = async () => (await tables())[Number(section.dataset.table)];
  const heads = [...section.querySelectorAll("th")];
  heads.forEach((head, column) =>
    head.firstElementChild.addEventListener("click", async () => {
      const table = await get();
      const again = state.column === column;
      Object.assign(state, { column, down: again ? !state.down : table.numeric[column] });
      state.rows = sortRows(table, column, state.down);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      fillRows(section, table, state);
    }),
  );
  section.querySelector(".more")?.addEventListener("click", async (event) => {
    state.all = true;
    fillRows(section, await get(), state);
    event.target.remove();
  });
  const button = section.querySelector(".csv");
  button.addEventListener("click", async () => {
    const table = await get();
    const lines = table.values[0].map((_, row) => csvLine(table.values.map((column) => column[row])));
    save(button.dataset.file, "text/csv;charset=utf-8", [csvLine(table.names), ...lines]);
  });
}

// A table that goes on beyond its frame says so, until the reader has been there.
function startHint(grid) {
  const hint = element("p", { class: "hint", "aria-hidden": "true" }, "Scroll for more columns →");
  grid.after(hint);
  const look = () => {
    const more = grid.scrollWidth - grid.clientWidth - grid.scrollLeft > 4;
    grid.classList.toggle("wide", more);
    hint.hidden = !more;
  };
  grid.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(grid);
}

function startTables() {
  for (const grid of document.querySelectorAll(".grid")) startHint(grid);
  let data = null;
  const tables = () => (data ??= unpack("tables-data"));
  for (const section of document.querySelectorAll("section.table")) startTable(section, tables);
}
