# SPDX-License-Identifier: Apache-2.0
"""Values: enum, flags, union, bit-fields; constants, a macro and an inline function, which only a compiler can read."""

from _operator import index

from . import _API_MODE
from ._core import ffi, lib
from ._idioms_errors import failure
from ._idioms_scalars import i32, u32
from ._idioms_text import c_string

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

COLOR_RED: int = lib.CS_COLOR_RED
COLOR_GREEN: int = lib.CS_COLOR_GREEN
COLOR_BLUE: int = lib.CS_COLOR_BLUE
FLAG_READ: int = lib.CS_FLAG_READ
FLAG_WRITE: int = lib.CS_FLAG_WRITE
FLAG_EXEC: int = lib.CS_FLAG_EXEC
FLAG_ALL: int = lib.CS_FLAG_ALL
CONST_INT: int = lib.CS_CONST_INT
CONST_NEGATIVE: int = lib.CS_CONST_NEGATIVE
CONST_HEX: int = lib.CS_CONST_HEX
CONST_CAST: int = lib.CS_CONST_CAST
CONST_SHIFT: int = lib.CS_CONST_SHIFT
CONST_EXPR: int = lib.CS_CONST_EXPR
if _API_MODE:
    CONST_CHAR: int = lib.CS_CONST_CHAR
    CONST_FLOAT: float = lib.CS_CONST_FLOAT
    CONST_STRING: str = ffi.string(lib.CS_CONST_STRING).decode()
else:
    # Copied by hand: in ABI mode cffi can declare integer constants only (those of cdef/abi/constants.h).
    CONST_CHAR = ord("c")
    CONST_FLOAT = 2.5
    CONST_STRING = "cside é"

_new = ffi.new
_string = ffi.string
_unpack = ffi.unpack
_INVALID: int = lib.CS_COLOR_INVALID

# Out-parameters that no call is using; the first call makes the first one.
_u32s: "list[Any]" = []

_color_next: "Callable[[int], int]" = lib.cs_color_next
_flags_toggle: "Callable[[int, int, Any], int]" = lib.cs_flags_toggle
_const_text = lib.cs_const_text


def color_next(color: "SupportsIndex", /) -> int:
    """Return the color that follows: red, green, blue, and red again.

    Colors are the constants ``COLOR_RED``, ``COLOR_GREEN`` and ``COLOR_BLUE``.

    Raises `ValueError` 'not a color' if ``color`` is none of these; `OverflowError` if it does
    not fit ``int32_t``; `TypeError` if it has no ``__index__``.
    """
    following = _color_next(index(color))
    if following == _INVALID:
        raise ValueError("not a color")
    return following


