// SPDX-License-Identifier: Apache-2.0
// The table of every cell: DataTables renders one page of it from the columns, whatever their length.
const list = { inputs: Object.fromEntries(["machine", "interpreter", "subject", "noun", "verdict", "filter"].map((name) => [name, byId("cells-" + name)])) };

list.columns = (all) => {
  const text = (title, of, html) => ({ title, data: (row, kind) => (kind === "display" ? (html ? html(row) : escaped(of(row))) : of(row)) });
  const number = (title, of, show) => ({
    title,
    className: "number",
    type: "amount",
    searchable: false,
    data: (row, kind) => (kind === "display" ? show(of(row), row) : (of(row) ?? null)),
  });
  const column = (name) => (row) => row.run.columns[name](row.at);
  const found = [
    text("interpreter", (row) => row.run.labels[row.run.label[row.at]]),
    { ...text("workload", (row) => all.workloads[row.run.workload[row.at]], (row) => `<a href="${escaped(row.run.href(row.at))}">${escaped(all.workloads[row.run.workload[row.at]])}</a>`), type: "string" },
    text("approach", (row) => all.subjects[row.run.subject[row.at]]),
    number("time per call", column("ns"), (value) => time(value)),
    number("ratio", column("ratio"), ratioOf),
    number("low", (row) => row.run.bound("low", row.at) ?? row.run.bound("alone_low", row.at), ratioOf),
    number("high", (row) => row.run.bound("high", row.at) ?? row.run.bound("alone_high", row.at), ratioOf),
    { className: "nowrap", ...text("verdict", (row) => (row.run.kind(row.at) ?? row.run.verdict(row.at)), (row) => {
      const verdict = row.run.kind(row.at) ?? row.run.verdict(row.at);
      return MARKS[verdict] ? `<span aria-hidden="true">${MARKS[verdict]}</span> ${verdict}` : verdict;
    }) },
    number("rank", (row) => { const rank = row.run.columns.rank(row.at); return rank < 0 ? null : rank; }, (value) => value ?? "—"),
    number("p50", column("p50"), (value) => time(value)),
    number("p99", column("p99"), (value) => time(value)),
    number("processes", column("processes"), (value) => value),
  ];
  return several ? [text("machine", (row) => row.run.machine), ...found] : found;
};

list.fits = () => {
  const { machine, interpreter, subject, noun, verdict, filter } = Object.fromEntries(Object.entries(list.inputs).map(([name, input]) => [name, input?.value ?? ""]));
  const wanted = filter.trim().toLowerCase();
  const right = list.all.workloads.map((workload) => (!noun || nounOf(workload) === noun) && workload.toLowerCase().includes(wanted));
  return list.rows.filter(({ run, at }) =>
    right[run.workload[at]] &&
    (!machine || run.machine === machine) &&
    (!interpreter || run.labels[run.label[at]] === interpreter) &&
    (!subject || list.all.subjects[run.subject[at]] === subject) &&
    (!verdict || (run.kind(at) ?? run.verdict(at)) === verdict));
};

list.state = () => Object.fromEntries(Object.entries(list.inputs).filter(([, input]) => input).map(([name, input]) => [name, input.value]));
list.restore = (state) => {
  for (const [name, input] of Object.entries(list.inputs)) {
    const value = state.get(name) ?? "";
    if (input && (input.tagName !== "SELECT" || [...input.options].some((option) => option.value === value))) input.value = value;
  }
};
list.apply = () => {
  list.table.clear();
  list.table.rows.add(list.fits());
  list.table.draw();
};

list.start = async () => {
  const [all, DataTable] = await Promise.all([cells(), DataTables()]);
  list.all = all;
  list.rows = all.runs.flatMap((run) => Array.from({ length: run.length }, (_, at) => ({ run, at })));
  const options = {
    machine: all.runs.map((run) => run.machine),
    interpreter: [...new Set(all.runs.flatMap((run) => run.labels))],
    subject: [...new Set(all.runs.flatMap((run) => run.subjects))],
    noun: [...new Set(all.order.map((number) => nounOf(all.workloads[number])))],
    verdict: [...all.verdicts, ...["void", "not steady"].filter((kind) => list.rows.some((row) => row.run.kind(row.at) === kind))],
  };
  for (const [name, values] of Object.entries(options)) list.inputs[name]?.append(...values.map((value) => element("option", {}, value)));
  if (list.pending) list.restore(list.pending);
  const table = element("table", { id: "cells-table", class: "small" });
  byId("cells-body").replaceChildren(table);
  list.table = new DataTable(table, {
    data: list.fits(), columns: list.columns(all), layout: PAGED, pageLength: 25, lengthMenu: [25, 100, 500], autoWidth: false, deferRender: true, order: [], language: LANGUAGE,
  });
  finish(byId("cells-body"), list.table, "Every cell");
  let timer;
  for (const input of Object.values(list.inputs)) {
    input?.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => { list.apply(); remember("cells", list.state()); }, input.type === "search" ? 150 : 0);
    });
  }
  byId("cells-csv").addEventListener("click", () => saveObjects("cells", list.fits().map(({ run, at }) => described(run, at))));
  list.live = true;
};
list.show = (state) => {
  list.pending = state;
  if (list.live) { list.restore(state); list.apply(); } else list.once();
};
list.once = () => (list.begun ??= busy.during(list.start()));

// Return all values of a cell, under the names of the summary.
function described(run, at) {
  const [interpreter, workload, subject] = run.where(at), columns = run.columns;
  const digits = (value) => (value === null ? null : Number(value.toPrecision(5)));
  const ns = columns.ns(at), loop = columns.loop(at), rank = columns.rank(at);
  return {
    machine: run.machine, interpreter, workload, subject, ns_net: ns, ns_raw: ns === null || loop === null ? null : digits(ns + loop), ratio: columns.ratio(at),
    ratio_low: digits(run.bound("low", at)), ratio_high: digits(run.bound("high", at)), alone_low: digits(run.bound("alone_low", at)), alone_high: digits(run.bound("alone_high", at)),
    adjusted_p: columns.p(at), verdict: run.verdict(at), rank: rank < 0 ? null : rank, processes: columns.processes(at), gil: run.all.gil[columns.gil(at)], inside: columns.inside(at),
    p50: columns.p50(at), p90: columns.p90(at), p99: columns.p99(at), p999: columns.p999(at), clock: columns.timer(at), calls: columns.calls(at), void: run.void(at),
  };
}
