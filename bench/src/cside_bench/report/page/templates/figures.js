// SPDX-License-Identifier: Apache-2.0
// Draws charts: vega-embed renders Vega-Lite as SVG whose colours are CSS variables of the page.
const series = Array.from({ length: 8 }, (_, number) => `var(--series-${number + 1})`);
const CHART_CONFIG = {
  background: null,
  font: getComputedStyle(document.body).fontFamily,
  view: { stroke: null },
  axis: { labelColor: "var(--soft)", titleColor: "var(--soft)", gridColor: "var(--line)", domainColor: "var(--strong-line)", tickColor: "var(--strong-line)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, labelLimit: 220 },
  legend: { labelColor: "var(--ink)", titleColor: "var(--soft)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, orient: "top", symbolStrokeWidth: 2 },
  header: { labelColor: "var(--ink)", titleColor: "var(--soft)", labelFontSize: 12, titleFontSize: 12 },
  title: { color: "var(--ink)", subtitleColor: "var(--soft)", fontSize: 13, anchor: "start" },
  text: { color: "var(--ink)" },
  rule: { color: "var(--strong-line)" },
  bar: { color: "var(--series-1)" },
  line: { color: "var(--series-1)" },
  point: { color: "var(--series-1)" },
  range: { category: series },
};

// Vega warns about layers without rows, which the controls can cause; all its other warnings are passed on.
const logger = {
  level() { return this; },
  error(...told) { console.error(...told); return this; },
  warn(...told) {
    if (!String(told[0]).startsWith("Infinite extent for field")) console.warn(...told);
    return this;
  },
  info() { return this; },
  debug() { return this; },
};

// Vega-Lite takes the logger as an option, but Vega's view needs it when it is constructed. The bundle does not export
// the class of views, so that it is taken from an empty chart.
let viewClass;
function ownView() {
  viewClass ??= window.vegaEmbed(element("div"), { data: { values: [{}] }, mark: "point" }, { mode: "vega-lite", renderer: "svg", actions: false, logger }).then(({ view }) => {
    const View = view.constructor;
    view.finalize();
    return class extends View {
      constructor(runtime, options) { super(runtime, { ...options, logger }); }
    };
  });
  return viewClass;
}

class Chart {
  constructor(figure) {
    this.figure = figure;
    this.name = figure.dataset.chart;
    this.box = figure.querySelector(".chart");
    this.controls = [...figure.querySelectorAll("[data-control]")];
    for (const control of this.controls) control.addEventListener("change", () => { this.remember(); busy.during(this.draw()); });
  }
  state() { return Object.fromEntries(this.controls.map((control) => [control.dataset.control, control.value])); }
  remember() { remember(this.figure.id, this.state()); }
  restore(state) {
    for (const control of this.controls) {
      const value = state.get(control.dataset.control);
      if (value !== null && [...control.options].some((option) => option.value === value)) control.value = value;
    }
    if (this.begun) busy.during(this.draw());
  }
  once() {
    this.begun ??= busy.during(this.draw());
    return this.begun;
  }
  async draw() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const found = (await drawn()).figures[this.name];
    this.rows ??= await figureRows(this.name);
    const state = this.state();
    const rows = this.rows.filter((row) => Object.entries(state).every(([name, value]) => String(row[name]) === value));
    await library("vega");
    if (turn !== this.turn) return;
    const spec = fitted(structuredClone(found.spec), this.box.clientWidth);
    spec.data = { ...spec.data, name: "rows", values: rows };
    spec.config = { ...CHART_CONFIG, ...spec.config };
    this.view?.finalize();
    const result = await window.vegaEmbed(this.box, spec, { renderer: "svg", actions: false, logger, viewClass: await ownView(), tooltip: { theme: "page", disableDefaultStyle: true } });
    this.view = result.view;
    if (found.spec.height?.step) await narrowed(this.view, this.box);
    this.width = this.box.clientWidth;
    this.box.classList.add("drawn");
    const svg = this.box.querySelector("svg");
    if (svg) svg.setAttribute("aria-hidden", "true");
    this.figure.dataset.drawn = "true";
  }
}

// The width of a figure is that of the column. Vega-Lite cannot fit charts whose height depends on their bands: such a
// chart is drawn with a width that is likely to fit, measured, and drawn again with the width that fits.
const GUESS = 90;
function fitted(spec, width) {
  if (!spec.height?.step) return { ...spec, width: "container", autosize: spec.autosize ?? { type: "fit-x", contains: "padding" } };
  return { ...spec, width: Math.max(120, width - GUESS), autosize: { type: "pad", contains: "padding" } };
}
async function narrowed(view, box) {
  const svg = box.querySelector("svg");
  const beyond = svg.getBoundingClientRect().width - box.clientWidth;
  if (Math.abs(beyond) >= 1) await view.width(Math.max(120, Math.floor(view.width() - beyond))).runAsync();
}

const charts = [...document.querySelectorAll("figure[data-chart]")].filter((figure) => figure.querySelector(".chart")).map((figure) => new Chart(figure));
const chartsByName = new Map(charts.map((chart) => [chart.figure.id, chart]));

function startCharts() {
  for (const chart of charts) near(chart.box, () => chart.once());
  // The other charts are drawn one after the other when the page is idle: print shows every chart and does not wait.
  const idle = window.requestIdleCallback ?? ((call) => setTimeout(call, 200));
  const next = () => {
    if (!heat.begun) { idle(() => heat.once().then(next, next), { timeout: 4000 }); return; }
    const left = charts.find((chart) => !chart.begun);
    if (left) idle(() => left.once().then(next, next), { timeout: 4000 });
  };
  setTimeout(() => idle(next), 2500);
  addEventListener("beforeprint", () => charts.forEach((chart) => chart.once()));
  let timer;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { for (const chart of charts) if (chart.view && chart.box.clientWidth !== chart.width) busy.during(chart.draw()); }, 200);
  });
}
