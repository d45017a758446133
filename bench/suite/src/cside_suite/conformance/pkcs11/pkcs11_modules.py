# SPDX-License-Identifier: Apache-2.0
"""A module for a test, or the reason why the test is skipped; where CI promised the module, a failure."""

import os
from pathlib import Path

import pytest

from cside_suite.subjects.pkcs11_modules import Unavailable, locate


def available(name: str) -> Path:
    """The file of a module."""
    try:
        return locate(name)
    except Unavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI promises this module: {error}")
        pytest.skip(str(error))
