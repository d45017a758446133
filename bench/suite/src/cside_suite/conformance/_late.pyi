# SPDX-License-Identifier: Apache-2.0
"""Types of a Python module whose file is also a PKCS #11 module, which calls back too late; see ``_late.c``."""

def settled() -> list[int]: ...
