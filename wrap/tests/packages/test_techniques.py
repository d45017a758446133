# SPDX-License-Identifier: Apache-2.0
"""Techniques are found by folder, and say what they cannot do."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.packages.describe import describe
from cside_wrap.packages.techniques import chosen, techniques
from cside_wrap.project.reading import Project


def test_there_are_five() -> None:
    """Each has a title and a module of functions."""
    assert list(techniques()) == ["cext", "cffi", "ctypes", "cython", "swig"]


def test_a_wrong_name_is_told() -> None:
    """With those that there are."""
    with pytest.raises(WrapError, match="cext, cffi"):
        chosen(["boost"])


def test_gaps_are_declared(box: Callable[..., Project]) -> None:
    """cffi cannot hold the GIL, and has the function nevertheless."""
    binding, _ = describe(box())
    held = replace(binding, calls=(replace(binding.calls[0], held=True),))
    cffi, cext = chosen(["cffi"])[0], chosen(["cext"])[0]
    assert list(cffi.gaps(held).values()) == [[binding.calls[0].symbol]]
    assert cffi.binds(held.calls[0]) and cext.gaps(held) == {}
