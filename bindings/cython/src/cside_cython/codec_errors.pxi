# SPDX-License-Identifier: Apache-2.0
# Codec, errors: statuses of the engine become exceptions with the texts of the standard library's zlib.

from libc.string cimport strlen


class error(Exception):
    """The exception for a failure of the engine, a class named ``error``."""


cdef int engine_error(cs_status status, const char *doing, const char *message) except -1:
    """Raise `error` with the text of the standard library's zlib."""
    cdef char text[320]
    cs_codec_error_text(status, doing, message, text, sizeof(text))
    raise error(text[:strlen(text)].decode("utf-8", "replace"))


cdef int compress_error(cs_status status, const char *message) except -1:
    if status == CS_E_STREAM:
        raise error("Bad compression level")
    if status == CS_E_MEMORY:
        raise MemoryError("Out of memory while compressing data")
    engine_error(status, "while compressing data", message)


cdef int copy_error(cs_status status, str what, const char *message) except -1:
    if status == CS_E_STREAM:
        raise ValueError("Inconsistent stream state")
    if status == CS_E_MEMORY:
        raise MemoryError(f"Can't allocate memory for {what} object")
    engine_error(status, f"while copying {what} object".encode(), message)


cdef int init_error(cs_status status, str what, const char *message) except -1:
    if status == CS_E_STREAM:
        raise ValueError("Invalid initialization option")
    if status == CS_E_MEMORY:
        raise MemoryError(f"Can't allocate memory for {what} object")
    engine_error(status, f"while creating {what} object".encode(), message)


def fail_after(allocations, /):
    """Make the library's later allocations on the calling thread fail. It is for tests.

    ``allocations`` is the number of allocations that succeed first; with -1 none fails any
    more.

    Raises `OverflowError` if ``allocations`` does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    cs_codec_fail_after(as_i64(allocations))
