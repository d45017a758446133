# SPDX-License-Identifier: Apache-2.0
"""Find the browser that the report's page is tested in: a Chromium of this machine."""

import os
import shutil
from pathlib import Path

from provision.commands import Problem

VARIABLE = "CSIDE_CHROMIUM"
"""Environment variable with a browser's executable, which is used before all others."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""Chromium and browsers made from it, in the order in which they are looked for on the PATH."""
MISSING = (
    "no Chromium to test the report's page in. Debian, Ubuntu: apt-get install chromium   "
    "Fedora: dnf install chromium   macOS: brew install --cask chromium   any: python -m playwright install chromium   "
    f"({VARIABLE}=/path/to/one names another of its kind)"
)
"""The message where there is none."""


def find() -> Path | None:
    """The executable that `CSIDE_CHROMIUM` names, else one on the PATH; None where there is none, though Playwright may
    have its own.

    Raises `Problem` where the variable names no program.
    """
    if named := os.environ.get(VARIABLE):
        if found := shutil.which(named):
            return Path(found)
        raise Problem(f"{VARIABLE} names {named}, which is no program")
    for name in PROGRAMS:
        if found := shutil.which(name):
            return Path(found)
    return None
