# SPDX-License-Identifier: Apache-2.0
"""Columns of the page are read as its script reads them."""

from typing import Any


def value_of(stored: Any, row: int) -> Any:
    """A value of a stored column, as the page reads it."""
    if isinstance(stored, list):
        return stored[row]
    return stored["all"] if "all" in stored else stored["names"][stored["at"][row]]