def flags_toggle(flags: "SupportsIndex", mask: "SupportsIndex", /) -> int:
    """Return ``flags`` with each flag of ``mask`` toggled, which is their exclusive or.

    Raises `ValueError` if an argument has a bit outside ``FLAG_ALL``; `OverflowError` if it
    does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    try:
        out = _u32s.pop()
    except IndexError:
        out = _new("uint32_t *")
    try:
        status = _flags_toggle(index(flags), index(mask), out)
    except TypeError:
        status = _flags_toggle(u32(flags), u32(mask), out)
    toggled: int = out[0]
    _u32s.append(out)
    if status:
        raise failure(status)
    return toggled


if _API_MODE:
    _variant_integer = lib.shim_variant_integer
    _variant_real = lib.shim_variant_real
    _variant_bytes = lib.shim_variant_bytes
    # Results that no call is using; the first call makes the first one.
    _integers: "list[Any]" = []
    _reals: "list[Any]" = []
    _reversed: "list[Any]" = []

    def variant_double(value: int | float | bytes, /) -> int | float | bytes:
        """Return twice a number, or eight bytes in reverse order.

        The Python type selects the member of a C union: an ``int`` (also a ``bool``) is an
        ``int64_t`` and is doubled modulo 2**64, a ``float`` is a ``double``, and ``bytes`` are an
        array of eight bytes. Objects of their subclasses are treated alike.

        Raises `ValueError` 'need 8 bytes' for bytes of another length; `OverflowError` for an
        integer that does not fit ``int64_t``; `TypeError` for any other type.
        """
        # C shims fill in the union: its name is "as", which Python cannot write as an attribute.
        doubled: int | float | bytes
        if isinstance(value, int):
            try:
                out = _integers.pop()
            except IndexError:
                out = _new("int64_t *")
            status: int = _variant_integer(value, out)
            doubled = out[0]
            _integers.append(out)
        elif isinstance(value, float):
            try:
                out = _reals.pop()
            except IndexError:
                out = _new("double *")
            status = _variant_real(value, out)
            doubled = out[0]
            _reals.append(out)
        elif isinstance(value, bytes):
            if bytes.__len__(value) != 8:  # a subclass may have a __len__ of its own
                raise ValueError("need 8 bytes")
            try:
                out = _reversed.pop()
            except IndexError:
                out = _new("char[8]")
            status = _variant_bytes(value, out)
            doubled = _unpack(out, 8)
            _reversed.append(out)
        else:
            raise TypeError(f"expected int, float or bytes, not {type(value).__name__}")
        if status:
            raise failure(status)
        return doubled

else:
    _VARIANT = ffi.typeof("cs_variant *")
    _INTEGER: int = lib.CS_VARIANT_INTEGER
    _REAL: int = lib.CS_VARIANT_REAL
    _BYTES: int = lib.CS_VARIANT_BYTES
    _variant_double = lib.cs_variant_double

    class _Variant:
        """A ``cs_variant`` and a pointer to each member of its union.

        The union's name, ``as``, is a Python keyword, and ``getattr`` at each call would be slow.
        """

        __slots__ = ("address", "data", "integer", "real")

        def __init__(self) -> None:
            self.address = _new(_VARIANT)
            self.integer = ffi.addressof(self.address, "as", "integer")
            self.real = ffi.addressof(self.address, "as", "real")
            self.data = ffi.buffer(ffi.addressof(self.address, "as", "bytes"))

    _variants: list[_Variant] = []

    def variant_double(value: int | float | bytes, /) -> int | float | bytes:
        """Return twice a number, or eight bytes in reverse order.

        The Python type selects the member of a C union: an ``int`` (also a ``bool``) is an
        ``int64_t`` and is doubled modulo 2**64, a ``float`` is a ``double``, and ``bytes`` are an
        array of eight bytes. Objects of their subclasses are treated alike.

        Raises `ValueError` 'need 8 bytes' for bytes of another length; `OverflowError` for an
        integer that does not fit ``int64_t``; `TypeError` for any other type.
        """
        try:
            variant = _variants.pop()
        except IndexError:
            variant = _Variant()
        address = variant.address
        doubled: int | float | bytes
        if isinstance(value, int):
            address.kind = _INTEGER
            variant.integer[0] = value
            status: int = _variant_double(address)
            doubled = variant.integer[0]
        elif isinstance(value, float):
            address.kind = _REAL
            variant.real[0] = value
            status = _variant_double(address)
            doubled = variant.real[0]
        elif isinstance(value, bytes):
            if bytes.__len__(value) != 8:  # a subclass may have a __len__ of its own
                raise ValueError("need 8 bytes")
            address.kind = _BYTES
            variant.data[:] = value
            status = _variant_double(address)
            doubled = variant.data[:]
        else:
            raise TypeError(f"expected int, float or bytes, not {type(value).__name__}")
        _variants.append(variant)
        if status:
            raise failure(status)
        return doubled


if _API_MODE:
    _bits_pack = lib.shim_bits_pack
    _bits_unpack = lib.shim_bits_unpack
    _fields: "list[Any]" = []  # arrays that no call is using

    def bits_pack(
        mode: "SupportsIndex", level: "SupportsIndex", delta: "SupportsIndex", flag: "SupportsIndex", /
    ) -> int:
        """Pack four numbers into the bit-fields of one word and return the word.

        From the lowest bit on: ``mode`` (0 to 7), ``level`` (0 to 31), ``delta`` (-8 to 7) and
        ``flag`` (0 or 1).

        Raises `OverflowError` if an argument does not fit its bit-field; `TypeError` if it has no
        ``__index__``.
        """
        try:
            word: int = _bits_pack(index(mode), index(level), index(delta), index(flag))
        except TypeError:
            for value, lowest, highest in ((mode, 0, 7), (level, 0, 31), (delta, -8, 7), (flag, 0, 1)):
                if not lowest <= index(value) <= highest:
                    break
            else:
                raise
            word = -1
        if word < 0:
            raise OverflowError("a number does not fit its bit-field")
        return word

    def bits_unpack(word: "SupportsIndex", /) -> tuple[int, int, int, int]:
        """Return the bit-fields ``(mode, level, delta, flag)`` of a word that ``bits_pack`` made.

        Bits above the four fields are ignored.

        Raises `OverflowError` if ``word`` does not fit ``uint32_t``; `TypeError` if it has no
        ``__index__``.
        """
        try:
            fields = _fields.pop()
        except IndexError:
            fields = _new("int32_t[4]")
        _bits_unpack(index(word), fields)
        mode, level, delta, flag = _unpack(fields, 4)
        _fields.append(fields)
        return mode, level, delta, flag

    _macro_clamp: "Callable[[int, int, int], int]" = lib.shim_macro_clamp
    _inline_rotl: "Callable[[int, int], int]" = lib.shim_inline_rotl

else:
    _bits_pack = lib.cs_bits_pack
    _bits_unpack = lib.cs_bits_unpack
    _bits: "list[Any]" = []  # structs that no call is using

    def bits_pack(
        mode: "SupportsIndex", level: "SupportsIndex", delta: "SupportsIndex", flag: "SupportsIndex", /
    ) -> int:
        """Pack four numbers into the bit-fields of one word and return the word.

        From the lowest bit on: ``mode`` (0 to 7), ``level`` (0 to 31), ``delta`` (-8 to 7) and
        ``flag`` (0 or 1).

        Raises `OverflowError` if an argument does not fit its bit-field; `TypeError` if it has no
        ``__index__``.
        """
        try:
            bits = _bits.pop()
        except IndexError:
            bits = _new("cs_bits *")
        bits.mode = index(mode)
        bits.level = index(level)
        bits.delta = index(delta)
        bits.flag = index(flag)
        word: int = _bits_pack(bits)
        _bits.append(bits)
        return word

    def bits_unpack(word: "SupportsIndex", /) -> tuple[int, int, int, int]:
        """Return the bit-fields ``(mode, level, delta, flag)`` of a word that ``bits_pack`` made.

        Bits above the four fields are ignored.

        Raises `OverflowError` if ``word`` does not fit ``uint32_t``; `TypeError` if it has no
        ``__index__``.
        """
        try:
            bits = _bits.pop()
        except IndexError:
            bits = _new("cs_bits *")
        _bits_unpack(index(word), bits)
        fields: tuple[int, int, int, int] = (bits.mode, bits.level, bits.delta, bits.flag)
        _bits.append(bits)
        return fields

    def _macro_clamp(x: int, lo: int, hi: int, /) -> int:
        raise NotImplementedError("macros need a compiler: cffi's API mode")

    def _inline_rotl(value: int, bits: int, /) -> int:
        raise NotImplementedError("inline functions need a compiler: cffi's API mode")


def const_text(name: str, /) -> str | None:
    """Return the value of a constant as the library was compiled with it, as text.

    ``name`` is the name in C: 'CS_CONST_INT' gives '42'. An unknown name gives None.

    Raises `TypeError` if ``name`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    text = _const_text(c_string(name))
    return _string(text).decode() if text else None


def macro_clamp(x: "SupportsIndex", lo: "SupportsIndex", hi: "SupportsIndex", /) -> int:
    """Return ``x`` limited to the range from ``lo`` to ``hi``, by a macro, on ``int32_t``.

    If ``lo`` is above ``hi``, an ``x`` below ``lo`` gives ``lo`` and any other ``x`` gives
    ``hi`` where it is above ``hi``.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
    """
    try:
        return _macro_clamp(index(x), index(lo), index(hi))
    except TypeError:
        return _macro_clamp(i32(x), i32(lo), i32(hi))


def inline_rotl(value: "SupportsIndex", bits: "SupportsIndex", /) -> int:
    """Return a ``uint32_t`` rotated left by ``bits`` modulo 32, by an inline function.

    Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
    """
    try:
        return _inline_rotl(index(value), index(bits))
    except TypeError:
        return _inline_rotl(u32(value), u32(bits))
