# SPDX-License-Identifier: Apache-2.0
"""``python -m cside_headers`` does the same as ``cside headers``."""

from cside_headers.cli import headers

headers(prog_name="python -m cside_headers")
