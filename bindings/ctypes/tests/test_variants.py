# SPDX-License-Identifier: Apache-2.0
"""The variants differ from the binding by what they are named after, and by nothing else."""

import ctypes
import importlib
from _ctypes import CFuncPtr
from collections.abc import Callable
from typing import Any

import pytest
from cside_ctypes import bare, cdll, codec, gaps, idioms

NAMES = ["noop", "i32_add", "f64_add", "mixed_sum", "bytes_sum", "buffer_fill", "string_length", "label_get"]
NAMES += ["box_fill", "box_area", "each_call"]
HOLDS_THE_GIL = 4  # FUNCFLAG_PYTHONAPI of CPython's ctypes.h

needs_cdll = pytest.mark.skipif(cdll.unavailable is not None, reason=str(cdll.unavailable))


def native(function: Callable[..., object]) -> dict[str, Any]:
    """The functions of the library that a function of ours calls, by their names there."""
    kind: Any = CFuncPtr
    known = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    return {name: value for name, value in known.items() if isinstance(value, kind)}


def part(package: str) -> list[tuple[Callable[..., object], Callable[..., object]]]:
    """Functions of a variant, each with the whole binding's."""
    nouns = importlib.import_module(f"{package}.idioms"), importlib.import_module(f"{package}.codec")
    pairs = [(getattr(nouns[0], name), getattr(idioms, name)) for name in NAMES]
    return [*pairs, (nouns[1].crc32, codec.crc32)]


@needs_cdll
def test_cdll_gives_up_the_gil_in_every_call() -> None:
    """No function of the library that the variant calls comes from a handle that keeps the GIL."""
    for mine, whole in part("cside_ctypes.cdll"):
        assert native(mine).keys() == native(whole).keys() != set()
        assert not any(function._flags_ & HOLDS_THE_GIL for function in native(mine).values())
    assert any(
        function._flags_ & HOLDS_THE_GIL
        for _, whole in part("cside_ctypes.cdll")
        for function in native(whole).values()
    )


@needs_cdll
def test_cdll_differs_by_its_handle_alone() -> None:
    """Prototypes and byte code are the whole binding's; code objects are not, since CPython specialises them."""
    for mine, whole in part("cside_ctypes.cdll"):
        assert mine.__code__ == whole.__code__
        assert mine.__code__ is not whole.__code__
        for name, function in native(mine).items():
            other = native(whole)[name]
            assert (function.restype, function.argtypes) == (other.restype, other.argtypes)
            assert function is not other


@needs_cdll
def test_cdll_declares_its_gap() -> None:
    """What it does not do, it says: short calls do not hold the GIL."""
    assert cdll.gaps.keys() == gaps.keys() | {"gil-held"}
    assert "gil-held" not in cdll.features


def test_bare_sets_no_argtypes() -> None:
    """ctypes is told nothing about arguments, so that it does not convert or check them by itself."""
    knobs: Any = importlib.import_module("cside_ctypes.bare._knobs")
    kind: Any = CFuncPtr
    found = [value for value in vars(knobs).values() if isinstance(value, kind)]
    assert len(found) == len(NAMES) + 2  # crc32 by both handles
    assert not any(function.argtypes for function in found)
    assert bare.features | bare.gaps.keys() == cdll.features | cdll.gaps.keys()


def test_bare_passes_sizes_and_addresses_in_full() -> None:
    """A size beyond 32 bits is not cut, as an int that is passed bare would be."""
    knobs: Any = importlib.import_module("cside_ctypes.bare._knobs")
    seen: list[Any] = []

    def caught(*arguments: Any) -> int:
        seen.extend(arguments)
        return 0

    names = {**knobs.bytes_sum.__globals__, "_bytes_sum": caught, "addressed": lambda data: (2**47 + 1, 2**33, None)}
    type(knobs.bytes_sum)(knobs.bytes_sum.__code__, {**names, "release": id})(None)
    assert [argument.value for argument in seen] == [2**47 + 1, 2**33]


def test_variants_are_there_where_ctypes_can() -> None:
    """``ctypes.cdll`` is a variant where there is another way to call; ``ctypes.bare`` is one everywhere."""
    assert (cdll.unavailable is None) == hasattr(ctypes, "PyDLL")
    assert bare.unavailable is None


@pytest.mark.skipif(cdll.unavailable is None, reason="this interpreter has the variant")
@pytest.mark.parametrize("noun", ["idioms", "codec"])
def test_an_unavailable_variant_says_why(noun: str) -> None:
    """Its modules cannot be imported, for the reason that the package gives."""
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"cside_ctypes.cdll.{noun}")
    assert str(caught.value) == cdll.unavailable
