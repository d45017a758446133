# SPDX-License-Identifier: Apache-2.0
"""The browser that the report's page is tested in: a Chromium of this machine."""

import os
import shutil
from pathlib import Path

from provision.commands import Problem

VARIABLE = "CSIDE_CHROMIUM"
"""Names a browser's executable; it wins."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""Browsers of one kind, in the order in which they are looked for on the PATH."""
MISSING = (
    "no Chromium to test the report's page in. Debian, Ubuntu: apt-get install chromium   "
    "Fedora: dnf install chromium   macOS: brew install --cask chromium   any: python -m playwright install chromium   "
    f"({VARIABLE}=/path/to/one names another of its kind)"
)
"""What is told where there is none."""


def find() -> Path | None:
    """The executable, by `CSIDE_CHROMIUM` or on the PATH; None where there is none, and Playwright may have its own.

    Raises `Problem` where the variable names something that is not there.
    """
    if named := os.environ.get(VARIABLE):
        if found := shutil.which(named):
            return Path(found)
        raise Problem(f"{VARIABLE} names {named}, which is no program")
    for name in PROGRAMS:
        if found := shutil.which(name):
            return Path(found)
    return None
