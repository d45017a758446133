// SPDX-License-Identifier: Apache-2.0
// Before anything is painted: the theme that was chosen here before, and that scripts run at all.
document.documentElement.classList.add("live");
try {
  const chosen = localStorage.getItem("cside-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* storage is refused: the system's theme it is */ }
