# SPDX-License-Identifier: Apache-2.0
"""Each variant differs from the binding by the one knob that it is named after."""

import ctypes
import importlib
from _ctypes import CFuncPtr
from collections.abc import Callable
from typing import Any

import pytest
from cside_ctypes import bare, cdll, codec, gaps, idioms

NAMES = ["noop", "i32_add", "f64_add", "mixed_sum", "bytes_sum", "buffer_fill", "string_length", "label_get"]
NAMES += ["box_fill", "box_area", "each_call"]
STEMS = [
    "_idioms_scalars",
    "_idioms_buffers",
    "_idioms_text",
    "_idioms_structs",
    "_idioms_callbacks",
    "_codec_checksums",
]
"""The private modules of ``ctypes.bare`` that declare native functions."""

HOLDS_THE_GIL = 4  # FUNCFLAG_PYTHONAPI of CPython's ctypes.h

needs_cdll = pytest.mark.skipif(cdll.unavailable is not None, reason=str(cdll.unavailable))


def native(function: Callable[..., object]) -> dict[str, Any]:
    """The native functions that a function of the binding calls, by the global names that it calls them by."""
    kind: Any = CFuncPtr
    known = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    return {name: value for name, value in known.items() if isinstance(value, kind)}


def part(package: str) -> list[tuple[Callable[..., object], Callable[..., object]]]:
    """Pairs of a function of a variant and the same function of the whole binding."""
    nouns = importlib.import_module(f"{package}.idioms"), importlib.import_module(f"{package}.codec")
    pairs = [(getattr(nouns[0], name), getattr(idioms, name)) for name in NAMES]
    return [*pairs, (nouns[1].crc32, codec.crc32)]


@needs_cdll
def test_cdll_gives_up_the_gil_in_every_call() -> None:
    """The variant calls no native function through a handle that holds the GIL."""
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
    """Prototypes and byte code equal the whole binding's. Code objects are copies, because CPython specialises them."""
    for mine, whole in part("cside_ctypes.cdll"):
        assert mine.__code__ == whole.__code__
        assert mine.__code__ is not whole.__code__
        for name, function in native(mine).items():
            other = native(whole)[name]
            assert (function.restype, function.argtypes) == (other.restype, other.argtypes)
            assert function is not other


@needs_cdll
def test_cdll_declares_its_gap() -> None:
    """The variant declares as a gap that short calls do not hold the GIL."""
    assert cdll.gaps.keys() == gaps.keys() | {"gil-held"}
    assert "gil-held" not in cdll.features


def test_bare_sets_no_argtypes() -> None:
    """No native function of the variant has ``argtypes``, so ctypes neither converts nor checks its arguments."""
    modules = [importlib.import_module(f"cside_ctypes.bare.{stem}") for stem in STEMS]
    kind: Any = CFuncPtr
    found = [value for module in modules for value in vars(module).values() if isinstance(value, kind)]
    assert len(found) == len(NAMES) + 2  # crc32 has two, one for short and one for long inputs
    assert not any(function.argtypes for function in found)
    assert bare.features | bare.gaps.keys() == cdll.features | cdll.gaps.keys()


def test_bare_passes_sizes_and_addresses_in_full() -> None:
    """Sizes and addresses above 32 bits reach C whole. ctypes would drop the high bits of a bare int."""
    buffers: Any = importlib.import_module("cside_ctypes.bare._idioms_buffers")
    seen: list[Any] = []

    def caught(*arguments: Any) -> int:
        seen.extend(arguments)
        return 0

    names = {**buffers.bytes_sum.__globals__, "_bytes_sum": caught, "addressed": lambda data: (2**47 + 1, 2**33, None)}
    type(buffers.bytes_sum)(buffers.bytes_sum.__code__, {**names, "release": id})(None)
    assert [argument.value for argument in seen] == [2**47 + 1, 2**33]


def test_variants_are_there_where_ctypes_can() -> None:
    """``ctypes.cdll`` is available where ctypes has ``PyDLL``; ``ctypes.bare`` is available everywhere."""
    assert (cdll.unavailable is None) == hasattr(ctypes, "PyDLL")
    assert bare.unavailable is None


@pytest.mark.skipif(cdll.unavailable is None, reason="this interpreter has the variant")
@pytest.mark.parametrize("noun", ["idioms", "codec"])
def test_an_unavailable_variant_says_why(noun: str) -> None:
    """Importing one of its modules raises ImportError with the reason that the package gives."""
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"cside_ctypes.cdll.{noun}")
    assert str(caught.value) == cdll.unavailable
