// SPDX-License-Identifier: Apache-2.0
// The dialog of a cell, opened by its address: the verdict in words, then every number.
const dialog = byId("cell-dialog");
let addressBefore = "";

const SENTENCES = {
  faster: (it, than) => `▼ ${it} is faster than ${than}.`,
  slower: (it, than) => `▲ ${it} is slower than ${than}.`,
  equivalent: (it, than) => `= ${it} and ${than} are equivalent.`,
  inconclusive: (it, than) => `? Whether ${it} is faster than ${than} is not resolved.`,
};

function definition(pairs) {
  const made = element("dl", { class: "pairs" });
  for (const [name, value] of pairs) if (value !== null && value !== undefined) made.append(element("div", {}, element("dt", {}, name), element("dd", {}, ...[value].flat())));
  return made;
}

function simpleTable(label, heads, rows) {
  const table = element("table", { class: "small" }, element("thead", {}, element("tr", {}, ...heads.map((head, at) => element("th", { scope: "col", class: at ? "number" : null }, head)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((value, at) => (at ? element("td", { class: "number" }, value) : element("th", { scope: "row" }, value)))))));
  return element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, table);
}

// Draw the ratio of each process as a dot and the two intervals as bars, on a logarithmic scale; 1 is a line if it is near.
function strip(values, bounds) {
  const known = values.filter((value) => value !== null && value > 0);
  const logs = [...known, ...bounds.flat().filter((value) => value > 0)].map(Math.log);
  let low = Math.min(...logs), high = Math.max(...logs);
  const reach = Math.max(high - low, 0.02);
  const shown = low - reach < 0 && high + reach > 0;
  if (shown) { low = Math.min(low, 0); high = Math.max(high, 0); }
  const room = Math.max(0.08 * (high - low), 0.004);
  low -= room; high += room;
  const x = (value) => ((600 * (Math.log(value) - low)) / (high - low)).toFixed(1);
  const line = (kind, from, to, top, bottom) => `<line class="${kind}" x1="${x(from)}" x2="${x(to)}" y1="${top}" y2="${bottom}"/>`;
  const parts = [shown ? line("one", 1, 1, 4, 42) : ""];
  for (const [kind, [from, to]] of [["thin", bounds[0]], ["span", bounds[1]]]) if (from > 0 && to > 0) parts.push(line(kind, from, to, 14, 14));
  parts.push(...known.map((value) => `<circle class="dot" cx="${x(value)}" cy="32" r="4.5"/>`));
  const told = (value, where, anchor) => `<text x="${where}" y="54" text-anchor="${anchor}">${ratioOf(value)}</text>`;
  parts.push(told(Math.exp(low), 0, "start"), told(Math.exp(high), 600, "end"));
  if (shown && x(1) > 60 && x(1) < 540) parts.push(told(1, x(1), "middle"));
  const holder = element("div");
  holder.innerHTML = `<svg class="strip" viewBox="0 0 600 58" role="img" aria-label="${known.length} processes, between ${ratioOf(Math.min(...known))} and ${ratioOf(Math.max(...known))}">${parts.join("")}</svg>`;
  return [holder.firstChild, shown];
}

