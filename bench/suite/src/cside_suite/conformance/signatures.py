# SPDX-License-Identifier: Apache-2.0
"""The arguments of each function of ``idioms``, as data for the tests that treat all functions alike."""

import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

from cside_suite.contract.idioms import Idioms

INTEGERS: Final[dict[str, tuple[int, int]]] = {
    **{f"i{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    "size": (0, 2**64 - 1),
    "bits1": (0, 1),
    "bits3": (0, 7),
    "bits5": (0, 31),
    "sbits4": (-8, 7),
}
"""The kinds of integer arguments, with the smallest and the greatest value of each."""

FUNCTIONS: Final[dict[str, tuple[str, ...]]] = {
    "noop": (),
    **{f"{kind}_add": (kind, kind) for kind in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64")},
    "bool_not": ("bool",),
    "mixed_sum": ("i32", "u64", "f64", "bool", "i8", "f32"),
    "bytes_sum": ("buffer",),
    "buffer_fill": ("out", "u8"),
    "blob_get": ("u32",),
    "runs_expand": ("buffer",),
    "string_length": ("text",),
    "string_borrow": ("u32",),
    "string_repeat": ("text", "u32"),
    "label_get": ("u32",),
    "label_hash": ("label",),
    "Point": ("f64", "f64"),
    "Box": (),
    "point_add": ("point", "point"),
    "box_fill": ("box", "u32"),
    "box_area": ("box",),
    "box_unpack": ("box",),
    "attrs_digest": ("attrs",),
    "attrs_get": ("types",),
    "ops_add": ("i32", "i32"),
    "ops_multiply": ("i32", "i32"),
    "each_call": ("u32", "callback"),
    "thread_call": ("u32", "callback"),
    "status_raise": ("i32",),
    "errno_raise": ("i32",),
    "color_next": ("i32",),
    "flags_toggle": ("u32", "u32"),
    "variant_double": ("variant",),
    "bits_pack": ("bits3", "bits5", "sbits4", "bits1"),
    "bits_unpack": ("u32",),
    "const_text": ("text",),
    "macro_clamp": ("i32", "i32", "i32"),
    "inline_rotl": ("u32", "u32"),
    "spin_held": ("u64",),
    "spin_released": ("u64",),
    "state_init": ("i64",),
    "state_next": (),
    "state_fini": (),
    "tls_set": ("i64",),
    "tls_get": (),
    "config_read": ("u32", "f64", "u32", "size"),
    "trace_enable": ("bool",),
    "trace_enabled": (),
    "trace_reset": (),
    "trace_count": (),
    "trace_name": ("size",),
    "trace_read": ("size",),
}
"""The kinds of the arguments of every function with a fixed number of them: not ``Counter`` and ``varargs_sum``."""

NEEDS: Final = {
    "each_call": "callbacks",
    "thread_call": "callbacks-from-foreign-threads",
    "macro_clamp": "macros-and-inlines",
    "inline_rotl": "macros-and-inlines",
    "spin_held": "gil-held",
    "spin_released": "gil-released",
}
"""Functions that a binding may lack, and the feature that says so."""

COSTLY: Final = frozenset({"blob_get", "string_repeat", "each_call", "thread_call", "spin_held", "spin_released"})
"""Functions that work longer or return more for a greater argument, and are not called with the greatest."""


def usable(idioms: Idioms) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the functions of :data:`FUNCTIONS` that this binding offers."""
    features = _features(idioms)
    return ((name, kinds) for name, kinds in FUNCTIONS.items() if NEEDS.get(name) in {None, *features})


def positions(idioms: Idioms, *wanted: str) -> Iterator[tuple[str, int, str, Callable[[object], object]]]:
    """Yield ``(function, position, kind, call)`` for every argument of one of the wanted kinds.

    ``call(x)`` calls the function with ``x`` in this position and valid values in all others.
    """
    for name, kinds in usable(idioms):
        for position, kind in enumerate(kinds):
            if kind in wanted:
                yield name, position, kind, _caller(idioms, name, kinds, position)


def valid(idioms: Any, kind: str) -> object:
    """Return a value that every function accepts for an argument of this kind."""
    if kind in INTEGERS:
        return 1
    makers: dict[str, Callable[[], object]] = {
        "f32": lambda: 1.5,
        "f64": lambda: 1.5,
        "bool": lambda: False,
        "buffer": lambda: b"\1a",
        "out": lambda: bytearray(2),
        "text": lambda: "text",
        "label": lambda: "label",
        "point": lambda: idioms.Point(1.0, 2.0),
        "box": lambda: idioms.Box(),
        "attrs": lambda: [(1, b"a")],
        "types": lambda: [1],
        "callback": lambda: lambda value: 0,
        "variant": lambda: 1,
    }
    return makers[kind]()


def _caller(idioms: Any, name: str, kinds: tuple[str, ...], position: int) -> Callable[[object], object]:
    function = getattr(idioms, name)

    def call(value: object) -> object:
        arguments = [valid(idioms, kind) for kind in kinds]
        arguments[position] = value
        return function(*arguments)

    return call


def _features(idioms: Any) -> frozenset[str]:
    package = sys.modules[idioms.__name__.rpartition(".")[0]]
    features: frozenset[str] = package.features
    return features
