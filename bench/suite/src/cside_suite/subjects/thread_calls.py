# SPDX-License-Identifier: Apache-2.0
"""Names of the subjects and calls of the measurement with several threads that are treated apart."""

from typing import Final

NATIVE: Final = "native"
"""Name of the native ceiling: its threads run one loop in C each, for a few milliseconds at a time."""

STDLIB: Final = "stdlib"
"""Name of the standard library's ``zlib`` as a subject."""

LONG_CALLS: Final = ("[100000]", "[1048576]", "compress[")
"""Parts of the names of calls that take long compared with handing over the GIL."""
