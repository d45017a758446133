# SPDX-License-Identifier: Apache-2.0
"""Text: NUL-terminated strings in and out, borrowed or freed by us, and a fixed-width field padded with spaces."""

from _operator import index

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
    """Length in bytes of the UTF-8."""
    encoded = _encode(text)
    if 0 in encoded:
        raise ValueError("embedded null character")
    return _string_length(encoded)


def string_borrow(number: "SupportsIndex", /) -> str | None:
    """A copy of a text that the library keeps; ``None`` where the library returns NULL."""
    text = _string_borrow(index(number))
    return _string(text).decode() if text else None


def string_repeat(text: str, times: "SupportsIndex", /) -> str:
    """A text that the library allocates; this function frees it with ``cs_string_free``."""
    encoded = c_string(text)
    try:
        out = _texts.pop()
    except IndexError:
        out = _new("char **")
    status: int = _string_repeat(encoded, index(times), out)
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


def label_get(number: "SupportsIndex", /) -> str:
    """The text of a fixed-width field, without its padding."""
    try:
        label = _labels.pop()
    except IndexError:
        label = _new("char[32]")
    _label_get(index(number), label)
    padded: bytes = _unpack(label, _LABEL_NBYTES)
    _labels.append(label)
    return padded.rstrip(b" ").decode()


def label_hash(text: str, /) -> int:
    """Hash of the padded field. `ValueError` "label longer than 32 bytes"."""
    encoded = _encode(text)
    if len(encoded) > _LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    return _label_hash(encoded.ljust(_LABEL_NBYTES))
