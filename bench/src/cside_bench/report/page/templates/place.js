// SPDX-License-Identifier: Apache-2.0
// Reads and writes the part of the address after "#": a section with the state of its selectors, or a cell.
function place() {
  const text = location.hash.slice(1);
  if (text.startsWith("cell/")) return { kind: "cell", parts: text.slice(5).split("/").map(decoded) };
  const [id, query = ""] = text.split("?");
  return { kind: "part", id: decoded(id), state: new URLSearchParams(query) };
}
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// Store the selectors of a section in the address, without a new entry in the history.
function remember(id, state) {
  const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== "" && value !== false && value !== null).map(([key, value]) => [key, String(value)]));
  history.replaceState(null, "", "#" + id + (query.size ? "?" + query : ""));
}

// Open the elements around an element and scroll to it; the browser itself does not find ids with a query.
function show(id) {
  const found = id && byId(id);
  if (!found) return false;
  for (let around = found; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
  found.scrollIntoView({ block: "start" });
  return true;
}

// Call a function once, when an element first comes near the viewport.
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

// Count the work that has begun and not ended; the page is ready when none is left.
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
