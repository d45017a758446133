// SPDX-License-Identifier: Apache-2.0
// Starts the parts of the page.
function arrive(event) {
  const at = place();
  if (event?.oldURL !== undefined) {
    const before = new URL(event.oldURL).hash;
    if (!before.startsWith("#cell/")) addressBefore = before;
  }
  if (at.kind === "cell") { busy.during(openCell(at.parts)); return; }
  if (dialog.open) dialog.close();
  if (!at.id) return;
  if (at.id === "heatmap" && at.state.size) heat.show(at.state);
  if (at.id === "cells" && at.state.size) list.show(at.state);
  if (at.state.size) chartsByName.get(at.id)?.restore(at.state);
  show(at.id);
}

function startContents() {
  const nav = byId("contents"), button = byId("contents-open"), links = new Map([...nav.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  button.addEventListener("click", () => button.setAttribute("aria-expanded", String(nav.classList.toggle("open"))));
  nav.addEventListener("click", (event) => {
    if (event.target.closest("a")) { nav.classList.remove("open"); button.setAttribute("aria-expanded", "false"); }
  });
  const current = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.isIntersecting ? current.add(entry.target.id) : current.delete(entry.target.id);
    const first = [...links.keys()].find((id) => current.has(id));
    for (const [id, link] of links) id === first ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
    if (first) button.textContent = `Contents: ${links.get(first).textContent}`;
  }, { rootMargin: "-25% 0px -65% 0px" });
  for (const id of links.keys()) observer.observe(byId(id));
}

function startMachines() {
  const chosen = byId("machine");
  chosen?.addEventListener("input", () => {
    for (const part of document.querySelectorAll("[data-machine]")) part.hidden = chosen.value !== "" && part.dataset.machine !== chosen.value;
    for (const own of [heat, list]) {
      const input = own.inputs.machine;
      if (own.live && [...input.options].some((option) => option.value === chosen.value)) {
        input.value = chosen.value;
        input.dispatchEvent(new Event("input"));
      }
    }
  });
}

// In print, answers are open; those that were closed before are closed again afterwards.
function startPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.fold:not([open]), details.warnings:not([open])")];
    for (const box of opened) box.open = true;
  });
  addEventListener("afterprint", () => { for (const box of opened) box.open = false; });
}

startContents();
startPrint();
startMachines();
startEvidence();
near(byId("heatmap-body"), heat.once);
near(byId("cells-body"), list.once);
for (const table of document.querySelectorAll("table.sortable")) near(table, () => busy.during(sortable(table)));
for (const box of document.querySelectorAll(".scroll")) watchWidth(box);
startCharts();
addEventListener("hashchange", arrive);
// Within two frames the observers report what is in view and start to draw it.
requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
  busy.started = true;
  busy.during(Promise.resolve().then(() => arrive()));
}, 0)));
