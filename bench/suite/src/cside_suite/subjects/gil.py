"""The GIL policy that a cell was measured under, from the contract and what the binding declares."""

from collections.abc import Collection
from typing import Final

from cside_suite.contract import LONG

CHECKSUMS: Final = frozenset({"codec.crc32", "codec.adler32"})
CHECKSUM_LONG_NBYTES: Final = 5120
"""``CS_CHECKSUM_LONG_NBYTES``."""


def gil_policy(calls: str, workload: str, features: Collection[str] | None) -> str:
    """``held`` or ``released`` during the native call; ``none`` where Python takes no part (the native floor).

    ``calls`` is the function of the contract that the workload times; ``features`` are those of the binding. What the
    contract marks short is held where the technique allows it. A reference without features of its own follows the
    contract, as the standard library's ``zlib`` does.
    """
    if features is None:
        return "none"
    long = calls in LONG
    if calls in CHECKSUMS:
        long = int(workload.rpartition("[")[2].removesuffix("]").partition("-")[0]) >= CHECKSUM_LONG_NBYTES
    if long:
        return "released" if not features or "gil-released" in features else "held"
    return "held" if not features or "gil-held" in features else "released"
