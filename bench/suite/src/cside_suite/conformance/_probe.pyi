# SPDX-License-Identifier: Apache-2.0
"""Types of the probe, a Python module whose file is also a PKCS #11 module; see ``_probe.c``."""

def script(
    *,
    rv: int = 0,
    length: int = 3,
    shortages: int = 0,
    lie: int = 0,
    attribute_rv: int = 0x11,
    attributes: tuple[int | None, ...] = (),
    thread: bool = False,
    keep: bool = False,
) -> None: ...
def notes() -> list[str]: ...