function fillDialog(run, at) {
  const [label, workload, subject] = run.where(at), found = described(run, at), reason = run.void(at);
  const interpreter = run.interpreters.find((each) => each.label === label);
  byId("cell-title").textContent = `${workload} by ${subject}, ${label}${several ? ", " + run.machine : ""}`;
  const body = byId("cell-body"), own = subject === run.reference;
  const says = reason !== null ? `This cell is ${reason}` : own ? "This is the reference: all ratios of the workload are relative to it."
    : SENTENCES[found.verdict]?.(subject, run.reference) ?? (interpreter.trusted === false ? "No verdict: the run is not trustworthy on this interpreter by its own checks." : "No verdict: this run gives no verdict here.");
  const range = (low, high) => (low === null || high === null ? null : `${short(low, 4)} to ${short(high, 4)}`);
  const adjusted = range(found.ratio_low, found.ratio_high), alone = range(found.alone_low, found.alone_high);
  const values = own || found.ratio === null ? [] : run.each(at);
  const copy = byId("cell-copy");
  copy.hidden = false;
  copy.textContent = "Copy link";
  copy.onclick = () => copyLink(run.href(at));
  const inner = [
    element("p", { class: "says" }, says),
    definition([
      ["time per call", `${time(found.ns_net, 4)} net; ${time(found.ns_raw, 4)} including the empty loop`],
      [`ratio to ${run.reference}`, own ? null : short(found.ratio, 4)],
      ["adjusted interval", own ? null : (adjusted ?? "none: fewer than six processes, or not compared")],
      ["unadjusted interval", own ? null : alone],
      ["adjusted p", found.adjusted_p === null ? null : short(found.adjusted_p, 2)],
      ["rank", found.rank === null ? null : `${found.rank} (ties share it)`],
      ["margin of equivalence", own ? null : `${(100 * interpreter.margin).toFixed(1)} %`],
      ["GIL during the call", found.gil],
      ["inside the module", found.inside === null ? null : share(found.inside)],
      ["processes", String(found.processes)],
    ]),
  ];
  if (values.some((value) => value !== null)) {
    const bounds = [[run.bound("low", at), run.bound("high", at)], [run.bound("alone_low", at), run.bound("alone_high", at)]];
    const save = element("button", { type: "button", class: "cell-csv" }, "CSV");
    const rows = values.map((ratio, process) => ({ process, ratio: ratio === null ? null : Number(ratio.toPrecision(5)) }));
    save.addEventListener("click", () => saveObjects(`${label}-${workload}-${subject}`, rows));
    const [picture, shown] = strip(values, bounds);
    inner.push(element("h3", {}, "Ratio in each process"), picture,
      element("p", { class: "soft" }, `Dots: processes. Thick bar: the adjusted interval. Thin bar: the unadjusted interval.${shown ? " Dashed line: 1." : ""}`),
      element("details", { class: "rows" }, element("summary", {}, `The ${rows.length} raw rows`), simpleTable("Ratio in each process", ["process", `ratio to ${run.reference}`], rows.map((row) => [String(row.process), row.ratio === null ? "—" : String(row.ratio)])), element("p", {}, save)));
  }
  if (found.p50 !== null) {
    inner.push(element("h3", {}, "Calls timed one by one"),
      simpleTable("Latency", ["p50", "p90", "p99", "p99.9", "clock", "calls"], [[time(found.p50), time(found.p90), time(found.p99), time(found.p999), time(found.clock), found.calls.toLocaleString("en")]]));
  }
  const others = run.beside(label, workload).filter(([, other]) => other !== at);
  if (others.length) {
    const rows = others.map(([name, other]) => {
      const kind = run.verdict(other), ratio = run.columns.ratio(other);
      return [element("a", { href: run.href(other) }, name), time(run.columns.ns(other)), run.void(other) !== null ? run.kind(other) : name === run.reference ? "reference" : `${ratioOf(ratio)}${MARKS[kind] ? ` ${MARKS[kind]} ${kind}` : ""}`];
    });
    inner.push(element("details", {}, element("summary", {}, `The same workload by ${others.length} others`), simpleTable("The same workload by others", ["approach", "time per call", "ratio"], rows)));
  }
  const files = element("p", { class: "soft" }, "Raw rounds: ", element("code", {}, `results/${run.name}/blocks/${label}-*.json`), "; the cell: ", element("code", {}, "summary.json"), ", ", element("code", {}, "evidence.json"), ". ");
  const how = element("a", { href: "#cells-how" }, "How a cell is measured");
  const trust = element("a", { href: "#trust" }, "whether the run is trustworthy");
  files.append(how, ", ", trust, ".");
  inner.push(files);
  body.replaceChildren(...inner);
  for (const box of body.querySelectorAll(".scroll")) watchWidth(box);
  body.scrollTop = 0;
}

async function copyLink(href) {
  const url = location.href.split("#")[0] + href;
  try {
    await navigator.clipboard.writeText(url);
    said("Link copied");
    byId("cell-copy").textContent = "Copied";
  } catch {
    const field = element("input", { value: url, "aria-label": "Link to this cell", readonly: true, type: "search" });
    byId("cell-body").prepend(element("p", {}, field));
    field.select();
  }
}

async function openCell(parts) {
  const all = await cells();
  const [machine, ...rest] = parts.length > 3 ? parts : [null, ...parts];
  const candidates = all.runs.filter((run) => machine === null || run.machine === machine);
  const run = candidates.find((each) => each.at(...rest) >= 0) ?? candidates[0];
  const at = run && rest.length === 3 ? run.at(...rest) : -1;
  if (at >= 0) fillDialog(run, at);
  else {
    byId("cell-title").textContent = "No such cell";
    byId("cell-copy").hidden = true;
    const gap = run?.gap(...rest);
    byId("cell-body").replaceChildren(element("p", {}, `${rest.join(", ")} was not measured here.`, ...(gap ? [` ${gap}`] : [])), element("p", {}, element("a", { href: "#cells" }, "All measured cells")));
  }
  if (!dialog.open) dialog.showModal();
  byId("cell-title").focus();
}

byId("cell-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("close", () => {
  if (place().kind === "cell") history.replaceState(null, "", addressBefore || location.pathname + location.search);
});
