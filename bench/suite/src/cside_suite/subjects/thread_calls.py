# SPDX-License-Identifier: Apache-2.0
"""The calls that are made from several threads."""

from typing import Final

LONG_CALLS: Final = ("[100000]", "[1048576]", "compress[")
"""Parts of the names of calls that are long against handing over the GIL."""


NATIVE: Final = "native"
"""Subject whose threads are inside one C loop each, a few milliseconds at a time."""


STDLIB: Final = "stdlib"
