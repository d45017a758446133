// SPDX-License-Identifier: Apache-2.0
// Libraries are executed on first use; tables of the page become sortable when they come near the viewport.
const libraries = new Map();
function library(name) {
  if (!libraries.has(name)) {
    const holder = byId("library-" + name);
    const url = URL.createObjectURL(new Blob([holder.textContent], { type: "text/javascript" }));
    holder.remove();
    libraries.set(name, import(url).finally(() => URL.revokeObjectURL(url)));
  }
  return libraries.get(name);
}
async function DataTables() {
  const { default: DataTable } = await library("datatables");
  // Sort numbers, with missing values last in either direction.
  const order = (sign) => (one, two) => (one === null ? (two === null ? 0 : 1) : two === null ? -1 : sign * (one - two));
  DataTable.ext.type.order["amount-asc"] = order(1);
  DataTable.ext.type.order["amount-desc"] = order(-1);
  return DataTable;
}

const LANGUAGE = {
  emptyTable: "nothing to show", zeroRecords: "no row matches", info: "_START_ to _END_ of _TOTAL_ rows", infoEmpty: "no rows", infoFiltered: "(of _MAX_)", thousands: ",",
  lengthLabels: {}, lengthMenu: "_MENU_ rows a page",
};
const PAGED = { topStart: null, topEnd: null, bottomStart: ["info", "pageLength"], bottomEnd: { paging: { type: "simple_numbers", boundaryNumbers: true } } };
const BARE = { topStart: null, topEnd: null, bottomStart: null, bottomEnd: null };
const FEW = 12;

// Mark scrolling containers that have more content than they show.
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const box = target.classList.contains("scroll") ? target : target.closest(".scroll");
    if (box) box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 2);
  }
});
function watchWidth(box) {
  widths.observe(box);
  for (const inside of box.querySelectorAll("table")) widths.observe(inside);
}

// Make the container of DataTables a scrolling region, and label its pages.
function finish(box, live, label) {
  const holder = box.querySelector(".dt-layout-table") ?? box;
  holder.classList.add("scroll");
  for (const [key, value] of [["role", "region"], ["tabindex", "0"], ["aria-label", label]]) holder.setAttribute(key, value);
  const named = () => box.querySelector(".dt-paging nav")?.setAttribute("aria-label", `Pages: ${label}`);
  live.on("draw", named);
  named();
  watchWidth(holder);
}

async function sortable(table) {
  const DataTable = await DataTables();
  const rows = table.tBodies[0].rows.length;
  const live = new DataTable(table, {
    layout: BARE, paging: false, info: false, autoWidth: false, order: [], language: LANGUAGE,
  });
  if (rows > FEW) {
    const input = element("input", { type: "search", autocomplete: "off" });
    input.addEventListener("input", () => live.search(input.value).draw());
    table.closest(".scroll").before(element("label", { class: "find" }, element("span", {}, "Filter rows"), input));
  }
  watchWidth(table.closest(".scroll"));
}

// Fill a table with rows that are objects; a row that names a cell links to it.
async function fillTable(box, rows, label, machine) {
  const DataTable = await DataTables();
  const names = Object.keys(rows[0] ?? {});
  const linked = names.includes("interpreter") && names.includes("workload") && names.includes("subject") ? await cells() : null;
  const cellOf = (row) => {
    const run = linked?.runs.find((each) => each.machine === (row.machine ?? machine)) ?? (linked?.runs.length === 1 ? linked.runs[0] : null);
    const at = run ? run.at(row.interpreter, row.workload, row.subject) : -1;
    return at < 0 ? null : run.href(at);
  };
  const columns = names.map((name) => {
    const numeric = rows.every((row) => row[name] === null || row[name] === undefined || typeof row[name] === "number");
    return {
      title: escaped(name.replaceAll("_", " ")),
      className: numeric ? "number" : rows.some((row) => String(row[name] ?? "").length > 30) ? "wordy" : "nowrap",
      type: numeric ? "amount" : "string",
      data: (row, kind) => {
        const value = row[name];
        if (kind === "sort" || kind === "type") return value ?? (numeric ? null : "");
        const text = value === null || value === undefined ? "—" : numeric ? short(value, 4) : typeof value === "object" ? JSON.stringify(value) : String(value);
        if (kind === "display" && name === "workload") {
          const href = cellOf(row);
          if (href) return `<a href="${escaped(href)}">${escaped(text)}</a>`;
        }
        return kind === "display" ? escaped(text) : text;
      },
    };
  });
  const table = element("table", { class: "small" });
  const scroll = element("div", { class: "rows-table" }, table);
  box.replaceChildren(scroll);
  const paged = rows.length > 25;
  const live = new DataTable(table, { data: rows, columns, layout: paged ? PAGED : BARE, paging: paged, pageLength: 25, lengthMenu: [25, 100, 500], info: paged, autoWidth: false, order: [], deferRender: true, language: LANGUAGE });
  finish(scroll, live, label);
}
