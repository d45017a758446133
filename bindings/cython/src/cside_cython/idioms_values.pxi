# SPDX-License-Identifier: Apache-2.0
# Idioms, values: constants, enumerations, flags, a union, bit-fields, a macro and an inline function.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.string cimport memcpy

CONST_INT = CS_CONST_INT
CONST_NEGATIVE = CS_CONST_NEGATIVE
CONST_HEX = CS_CONST_HEX
CONST_CAST = CS_CONST_CAST
CONST_SHIFT = CS_CONST_SHIFT
CONST_EXPR = CS_CONST_EXPR
CONST_CHAR = CS_CONST_CHAR
CONST_FLOAT = CS_CONST_FLOAT
CONST_STRING = CS_CONST_STRING.decode()
COLOR_RED = <int32_t>CS_COLOR_RED
COLOR_GREEN = <int32_t>CS_COLOR_GREEN
COLOR_BLUE = <int32_t>CS_COLOR_BLUE
FLAG_READ = CS_FLAG_READ
FLAG_WRITE = CS_FLAG_WRITE
FLAG_EXEC = CS_FLAG_EXEC
FLAG_ALL = CS_FLAG_ALL


# ---- enumeration, flags, union, bit-fields ----------------------------------------------------------

def color_next(color, /):
    """Return the color that follows: red, green, blue, and red again.

    Colors are the constants ``COLOR_RED``, ``COLOR_GREEN`` and ``COLOR_BLUE``.

    Raises `ValueError` 'not a color' if ``color`` is none of these; `OverflowError` if it does
    not fit ``int32_t``; `TypeError` if it has no ``__index__``.
    """
    cdef int32_t number = as_i32(color)
    cdef cs_color following = cs_color_next(<cs_color>number)
    if following == CS_COLOR_INVALID:
        raise ValueError("not a color")
    return <int32_t>following


def flags_toggle(flags, mask, /):
    """Return ``flags`` with each flag of ``mask`` toggled, which is their exclusive or.

    Raises `ValueError` if an argument has a bit outside ``FLAG_ALL``; `OverflowError` if it
    does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    cdef uint32_t result = 0
    check(cs_flags_toggle(as_u32(flags), as_u32(mask), &result))
    return result


def variant_double(value, /):
    """Return twice a number, or eight bytes in reverse order.

    The Python type selects the member of a C union: an ``int`` (also a ``bool``) is an
    ``int64_t`` and is doubled modulo 2**64, a ``float`` is a ``double``, and ``bytes`` are an
    array of eight bytes. Objects of their subclasses are treated alike.

    Raises `ValueError` 'need 8 bytes' for bytes of another length; `OverflowError` for an
    integer that does not fit ``int64_t``; `TypeError` for any other type.
    """
    cdef cs_variant variant
    if isinstance(value, int):
        variant.kind = CS_VARIANT_INTEGER
        variant.value.integer = value
        check(cs_variant_double(&variant))
        return variant.value.integer
    if isinstance(value, float):
        variant.kind = CS_VARIANT_REAL
        variant.value.real = value
        check(cs_variant_double(&variant))
        return variant.value.real
    if isinstance(value, bytes):
        if PyBytes_GET_SIZE(value) != 8:
            raise ValueError("need 8 bytes")
        variant.kind = CS_VARIANT_BYTES
        memcpy(variant.value.bytes, PyBytes_AS_STRING(value), 8)
        check(cs_variant_double(&variant))
        return PyBytes_FromStringAndSize(<char *>variant.value.bytes, 8)
    raise TypeError(f"int, float or bytes required, not '{type(value).__name__}'")


cdef int32_t refuse_bits(int32_t low, int32_t high) except? -2147483648:
    raise OverflowError(f"bit-field takes {low} to {high}")


cdef inline int32_t bit_field(object value, int32_t low, int32_t high) except? -2147483648:
    cdef int32_t number = as_i32(value)
    return number if low <= number <= high else refuse_bits(low, high)


def bits_pack(mode, level, delta, flag, /):
    """Pack four numbers into the bit-fields of one word and return the word.

    From the lowest bit on: ``mode`` (0 to 7), ``level`` (0 to 31), ``delta`` (-8 to 7) and
    ``flag`` (0 or 1).

    Raises `OverflowError` if an argument does not fit its bit-field; `TypeError` if it has no
    ``__index__``.
    """
    cdef cs_bits bits
    bits.mode = <unsigned int>bit_field(mode, 0, 7)
    bits.level = <unsigned int>bit_field(level, 0, 31)
    bits.delta = bit_field(delta, -8, 7)
    bits.flag = <unsigned int>bit_field(flag, 0, 1)
    return cs_bits_pack(&bits)


def bits_unpack(word, /):
    """Return the bit-fields ``(mode, level, delta, flag)`` of a word that ``bits_pack`` made.

    Bits above the four fields are ignored.

    Raises `OverflowError` if ``word`` does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    cdef cs_bits bits
    cs_bits_unpack(as_u32(word), &bits)
    return bits.mode, bits.level, bits.delta, bits.flag


# ---- constants by name, a macro, an inline function -------------------------------------------------

def const_text(name, /):
    """Return the value of a constant as the library was compiled with it, as text.

    ``name`` is the name in C: 'CS_CONST_INT' gives '42'. An unknown name gives None.

    Raises `TypeError` if ``name`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    return text_or_none(cs_const_text(utf8_without_nul(name)))


def macro_clamp(x, lo, hi, /):
    """Return ``x`` limited to the range from ``lo`` to ``hi``, by a macro, on ``int32_t``.

    If ``lo`` is above ``hi``, an ``x`` below ``lo`` gives ``lo`` and any other ``x`` gives
    ``hi`` where it is above ``hi``.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
    """
    cdef int32_t number = as_i32(x), low = as_i32(lo), high = as_i32(hi)
    return <int32_t>CS_MACRO_CLAMP(number, low, high)


def inline_rotl(value, bits, /):
    """Return a ``uint32_t`` rotated left by ``bits`` modulo 32, by an inline function.

    Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
    """
    return cs_inline_rotl(as_u32(value), as_u32(bits))
