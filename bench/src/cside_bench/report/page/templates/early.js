// SPDX-License-Identifier: Apache-2.0
// Runs before anything is painted: sets the theme that the reader chose before, and marks that scripts are enabled.
document.documentElement.classList.add("live");
try {
  const chosen = localStorage.getItem("cside-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* storage is not allowed: the system's theme is used */ }
