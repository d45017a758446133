# SPDX-License-Identifier: Apache-2.0
"""Names of subjects."""

from cside_suite.subjects.names import natural


def test_names_sort_by_their_numbers() -> None:
    """16 comes before 4096."""
    assert sorted(["crc32[4096]", "crc32[16]", "crc32[0]"], key=natural) == ["crc32[0]", "crc32[16]", "crc32[4096]"]
