// SPDX-License-Identifier: Apache-2.0
// What the address says after "#": a section with the state of its selectors, or a cell.
function place() {
  const text = location.hash.slice(1);
  if (text.startsWith("cell/")) return { kind: "cell", parts: text.slice(5).split("/").map(decoded) };
  const [id, query = ""] = text.split("?");
  return { kind: "part", id: decoded(id), state: new URLSearchParams(query) };
}
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// Remember the selectors of a part, without a new entry in the history.
function remember(id, state) {
  const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== "" && value !== false && value !== null).map(([key, value]) => [key, String(value)]));
  history.replaceState(null, "", "#" + id + (query.size ? "?" + query : ""));
}

// Open what surrounds an element, and bring it into view; ids with a query are not found by the browser itself.
function show(id) {
  const found = id && byId(id);
  if (!found) return false;
  for (let around = found; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
  found.scrollIntoView({ block: "start" });
  return true;
}

// Call once when an element first comes near the viewport.
const near = (() => {
  const waiting = new Map();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const call = waiting.get(entry.target);
      if (entry.isIntersecting && call) {
        waiting.delete(entry.target);
        observer.unobserve(entry.target);
        call();
      }
    }
  }, { rootMargin: "500px 0px" });
  return (target, call) => { waiting.set(target, call); observer.observe(target); };
})();

const said = (text) => { byId("said").textContent = text; };

// Work that has begun and not ended; the page is ready when there is none left.
const busy = {
  pending: 0,
  async during(promise) {
    this.pending += 1;
    try { return await promise; } finally {
      this.pending -= 1;
      if (this.started && this.pending === 0) document.documentElement.dataset.ready = "true";
    }
  },
};
