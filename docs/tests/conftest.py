# SPDX-License-Identifier: Apache-2.0
"""Tests of the documentation: `nox -s docs-test` builds the site, and names its folder in `CSIDE_SITE`."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT), str(ROOT / "bench" / "tests" / "report" / "page" / "browser")]

SITE = "CSIDE_SITE"


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built site."""
    if SITE not in os.environ:
        pytest.skip("there is no site; to build it and test it: nox -s docs-test")
    return Path(os.environ[SITE])


@pytest.fixture(scope="session")
def launched() -> "Iterator[Browser]":
    """The browser of all tests."""
    from opened import chromium

    try:
        with chromium() as browser:
            yield browser
    except FileNotFoundError as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(str(missing), pytrace=False)
        pytest.skip(str(missing))
