# SPDX-License-Identifier: Apache-2.0
"""Enumerations, flags, unions and bit-fields; constants, and what has no symbol in the library: macros and inlines."""

from _operator import index
from ctypes import (
    POINTER,
    Structure,
    Union,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_uint,
    c_uint8,
    c_uint32,
    c_void_p,
    sizeof,
)
from struct import Struct

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import MASK, PYPY, SmallInt, block, cell, done, encoded, held, int64, ready, too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, SupportsIndex

__all__ = [
    "COLOR_BLUE",
    "COLOR_GREEN",
    "COLOR_RED",
    "CONST_CAST",
    "CONST_CHAR",
    "CONST_EXPR",
    "CONST_FLOAT",
    "CONST_HEX",
    "CONST_INT",
    "CONST_NEGATIVE",
    "CONST_SHIFT",
    "CONST_STRING",
    "FLAG_ALL",
    "FLAG_EXEC",
    "FLAG_READ",
    "FLAG_WRITE",
    "bits_pack",
    "bits_unpack",
    "color_next",
    "const_text",
    "flags_toggle",
    "inline_rotl",
    "macro_clamp",
    "variant_double",
]

# Copied by hand from cside/idioms.h, because only a C compiler can read the header. A test compares each constant with
# what const_text() returns.
CONST_INT = 42
CONST_NEGATIVE = -7
CONST_HEX = 0xFFFF_FFFF_FFFF_FFFF
CONST_CAST = 0xFFFF_FFFF
CONST_SHIFT = 1 << 31
CONST_EXPR = CONST_SHIFT | 3
CONST_CHAR = ord("c")
CONST_FLOAT = 2.5
CONST_STRING = "cside \u00e9"
COLOR_RED = 0
COLOR_GREEN = 1
COLOR_BLUE = 2
FLAG_READ = 1 << 0
FLAG_WRITE = 1 << 1
FLAG_EXEC = 1 << 2
FLAG_ALL = FLAG_READ | FLAG_WRITE | FLAG_EXEC

_COLOR_INVALID = -1
_VARIANT_INTEGER = 1
_VARIANT_REAL = 2
_VARIANT_BYTES = 3


class Payload(Union):
    """The union inside ``cs_variant``."""

    __slots__ = ()
    _fields_ = [("integer", c_int64), ("real", c_double), ("bytes", c_uint8 * 8)]


class Variant(Structure):
    """``cs_variant``. Its union has the name ``as`` in C, a keyword in Python."""

    __slots__ = ()
    _fields_ = [("kind", c_uint32), ("payload", Payload)]


class Bits(Structure):
    """``cs_bits``."""

    __slots__ = ()
    _fields_ = [("mode", c_uint, 3), ("level", c_uint, 5), ("delta", c_int, 4), ("flag", c_uint, 1)]


_color_next = ready("cs_color_next", c_int32, SmallInt(c_int32))
_flags_toggle = ready("cs_flags_toggle", c_int32, SmallInt(c_uint32), SmallInt(c_uint32), c_void_p)
_variant_double = ready("cs_variant_double", c_int32, c_void_p)
# `struct` reads and writes a variant faster than a ctypes object does, and one format for each member is its union.
_payload_offset = f"I{Variant.payload.offset - sizeof(c_uint32)}x"
_integer = Struct(f"={_payload_offset}q")
_real = Struct(f"={_payload_offset}d")
_bytes = Struct(f"={_payload_offset}8s")
_bits_pack = held("cs_bits_pack", c_uint32, POINTER(Bits))
_bits_unpack = held("cs_bits_unpack", None, SmallInt(c_uint32), POINTER(Bits))
_const_text = held("cs_const_text", c_char_p, c_char_p)

_toggled: "list[Any]" = []
"""Out-parameters that no call is using."""


def color_next(color: "SupportsIndex", /) -> int:
    """Return the color that follows: red, green, blue, and red again.

    Colors are the constants ``COLOR_RED``, ``COLOR_GREEN`` and ``COLOR_BLUE``.

    Raises `ValueError` 'not a color' if ``color`` is none of these; `OverflowError` if it does
    not fit ``int32_t``; `TypeError` if it has no ``__index__``.
    """
    color = index(color)
    if color >> 31:
        if not -0x8000_0000 <= color < 0:
            raise too_large("int32_t")
        color &= MASK
    following = _color_next(color)
    if following == _COLOR_INVALID:
        raise ValueError("not a color")
    return following


