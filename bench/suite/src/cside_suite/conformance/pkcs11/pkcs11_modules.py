# SPDX-License-Identifier: Apache-2.0
"""The PKCS #11 modules for tests. A test without its module is skipped, and fails on CI, which installs them."""

import os
from pathlib import Path

import pytest

from cside_suite.subjects.pkcs11_modules import Unavailable, locate


def available(name: str) -> Path:
    """Return the file of a module; without it, skip the test, or fail it on CI."""
    try:
        return locate(name)
    except Unavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI installs this module, but: {error}")
        pytest.skip(str(error))
