// SPDX-License-Identifier: Apache-2.0
// The heat map of one interpreter: an HTML table that is rebuilt whenever a selector changes.
const heat = { inputs: Object.fromEntries(["machine", "interpreter", "noun", "filter", "variants", "references"].map((name) => [name, byId("heatmap-" + name)])) };
const BESIDE = "side by side";
const STEPS = [1.04, 1.2, 1.6, 2.6, 5.5];  // limits of the colour classes, between the values that the key shows

function colourOf(ratio) {
  const size = ratio >= 1 ? ratio : 1 / ratio;
  const step = STEPS.filter((end) => size > end).length;
  return step === 0 ? "f0" : (ratio < 1 ? "f" : "s") + step;
}

heat.state = () => Object.fromEntries(Object.entries(heat.inputs).filter(([, input]) => input).map(([name, input]) => [name, input.type === "checkbox" ? (input.checked ? "1" : "") : input.value]));

heat.restore = (state) => {
  for (const [name, input] of Object.entries(heat.inputs)) {
    if (!input) continue;
    const value = state.get(name) ?? "";
    if (input.type === "checkbox") input.checked = value === "1";
    else if (input.tagName !== "SELECT") input.value = value;
    else if ([...input.options].some((option) => option.value === value)) input.value = value;
    if (name === "machine") heat.interpreters();
  }
};

heat.runs = () => {
  const chosen = heat.inputs.machine?.value;
  return heat.all.runs.filter((run) => !chosen || chosen === BESIDE || run.machine === chosen);
};

heat.interpreters = () => {
  const before = heat.inputs.interpreter.value;
  const labels = [...new Set(heat.runs().flatMap((run) => run.labels))];
  heat.inputs.interpreter.replaceChildren(...labels.map((label) => element("option", {}, label)));
  if (labels.includes(before)) heat.inputs.interpreter.value = before;
};

heat.columns = (label) => {
  const kinds = new Set(["binding", ...(heat.inputs.variants.checked ? ["variant"] : []), ...(heat.inputs.references.checked ? ["reference", "control"] : [])]);
  const runs = heat.runs().filter((run) => run.labels.includes(label));
  const names = [...new Set(runs.flatMap((run) => run.subjects.filter((name) => kinds.has(run.kinds.get(name)))))];
  return names.map((name) => [name, runs.filter((run) => run.kinds.has(name))]);
};

heat.cell = (run, label, workload, subject) => {
  const at = run.at(label, workload, subject);
  if (at < 0) {
    const gap = run.gap(label, workload, subject);
    return gap ? `<td><span class="none" title="${escaped(gap)}">gap</span></td>` : `<td><span class="none"><span class="unseen">not measured</span></span></td>`;
  }
  const ratio = run.columns.ratio(at), reason = run.void(at), href = escaped(run.href(at));
  if (reason !== null) return `<td><a href="${href}" title="${escaped(reason)}">${escaped(run.kind(at))}</a></td>`;
  if (subject === run.reference) return `<td class="f0"><a href="${href}">${time(run.columns.ns(at))}<span class="mark"></span></a></td>`;
  if (ratio === null) return `<td><a href="${href}">—</a></td>`;
  const verdict = run.verdict(at), mark = MARKS[verdict] ?? "";
  const told = mark ? `<span class="mark" aria-hidden="true">${mark}</span><span class="unseen"> ${verdict}</span>` : '<span class="mark"></span>';
  return `<td class="${colourOf(ratio)}"><a href="${href}">${ratioOf(ratio)}${told}</a></td>`;
};

