# SPDX-License-Identifier: Apache-2.0
"""Guarded memory: content is there, and writes before it are found. Faults after it are tested in test_run.py."""

import ctypes

import pytest
from cside_wrap.trial.memory import PAGE, Memory


@pytest.mark.parametrize("size", [0, 1, 7, PAGE - 1, PAGE, PAGE + 1])
def test_blocks_end_at_the_guard_page(size: int) -> None:
    """Whatever the size."""
    block = Memory().block(b"x" * size, writable=True)
    assert block.content() == b"x" * size
    assert (block.address + size) % PAGE == 0


def test_alignment() -> None:
    """A struct is where its type may be."""
    assert Memory().block(b"x" * 24, writable=True, align=16).address % 16 == 0


def test_a_write_before_the_first_byte_is_found() -> None:
    """It would else be silent: the page before is far."""
    memory = Memory()
    block = memory.block(b"abc", writable=True)
    assert memory.damaged() == 0
    ctypes.memset(block.address - 1, 0, 1)
    assert memory.damaged() == 1
