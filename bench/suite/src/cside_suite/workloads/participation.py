# SPDX-License-Identifier: Apache-2.0
"""Which subjects take part in which workloads.

Bindings and whole variants take part in all. Partial variants and most controls take part in some, which are listed
here as patterns of :mod:`fnmatch`; ``[[]`` matches an opening bracket.
"""

from collections.abc import Callable, Collection
from fnmatch import fnmatchcase
from typing import Any, Final

from cside_suite.subjects import copies, names
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.names import TWIN
from cside_suite.workloads.references import Reference

Subject = Implementation | Reference | copies.Copy
"""A subject of the workloads."""

BROAD: Final = frozenset({TWIN})
"""Controls that take part in every workload."""

SAMPLE: Final = (
    "idioms.noop",
    "idioms.add[[]i32-*",
    "idioms.mixed_sum",
    "idioms.bytes_sum*",
    "idioms.buffer_fill",
    "idioms.string_length*",
    "idioms.label_get",
    "idioms.point_add",
    "idioms.box_*",
    "idioms.attrs_*",
    "idioms.ops_add",
    "idioms.each_call*",
    "idioms.spin_held[[]1]",
    "codec.crc32[[]16]",
    "codec.crc32[[]4096]",
    "codec.compress[[]256-6]",
    "codec.decompress[[]4096-6]",
    "codec.stream_decompress[[]1024]",
    "pkcs11.get_info[[]token]",
    "pkcs11.slot_list[[]token]",
    "pkcs11.digest[[]64-token]",
)
"""Workloads of each kind, for the other controls."""

PARTIAL: Final = (
    "idioms.noop",
    "idioms.add[[]i32-*",
    "idioms.add_real[[]f64]",
    "idioms.mixed_sum",
    "idioms.bytes_sum*",
    "idioms.buffer_fill",
    "idioms.string_length*",
    "idioms.label_get",
    "idioms.box_*",
    "idioms.each_call*",
    "codec.crc32[[]16]",
    "codec.crc32[[]4096]",
    "codec.crc32[[]5120]",
    "codec.crc32[[]65536]",
)
"""Workloads whose functions a partial variant has."""


def takes_part(name: str, workload: str, *, few: bool, twins: Collection[str] = ()) -> bool:
    """Return whether a control takes part in a workload; ``twins`` are those of the twin of each binding.

    If only a few workloads were requested (``few``), it takes part in all of them.
    """
    if names.twinned(name) is not None:
        return few or workload in twins
    return few or name in BROAD or any(fnmatchcase(workload, pattern) for pattern in SAMPLE)


def refuses(subjects: dict[str, Any], *, few: bool, twins: Collection[str] = ()) -> Callable[[str, str], bool]:
    """Return a function that tells of a workload and a subject whether the subject takes no part in it.

    ``few`` means that only some of the workloads were requested. ``twins`` are the workloads of the twin of each
    binding.
    """
    partial = {name for name, one in subjects.items() if isinstance(one, Implementation) and one.partial}

    def refuse(workload: str, subject: str) -> bool:
        if names.is_control(subject):
            return not takes_part(subject, workload, few=few, twins=twins)
        return subject in partial and not any(fnmatchcase(workload, pattern) for pattern in PARTIAL)

    return refuse
