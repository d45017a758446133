# SPDX-License-Identifier: Apache-2.0
"""Texts: NUL-terminated, borrowed or owned by the caller, and of fixed width, padded with spaces."""

from _operator import index as to_int
from ctypes import c_char_p, c_int32, c_size_t, c_uint32, c_void_p

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import PYPY, SmallInt, cell, encoded, finished, fresh, held, ready, too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

__all__ = ["label_get", "label_hash", "string_borrow", "string_length", "string_repeat"]

_LABEL_NBYTES = 32

_string_length = ready("cs_string_length", c_size_t, c_char_p)
_string_borrow = ready("cs_string_borrow", c_char_p, SmallInt(c_uint32))
_string_repeat = ready("cs_string_repeat", c_int32, c_char_p, SmallInt(c_uint32), c_void_p)
_string_free = held("cs_string_free", None, c_char_p)
_label_get = ready("cs_label_get", None, SmallInt(c_uint32), c_void_p)
_label_hash = ready("cs_label_hash", c_uint32, c_char_p)

_texts: "list[Any]" = []
"""Out-parameters that no call is using."""


def string_length(text: str, /) -> int:
    """Return the length of a text in bytes of UTF-8.

    Raises `TypeError` if ``text`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    return _string_length(encoded(text))


def string_borrow(index: "SupportsIndex", /) -> "str | None":
    """Return a copy of a text that the library owns, or None if there is none.

    ``index`` 0 gives 'borrowed', 1 a text that is not ASCII, 3 an empty text, and anything from
    4 on gives None.

    Raises `UnicodeDecodeError` if ``index`` is 2, the text that is not valid UTF-8;
    `OverflowError` if it does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    index = to_int(index)
    if index >> 32:
        raise too_large("uint32_t")
    text = _string_borrow(index)
    return None if text is None else text.decode()


def string_repeat(text: str, times: "SupportsIndex", /) -> str:
    """Return ``text`` repeated ``times`` times.

    The library allocates the result; it is freed after it was copied to the ``str``.

    Raises `MemoryError` if there is no memory for the result; `TypeError` if ``text`` is not a
    ``str`` or ``times`` has no ``__index__``; `ValueError` if ``text`` contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate; `OverflowError` if ``times`` does not
    fit ``uint32_t``.
    """
    raw = encoded(text)
    times = to_int(times)
    if times >> 32:
        raise too_large("uint32_t")
    try:
        kept = _texts.pop()
    except IndexError:
        kept = cell(c_char_p)
    out, pointer = kept
    status = _string_repeat(raw, times, pointer)
    if status < 0:
        raise_status(status)
    try:
        repeated = out.value
        return "" if repeated is None else repeated.decode()
    finally:
        _string_free(out)
        _texts.append(kept)


def label_get(index: "SupportsIndex", /) -> str:
    """Return label number ``index`` without the spaces that pad it to 32 bytes.

    Raises `OverflowError` if ``index`` does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    index = to_int(index)
    if index >> 32:
        raise too_large("uint32_t")
    if PYPY:
        field, room = fresh(_LABEL_NBYTES)
        _label_get(index, field)
        return finished(room, _LABEL_NBYTES).rstrip(b" ").decode()
    room = bytes(_LABEL_NBYTES)  # as `fresh` does, without its call
    _label_get(index, room)
    return room.rstrip(b" ").decode()


def label_hash(text: str, /) -> int:
    """Return the 32-bit FNV-1a hash of a text that is padded with spaces to 32 bytes of UTF-8.

    A NUL in the text is hashed like any other byte.

    Raises `ValueError` 'label longer than 32 bytes' if the UTF-8 is longer; `TypeError` if
    ``text`` is not a ``str``; `UnicodeEncodeError` if it contains a lone surrogate.
    """
    if not isinstance(text, str):
        raise TypeError(f"a str is required, not '{type(text).__name__}'")
    raw = str.encode(text)
    if len(raw) > _LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    return _label_hash(raw.ljust(_LABEL_NBYTES))
