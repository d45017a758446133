# SPDX-License-Identifier: Apache-2.0
"""Text: NUL-terminated strings in and out, borrowed or freed by us, and a fixed-width field padded with spaces."""

from _operator import index as as_index

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

_new = ffi.new
_string = ffi.string
_unpack = ffi.unpack
_encode = str.encode
_LABEL_NBYTES: int = lib.CS_LABEL_NBYTES

# Out-parameters that no call is using; the first call makes the first one.
_labels: "list[Any]" = []
_texts: "list[Any]" = []

_string_length: "Callable[[bytes], int]" = lib.cs_string_length
_string_borrow = lib.cs_string_borrow
_string_repeat = lib.cs_string_repeat
_string_free = lib.cs_string_free
_label_get = lib.cs_label_get
_label_hash: "Callable[[bytes], int]" = lib.cs_label_hash


def c_string(text: str) -> bytes:
    """Return the UTF-8 of ``text``, which must hold no NUL, because C reads it up to the first one."""
    encoded = _encode(text)
    if 0 in encoded:
        raise ValueError("embedded null character")
    return encoded


def string_length(text: str, /) -> int:
    """Return the length of a text in bytes of UTF-8.

    Raises `TypeError` if ``text`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    encoded = _encode(text)
    if 0 in encoded:
        raise ValueError("embedded null character")
    return _string_length(encoded)


def string_borrow(index: "SupportsIndex", /) -> str | None:
    """Return a copy of a text that the library owns, or None if there is none.

    ``index`` 0 gives 'borrowed', 1 a text that is not ASCII, 3 an empty text, and anything from
    4 on gives None.

    Raises `UnicodeDecodeError` if ``index`` is 2, the text that is not valid UTF-8;
    `OverflowError` if it does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    text = _string_borrow(as_index(index))
    return _string(text).decode() if text else None


def string_repeat(text: str, times: "SupportsIndex", /) -> str:
    """Return ``text`` repeated ``times`` times.

    The library allocates the result; it is freed after it was copied to the ``str``.

    Raises `MemoryError` if there is no memory for the result; `TypeError` if ``text`` is not a
    ``str`` or ``times`` has no ``__index__``; `ValueError` if ``text`` contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate; `OverflowError` if ``times`` does not
    fit ``uint32_t``.
    """
    encoded = c_string(text)
    try:
        out = _texts.pop()
    except IndexError:
        out = _new("char **")
    status: int = _string_repeat(encoded, as_index(times), out)
    if status:
        _texts.append(out)
        raise failure(status)
    repeated = out[0]
    _texts.append(out)
    try:
        result: str = _string(repeated).decode()
    finally:
        _string_free(repeated)
    return result


def label_get(index: "SupportsIndex", /) -> str:
    """Return label number ``index`` without the spaces that pad it to 32 bytes.

    Raises `OverflowError` if ``index`` does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        label = _labels.pop()
    except IndexError:
        label = _new("char[32]")
    _label_get(as_index(index), label)
    padded: bytes = _unpack(label, _LABEL_NBYTES)
    _labels.append(label)
    return padded.rstrip(b" ").decode()


def label_hash(text: str, /) -> int:
    """Return the 32-bit FNV-1a hash of a text that is padded with spaces to 32 bytes of UTF-8.

    A NUL in the text is hashed like any other byte.

    Raises `ValueError` 'label longer than 32 bytes' if the UTF-8 is longer; `TypeError` if
    ``text`` is not a ``str``; `UnicodeEncodeError` if it contains a lone surrogate.
    """
    encoded = _encode(text)
    if len(encoded) > _LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    return _label_hash(encoded.ljust(_LABEL_NBYTES))
