# SPDX-License-Identifier: Apache-2.0
"""Where the repository is, for tests that read its files."""

from pathlib import Path

SUPPORT = Path(__file__).resolve().parent
"""This folder, for programs that tests start."""

ROOT = SUPPORT.parents[2]
"""The top of the checkout."""
