// SPDX-License-Identifier: Apache-2.0
// Sets the light or dark theme: the system's choice until the reader presses the button. Colours are CSS variables, in charts too.
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (darkSystem.matches ? "dark" : "light")) === "dark";

function themed() {
  byId("theme").firstChild.data = isDark() ? "Light" : "Dark";  // the theme that a press of the button sets
}
byId("theme").addEventListener("click", () => {
  const chosen = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = chosen;
  try { localStorage.setItem("cside-theme", chosen); } catch { /* not remembered */ }
  themed();
  document.dispatchEvent(new Event("cside-theme"));
});
darkSystem.addEventListener("change", () => { themed(); document.dispatchEvent(new Event("cside-theme")); });
themed();
