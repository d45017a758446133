// SPDX-License-Identifier: Apache-2.0
// Reads the two documents of the page on first use, and formats numbers.
const byId = (id) => document.getElementById(id);

function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inside);
  return made;
}

const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);

async function documentOf(id) {
  const holder = byId(id);
  let text = holder.textContent;
  if (holder.dataset.encoding === "gzip") {
    const squeezed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    text = await new Response(new Blob([squeezed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }
  holder.remove();
  return JSON.parse(text);
}

// Return a column of `columns.py` as a function from a row's number to its value.
function reader(column) {
  if (Array.isArray(column)) return (row) => column[row];
  if ("all" in column) return () => column.all;
  return (row) => column.names[column.at[row]];
}

function rowsOf(table) {
  const readers = Object.entries(table.columns).map(([name, column]) => [name, reader(column)]);
  return Array.from({ length: table.length }, (_, row) => Object.fromEntries(readers.map(([name, read]) => [name, read(row)])));
}

class CellsOfRun {
  constructor(found, all) {
    Object.assign(this, { machine: found.machine, name: found.name, tier: found.tier, judged: found.judged, reference: found.reference });
    this.kinds = new Map(found.subjects);
    this.subjects = [...this.kinds.keys()];
    this.interpreters = found.interpreters;
    this.labels = found.interpreters.map((each) => each.label);
    this.length = found.length;
    this.all = all;
    this.columns = Object.fromEntries(Object.entries(found.columns).map(([name, column]) => [name, reader(column)]));
    this.label = new Uint16Array(found.length);
    this.workload = new Uint16Array(found.length);
    this.subject = new Uint16Array(found.length);
    this.first = new Map();
    this.gaps = new Map(found.gaps.map(([label, subject, workload, reason]) => [[label, workload, subject].join("\n"), all.reasons[reason]]));
    let at = 0;
    found.interpreters.forEach((each, label) => {
      for (let place = 0; place < each.rows.length; place += 2) {
        const pattern = found.patterns[each.rows[place + 1]];
        this.first.set(each.label + "\n" + all.workloads[each.rows[place]], [at, pattern]);
        for (const subject of pattern) {
          this.label[at] = label;
          this.workload[at] = each.rows[place];
          this.subject[at] = subject;
          at += 1;
        }
      }
    });
  }
  at(label, workload, subject) {
    const place = this.first.get(label + "\n" + workload);
    const number = place ? place[1].indexOf(this.all.subjectNumber.get(subject)) : -1;
    return number < 0 ? -1 : place[0] + number;
  }
  beside(label, workload) {
    const place = this.first.get(label + "\n" + workload);
    return place ? place[1].map((subject, number) => [this.all.subjects[subject], place[0] + number]) : [];
  }
  gap(label, workload, subject) { return this.gaps.get([label, workload, subject].join("\n")); }
  where(at) { return [this.labels[this.label[at]], this.all.workloads[this.workload[at]], this.all.subjects[this.subject[at]]]; }
  verdict(at) { return this.all.verdicts[this.columns.verdict(at)]; }
  kind(at) { const reason = this.void(at); return reason === null ? null : reason.slice(0, reason.indexOf(":")); }
  void(at) { const number = this.columns.void(at); return number < 0 ? null : this.all.reasons[number]; }
  bound(name, at) {
    const ratio = this.columns.ratio(at), distance = this.columns[name](at);
    return ratio === null || distance === null ? null : ratio * Math.exp(distance / this.all.scale);
  }
  each(at) {
    const ratio = this.columns.ratio(at), found = this.columns.each(at);
    const distances = Array.isArray(found) ? found : Array(found).fill(0);
    return distances.map((distance) => (distance === null || ratio === null ? null : ratio * Math.exp(distance / this.all.scale)));
  }
  href(at) { return hrefOf(this.machine, ...this.where(at)); }
}

let cellsPromise;
function cells() {
  cellsPromise ??= documentOf("data-cells").then((found) => {
    const all = { ...found, subjectNumber: new Map(found.subjects.map((name, number) => [name, number])) };
    all.place = new Map(found.order.map((number, place) => [number, place]));
    all.runs = found.runs.map((run) => new CellsOfRun(run, all));
    return all;
  });
  return cellsPromise;
}

let drawnPromise;
function drawn() {
  drawnPromise ??= documentOf("data-drawn");
  return drawnPromise;
}

async function figureRows(name) {
  const found = await drawn();
  return rowsOf(found.tables[found.figures[name].rows]);
}
async function tableRows(name) {
  const found = await drawn();
  return rowsOf(found.tables[found.of[name]]);
}

const several = byId("machine") !== null;
const hrefOf = (machine, ...parts) => "#cell/" + [...(several ? [machine] : []), ...parts].map(encodeURIComponent).join("/");

const MARKS = { faster: "▼", slower: "▲", equivalent: "=", inconclusive: "?" };
const nounOf = (workload) => workload.split(".")[0].split("[")[0];

function short(value, digits = 3) {
  if (value === null || value === undefined) return "—";
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 10 ** digits ? Math.round(value).toLocaleString("en") : size < 1e-4 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
}
function time(ns, digits = 3) {
  if (ns === null || ns === undefined) return "—";
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]]) if (Math.abs(ns) >= size) return `${short(ns / size, digits)} ${unit}`;
  return ns < 0.5 ? "< 0.5 ns" : `${short(ns, digits)} ns`;
}
// Format a ratio, always with the same number of digits, so that the ratios of a column are easy to compare.
const ratioOf = (value) => (value === null || value === undefined ? "—" : value >= 1000 ? Math.round(value).toLocaleString("en") : value < 1e-3 ? value.toExponential(1) : value.toPrecision(3));
const share = (value) => (value === null ? "—" : `${Math.round(100 * value)} %`);
