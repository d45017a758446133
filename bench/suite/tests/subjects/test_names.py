# SPDX-License-Identifier: Apache-2.0
"""Names of subjects."""

import pytest
from cside_suite.subjects.names import CONTROLS, is_control, natural, original_of, subject_of, twin_of, twinned


def test_names_sort_by_their_numbers() -> None:
    """16 comes before 4096."""
    assert sorted(["crc32[4096]", "crc32[16]", "crc32[0]"], key=natural) == ["crc32[0]", "crc32[16]", "crc32[4096]"]


def test_a_twin_is_told_from_a_binding() -> None:
    """By its name alone, which a cell's binding and variant make up again."""
    assert all(map(is_control, (*CONTROLS, twin_of("cffi"))))
    assert not any(map(is_control, ("cffi", "cffi.abi", "stdlib", "twins")))
    assert [twinned(name) for name in (twin_of("cffi"), "twin", "cffi", "cffi.abi")] == ["cffi", None, None, None]
    assert subject_of({"binding": "twin", "variant": "cffi"}) == twin_of("cffi")


@pytest.mark.parametrize(
    ("subject", "original"),
    [
        ("twin", "cext"),
        ("relinked", "cext"),
        ("delayed", "cext"),
        ("host", "cext"),
        ("twin.cffi", "cffi"),
        ("cffi.abi", "cffi.abi"),
    ],
)
def test_a_control_runs_the_code_of_its_original(subject: str, original: str) -> None:
    """By which its chunks are sized, and which is loaded where it has a process of its own."""
    assert original_of(subject, "cext") == original
