// SPDX-License-Identifier: Apache-2.0
// Saves rows that are objects, or a table of the page, as a CSV file.
const quoted = (value) => {
  const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csvOf = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";

function save(name, rows) {
  const url = URL.createObjectURL(new Blob([csvOf(rows)], { type: "text/csv;charset=utf-8" }));
  element("a", { href: url, download: `${name}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  said(`${name}.csv: ${(rows.length - 1).toLocaleString("en")} rows`);
}
function saveObjects(name, rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  save(name, [names, ...rows.map((row) => names.map((key) => row[key]))]);
}
function saveTable(name, table) {
  const texts = (row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim());
  save(name, [texts(table.tHead.rows[0]), ...[...table.tBodies[0].rows].map(texts)]);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.csv");
  if (!button || !button.dataset.name) return;
  const { name, figure, table, of } = button.dataset;
  if (of) saveTable(name, byId(of));
  else if (figure) saveObjects(name, await figureRows(figure));
  else if (table) saveObjects(name, await tableRows(table));
});