heat.draw = () => {
  const label = heat.inputs.interpreter.value, noun = heat.inputs.noun.value, wanted = heat.inputs.filter.value.trim().toLowerCase();
  const columns = heat.columns(label), runs = [...new Set(columns.flatMap(([, own]) => own))];
  const beside = runs.length > 1;
  const known = heat.all.order.map((number) => heat.all.workloads[number]).filter((workload) => runs.some((run) => run.first.has(label + "\n" + workload)));
  const rows = known.filter((workload) => (!noun || nounOf(workload) === noun) && workload.toLowerCase().includes(wanted));
  heat.shown = { label, rows, columns };
  const reference = (run, name) => (name === run.reference ? ", time" : "");
  const heads = columns.map(([name, own]) => `<th scope="${beside ? "colgroup" : "col"}"${beside ? ` colspan="${own.length}" class="over"` : ""}>${escaped(name)}${beside ? "" : reference(own[0], name)}</th>`).join("");
  const machines = beside ? `<tr>${columns.map(([name, own]) => own.map((run) => `<th scope="col">${escaped(run.machine)}${reference(run, name)}</th>`).join("")).join("")}</tr>` : "";
  const width = columns.reduce((sum, [, own]) => sum + own.length, 1);
  const html = [`<table class="heat"><thead><tr><th scope="col"${beside ? ' rowspan="2"' : ""}>workload</th>${heads}</tr>${machines}</thead>`];
  let group = null, idiom = null;
  for (const workload of rows) {
    if (nounOf(workload) !== group) {
      if (group !== null) html.push("</tbody>");
      group = nounOf(workload);
      html.push(`<tbody><tr><th class="noun" scope="rowgroup" colspan="${width}"><span>${escaped(group)}</span></th></tr>`);
    }
    const name = workload.startsWith(group + ".") ? workload.slice(group.length + 1) : workload;
    const [base, rest = ""] = name.split(/(?=\[)/);
    const title = rest && base === idiom ? `<span class="same">${escaped(base)}</span>` : `<span class="idiom">${escaped(base)}</span>`;
    idiom = base;
    html.push(`<tr><th scope="row">${title}${rest ? "<wbr>" : ""}${escaped(rest)}</th>${columns.map(([subject, own]) => own.map((run) => heat.cell(run, label, workload, subject)).join("")).join("")}</tr>`);
  }
  html.push(rows.length ? "</tbody></table>" : `</table>`);
  const body = byId("heatmap-body");
  body.innerHTML = html.join("");
  body.setAttribute("aria-label", `Heat map, ${label}`);
  watchWidth(body);
  const trusted = runs.map((run) => [run, run.interpreters.find((each) => each.label === label)]);
  const untrusted = trusted.filter(([, each]) => each.trusted !== true).map(([run, each]) => `${beside ? run.machine + ": " : ""}${each.trusted === false ? "not trustworthy by the run's own checks: there are no verdicts" : "this run gives no verdicts"}`);
  byId("heatmap-count").textContent = `${rows.length} of ${known.length} workloads. ${untrusted.join("; ")}`;
};

heat.start = async () => {
  heat.all = await cells();
  if (heat.inputs.machine) heat.inputs.machine.replaceChildren(...heat.all.runs.map((run) => element("option", {}, run.machine)), element("option", {}, BESIDE));
  heat.interpreters();
  const nouns = [...new Set(heat.all.order.map((number) => nounOf(heat.all.workloads[number])))];
  heat.inputs.noun.append(...nouns.map((noun) => element("option", {}, noun)));
  if (heat.pending) heat.restore(heat.pending);
  for (const input of Object.values(heat.inputs)) {
    input?.addEventListener("input", () => {
      if (input === heat.inputs.machine) heat.interpreters();
      heat.draw();
      remember("heatmap", heat.state());
    });
  }
  byId("heatmap-csv").addEventListener("click", () => {
    const rows = heat.shown.rows.flatMap((workload) => heat.shown.columns.flatMap(([subject, runs]) => runs.map((run) => [run, run.at(heat.shown.label, workload, subject)])));
    saveObjects(`heatmap-${heat.shown.label}`, rows.filter(([, at]) => at >= 0).map(([run, at]) => described(run, at)));
  });
  heat.draw();
  heat.live = true;
};
heat.show = (state) => {
  heat.pending = state;
  if (heat.live) { heat.restore(state); heat.draw(); } else heat.once();
};
heat.once = () => (heat.begun ??= busy.during(heat.start()));