def flags_toggle(flags: "SupportsIndex", mask: "SupportsIndex", /) -> int:
    """Return ``flags`` with each flag of ``mask`` toggled, which is their exclusive or.

    Raises `ValueError` if an argument has a bit outside ``FLAG_ALL``; `OverflowError` if it
    does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    if (flags := index(flags)) >> 32 or (mask := index(mask)) >> 32:
        raise too_large("uint32_t")
    try:
        kept = _toggled.pop()
    except IndexError:
        kept = cell(c_uint32)
    status = _flags_toggle(flags, mask, kept[1])
    if status < 0:
        raise_status(status)
    toggled: int = kept[0].value
    _toggled.append(kept)
    return toggled


def variant_double(value: "int | float | bytes", /) -> "int | float | bytes":
    """Return twice a number, or eight bytes in reverse order.

    The Python type selects the member of a C union: an ``int`` (also a ``bool``) is an
    ``int64_t`` and is doubled modulo 2**64, a ``float`` is a ``double``, and ``bytes`` are an
    array of eight bytes. Objects of their subclasses are treated alike.

    Raises `ValueError` 'need 8 bytes' for bytes of another length; `OverflowError` for an
    integer that does not fit ``int64_t``; `TypeError` for any other type.
    """
    if isinstance(value, int):
        layout, kind = _integer, _VARIANT_INTEGER
        value = int64(value)
    elif isinstance(value, float):
        layout, kind = _real, _VARIANT_REAL
    elif isinstance(value, bytes):
        if bytes.__len__(value) != 8:
            raise ValueError("need 8 bytes")
        layout, kind = _bytes, _VARIANT_BYTES
    else:
        raise TypeError(f"an int, a float or bytes are required, not '{type(value).__name__}'")
    if PYPY:
        memory = block(layout.size)
        layout.pack_into(memory.room, 0, kind, value)
        status = _variant_double(memory.pointer)
        doubled = layout.unpack_from(memory.room)[1]
        done(memory)
    else:
        raw = layout.pack(kind, value)  # no other code has a reference to these new bytes: C may write to them
        status = _variant_double(raw)
        doubled = layout.unpack(raw)[1]
    if status < 0:
        raise_status(status)
    return doubled  # type: ignore[no-any-return]  # what C returns has no type here


def bits_pack(mode: "SupportsIndex", level: "SupportsIndex", delta: "SupportsIndex", flag: "SupportsIndex", /) -> int:
    """Pack four numbers into the bit-fields of one word and return the word.

    From the lowest bit on: ``mode`` (0 to 7), ``level`` (0 to 31), ``delta`` (-8 to 7) and
    ``flag`` (0 or 1).

    Raises `OverflowError` if an argument does not fit its bit-field; `TypeError` if it has no
    ``__index__``.
    """
    if (
        (mode := index(mode)) >> 3
        or (level := index(level)) >> 5
        or not -8 <= (delta := index(delta)) <= 7
        or (flag := index(flag)) >> 1
    ):
        raise OverflowError("int too large for its bit-field")
    return _bits_pack(Bits(mode, level, delta, flag))


def bits_unpack(word: "SupportsIndex", /) -> "tuple[int, int, int, int]":
    """Return the bit-fields ``(mode, level, delta, flag)`` of a word that ``bits_pack`` made.

    Bits above the four fields are ignored.

    Raises `OverflowError` if ``word`` does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    word = index(word)
    if word >> 32:
        raise too_large("uint32_t")
    bits = Bits()
    _bits_unpack(word, bits)
    return bits.mode, bits.level, bits.delta, bits.flag


def const_text(name: str, /) -> "str | None":
    """Return the value of a constant as the library was compiled with it, as text.

    ``name`` is the name in C: 'CS_CONST_INT' gives '42'. An unknown name gives None.

    Raises `TypeError` if ``name`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    text = _const_text(encoded(name))
    return None if text is None else text.decode()


def macro_clamp(x: "SupportsIndex", lo: "SupportsIndex", hi: "SupportsIndex", /) -> "NoReturn":
    """Return ``x`` limited to the range from ``lo`` to ``hi``, by a macro, on ``int32_t``.

    If ``lo`` is above ``hi``, an ``x`` below ``lo`` gives ``lo`` and any other ``x`` gives
    ``hi`` where it is above ``hi``.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
    """
    raise NotImplementedError("CS_MACRO_CLAMP is a macro: there is no symbol to call")


def inline_rotl(value: "SupportsIndex", bits: "SupportsIndex", /) -> "NoReturn":
    """Return a ``uint32_t`` rotated left by ``bits`` modulo 32, by an inline function.

    Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
    """
    raise NotImplementedError("cs_inline_rotl is a static-inline function: there is no symbol to call")
