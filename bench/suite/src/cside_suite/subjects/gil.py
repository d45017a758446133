"""The GIL policy of a measured call, derived from the contract and from what the binding declares."""

from collections.abc import Collection
from typing import Final

from cside_suite.contract import LONG

CHECKSUMS: Final = frozenset({"codec.crc32", "codec.adler32"})
"""Functions whose GIL policy depends on the size of their input."""

CHECKSUM_LONG_NBYTES: Final = 5120
"""The size from which on a checksum is a long call: ``CS_CHECKSUM_LONG_NBYTES``."""


def gil_policy(calls: str, workload: str, features: Collection[str] | None) -> str:
    """Return ``held`` or ``released``, the state of the GIL during the native call, or ``none`` without Python.

    ``calls`` is the function of the contract that the workload times. ``features`` are those of the binding; None
    stands for the native floor, in which Python takes no part. Calls that the contract does not list as long hold the
    GIL if the technique allows it. A reference without features, such as the standard library's ``zlib``, follows the
    contract.
    """
    if features is None:
        return "none"
    long = calls in LONG
    if calls in CHECKSUMS:
        long = int(workload.rpartition("[")[2].removesuffix("]").partition("-")[0]) >= CHECKSUM_LONG_NBYTES
    if long:
        return "released" if not features or "gil-released" in features else "held"
    return "held" if not features or "gil-held" in features else "released"
