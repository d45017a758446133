// SPDX-License-Identifier: Apache-2.0
// Fills the tables of rows and lists of cells behind claims, figures and scores when they are opened.
function startEvidence() {
  for (const box of document.querySelectorAll("details.rows")) {
    const fill = box.querySelector(".fill");
    if (!fill) continue;
    box.addEventListener("toggle", () => {
      if (!box.open || box.dataset.begun) return;
      box.dataset.begun = "true";
      busy.during((async () => {
        const { figure, table, machineOf } = box.dataset;
        const rows = figure ? await figureRows(figure) : await tableRows(table);
        await fillTable(fill, rows, box.dataset.label ?? `Rows of the figure ${figure}`, machineOf);
      })());
    });
  }
  for (const box of document.querySelectorAll("details.cells-of")) {
    box.addEventListener("toggle", () => {
      if (!box.open || box.dataset.begun) return;
      box.dataset.begun = "true";
      busy.during((async () => {
        const rows = await tableRows(box.dataset.table);
        const links = rows.map((row) => element("li", {}, element("a", { href: hrefOf(box.dataset.machineOf, row.interpreter, row.workload, row.subject) }, `${row.workload}, ${row.subject}, ${row.interpreter}`)));
        box.querySelector(".fill").replaceChildren(element("ul", {}, ...links));
      })());
    });
  }
}
