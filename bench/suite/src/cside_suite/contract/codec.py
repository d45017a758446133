"""The contract of ``codec``: a drop-in replacement for the standard library's ``zlib``, as of CPython 3.11 to 3.14.

Names, arguments, defaults, exceptions and messages are those of ``zlib`` (https://docs.python.org/3/library/zlib.html),
and CPython's own ``test.test_zlib`` is run against it. Four functions go beyond ``zlib``: ``crc32_combine``,
``adler32_combine``, ``compress_progress`` and ``fail_after``. The docstrings of the protocols have the form that
:mod:`cside_suite.contract.idioms` describes. Integer arguments that the C code of ``zlib`` takes as an ``int`` raise
`OverflowError` if they do not fit an ``int``.

A failed allocation raises `MemoryError` in a one-shot function or when a stream is made or copied, and `error` with
status -4 in later calls on a stream, as in ``zlib``. Where versions of CPython differ, 3.14 is followed:
``Decompress.flush`` reports corrupt data, and ``unconsumed_tail`` is empty once the stream has ended.

The sizes of output buffers are the same in all bindings. The conformance suite checks this by counting native calls:

- ``compress`` makes one call of ``cs_compress``, with ``cs_compress_bound`` bytes of room.
- ``decompress`` uses a stream. The first call has ``bufsize`` bytes of room (at least 1). Each further call has as much
  room as all calls before it together, until ``CS_STREAM_END``. Then ``cs_inflate_end`` is called.
- Streams do the same from ``CS_OUT_FIRST_NBYTES`` bytes on. The next call is made only if the room was used up, and
  ``max_length`` limits the total. ``Decompress.flush(length)`` starts from ``length``.

Several threads may use one stream object: each object has a lock, and its calls take turns.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from typing_extensions import Buffer


class Compress(Protocol):
    """A stream that compresses, made by ``compressobj``; its class cannot be called."""

    def compress(self, data: Buffer, /) -> bytes:
        """Compress ``data`` and return the part of the output that is ready, which may be empty.

        Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
        not C-contiguous; `error` if the stream is finished or there is no memory.
        """

    def flush(self, mode: int = 4, /) -> bytes:
        """Return the output that is pending, and finish the stream unless ``mode`` says otherwise.

        ``mode`` is one of the constants ``Z_FINISH`` (the default), ``Z_SYNC_FLUSH``,
        ``Z_FULL_FLUSH``, ``Z_PARTIAL_FLUSH``, ``Z_BLOCK`` and ``Z_NO_FLUSH``, which returns
        nothing. After ``Z_FINISH`` the stream cannot be used any more.

        Raises `error` if the stream is finished, ``mode`` is none of these or there is no memory;
        `OverflowError` if ``mode`` does not fit an ``int`` of C; `TypeError` if it has no
        ``__index__``.
        """

    def copy(self) -> "Compress":
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream is finished; `MemoryError` if
        there is no memory.
        """

    def __copy__(self) -> "Compress":
        """Return an independent copy of the stream, as ``copy`` does."""

    def __deepcopy__(self, memo: object, /) -> "Compress":
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""


class Decompress(Protocol):
    """A stream that decompresses, made by ``decompressobj``; its class cannot be called."""

    @property
    def unused_data(self) -> bytes:
        """The input that followed the end of the compressed stream; empty before the end."""

    @property
    def unconsumed_tail(self) -> bytes:
        """The input that the last call of ``decompress`` left because of ``max_length``."""

    @property
    def eof(self) -> bool:
        """Whether the end of the compressed stream was reached."""

    def decompress(self, data: Buffer, /, max_length: int = 0) -> bytes:
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless that is 0.

        Input that did not fit is kept in ``unconsumed_tail``, to be passed to the next call.

        Raises `error` if the data is corrupt, a dictionary is missing or wrong, or there is no
        memory; `ValueError` 'max_length must be non-negative' if it is negative; `OverflowError` if
        it does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or ``data`` does not
        support the buffer protocol; `BufferError` if ``data`` is not C-contiguous.
        """

    def flush(self, length: int = 16384, /) -> bytes:
        """Decompress what is left in ``unconsumed_tail`` and return the output.

        ``length`` is the size of the first output buffer, in bytes. A stream whose end is missing
        is no error.

        Raises `ValueError` 'length must be greater than zero' if it is not; `error` if the data is
        corrupt or there is no memory; `OverflowError` if ``length`` does not fit ``Py_ssize_t``;
        `TypeError` if it has no ``__index__``.
        """

    def copy(self) -> "Decompress":
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream was flushed after its end;
        `MemoryError` if there is no memory.
        """

    def __copy__(self) -> "Decompress":
        """Return an independent copy of the stream, as ``copy`` does."""

    def __deepcopy__(self, memo: object, /) -> "Decompress":
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""


class ZlibDecompressor(Protocol):
    """A stream that decompresses and keeps the input that it has not used; ``gzip`` and ``zipfile`` read with it."""

    @property
    def unused_data(self) -> bytes:
        """The input that followed the end of the compressed stream; empty before the end."""

    @property
    def needs_input(self) -> bool:
        """Whether all input was used, so that ``decompress`` should get more; false after the end."""

    @property
    def eof(self) -> bool:
        """Whether the end of the compressed stream was reached."""

    def decompress(self, data: Buffer, max_length: int = -1) -> bytes:
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless it is negative.

        Input that was not used is kept, and the next call goes on with it; that call may give no
        more data than ``b""``, and ``needs_input`` says when it has to.

        Raises `EOFError` 'End of stream already reached' after the end; `error` if the data is
        corrupt, a dictionary is missing or wrong, or there is no memory; `OverflowError` if
        ``max_length`` does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or
        ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
        C-contiguous.
        """


@runtime_checkable
class Codec(Protocol):
    """The module ``<package>.codec``."""

    DEFLATED: int
    """The compression method, the only one."""
    DEF_BUF_SIZE: int
    """The default of ``bufsize`` and ``length``, in bytes."""
    DEF_MEM_LEVEL: int
    """The default of ``memLevel``."""
    MAX_WBITS: int
    """The largest window, as the binary logarithm of its size in bytes."""
    ZLIB_RUNTIME_VERSION: str
    """Version of the engine that is loaded."""
    ZLIB_VERSION: str
    """Version of the engine's header that ``libcside`` was compiled with."""
    Z_BEST_COMPRESSION: int
    """A level: the smallest output."""
    Z_BEST_SPEED: int
    """A level: the least time."""
    Z_BLOCK: int
    """A mode of ``flush``: end the block, and keep the bits of an incomplete byte."""
    Z_DEFAULT_COMPRESSION: int
    """A level: the engine's default."""
    Z_DEFAULT_STRATEGY: int
    """A strategy: for any data."""
    Z_FILTERED: int
    """A strategy: for data of a filter, mostly small numbers."""
    Z_FINISH: int
    """A mode of ``flush``: finish the stream."""
    Z_FIXED: int
    """A strategy: without Huffman codes made for the data."""
    Z_FULL_FLUSH: int
    """A mode of ``flush``: as ``Z_SYNC_FLUSH``; decompression can start again from here."""
    Z_HUFFMAN_ONLY: int
    """A strategy: Huffman codes only, no search for matches."""
    Z_NO_COMPRESSION: int
    """A level: store the data as it is."""
    Z_NO_FLUSH: int
    """A mode of ``flush``: do nothing."""
    Z_PARTIAL_FLUSH: int
    """A mode of ``flush``: write out all input, without aligning the output to a byte."""
    Z_RLE: int
    """A strategy: matches of distance one only."""
    Z_SYNC_FLUSH: int
    """A mode of ``flush``: write out all input, and align the output to a byte."""
    Z_TREES: int
    """A mode of the engine's decompression: stop after the header of a block."""

    @property
    def error(self) -> type[Exception]:
        """The exception for a failure of the engine, a class named ``error``."""

    def crc32(self, data: Buffer, value: int = 0, /) -> int:
        """Return the CRC-32 of ``data``, continued from the checksum ``value``.

        ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

        Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
        ``__index__``; `BufferError` if ``data`` is not C-contiguous.
        """

    def adler32(self, data: Buffer, value: int = 1, /) -> int:
        """Return the Adler-32 of ``data``, continued from the checksum ``value``.

        ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

        Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
        ``__index__``; `BufferError` if ``data`` is not C-contiguous.
        """

    def compress(self, data: Buffer, /, level: int = -1, wbits: int = 15) -> bytes:
        """Compress ``data`` in one call and return the compressed stream.

        ``level`` is 0 (none) to 9 (smallest), or -1 for the default. ``wbits`` is 9 to 15 for the
        zlib format, -9 to -15 for a raw stream, 25 to 31 for gzip.

        Raises `error` 'Bad compression level' if ``level`` or ``wbits`` is not valid;
        `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
        or ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
        C-contiguous; `MemoryError` if there is no memory.
        """

    def decompress(self, data: Buffer, /, wbits: int = 15, bufsize: int = 16384) -> bytes:
        """Decompress one complete stream; what follows it in ``data`` is ignored.

        ``wbits`` is 8 to 15 for the zlib format (0: the size in its header), -8 to -15 for a raw
        stream, 24 to 31 for gzip, 40 to 47 for zlib or gzip as the header says. ``bufsize`` is the
        size of the first output buffer in bytes, where 0 means 1.

        Raises `error` if the data is corrupt or incomplete, a dictionary is needed, or ``wbits`` is
        not valid; `ValueError` 'bufsize must be non-negative' if it is negative; `OverflowError` if
        ``wbits`` does not fit an ``int`` of C or ``bufsize`` does not fit ``Py_ssize_t``;
        `TypeError` if one of them has no ``__index__`` or ``data`` does not support the buffer
        protocol; `BufferError` if ``data`` is not C-contiguous; `MemoryError` if there is no
        memory.
        """

    def compressobj(
        self,
        level: int = -1,
        method: int = 8,
        wbits: int = 15,
        memLevel: int = 8,
        strategy: int = 0,
        zdict: Buffer | None = None,
    ) -> Compress:
        """Return a stream that compresses data in parts.

        ``level`` and ``wbits`` are as for ``compress``, ``method`` is ``DEFLATED``, ``memLevel`` is
        1 (least memory) to 9, ``strategy`` is one of the constants. ``zdict`` is a dictionary of
        bytes that are expected in the data, or None.

        Raises `ValueError` 'Invalid initialization option' if an argument is not valid;
        `ValueError` 'Invalid dictionary' if the format has no dictionaries; `OverflowError` if an
        integer does not fit an ``int`` of C; `TypeError` if it has no ``__index__`` or ``zdict``
        does not support the buffer protocol; `BufferError` if ``zdict`` is not C-contiguous;
        `MemoryError` if there is no memory.
        """

    def decompressobj(self, wbits: int = 15, zdict: Buffer = b"") -> Decompress:
        """Return a stream that decompresses data in parts.

        ``wbits`` is as for ``decompress``. ``zdict`` is the dictionary that the data was compressed
        with.

        Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
        `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
        or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
        C-contiguous, for a raw stream now and else when it is used; `MemoryError` if there is no
        memory for the stream; `error` if there is none for the dictionary of a raw stream.
        """

    def _ZlibDecompressor(self, wbits: int = 15, zdict: Buffer = b"") -> ZlibDecompressor:
        """Return a stream that decompresses data in parts and keeps the input that it has not used.

        ``_ZlibDecompressor`` is a class. CPython 3.12 and later have it for ``gzip`` and
        ``zipfile``. ``wbits`` and ``zdict`` are as for ``decompressobj``.

        Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
        `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
        or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
        C-contiguous; `MemoryError` if there is no memory for the stream; `error` if there is none
        for the dictionary of a raw stream.
        """

    # beyond zlib
    def crc32_combine(self, first: int, second: int, second_nbytes: int, /) -> int:
        """Return the CRC-32 of A + B from those of A and B and the length of B.

        ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
        bytes, 0 to 2**63 - 1.

        Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
        argument has no ``__index__``.
        """

    def adler32_combine(self, first: int, second: int, second_nbytes: int, /) -> int:
        """Return the Adler-32 of A + B from those of A and B and the length of B.

        ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
        bytes, 0 to 2**63 - 1.

        Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
        argument has no ``__index__``.
        """

    def compress_progress(
        self, data: Buffer, callback: Callable[[int, int], object], /, level: int = -1, wbits: int = 15
    ) -> bytes:
        """Compress ``data`` and report progress to ``callback``; return the compressed stream.

        ``level`` and ``wbits`` are as for ``compress``. One stream of memory level 8 and one native
        call do the work. ``callback(total_in, total_out)`` gets the numbers of bytes taken and
        produced so far, after at most every 65,536 bytes and at the end. The GIL is taken for it.
        If it returns ``False`` itself, the compression stops. An exception that it raises is raised
        here, the same object.

        Raises `error` 'compression stopped by the callback' if it was stopped; `error` 'Bad
        compression level' if ``level`` or ``wbits`` is not valid; `OverflowError` if it does not
        fit an ``int`` of C; `TypeError` if it has no ``__index__``, ``data`` does not support the
        buffer protocol or ``callback`` is not callable; `BufferError` if ``data`` is not
        C-contiguous; `MemoryError` if there is no memory.
        """

    def fail_after(self, allocations: int, /) -> None:
        """Make the library's later allocations on the calling thread fail. It is for tests.

        ``allocations`` is the number of allocations that succeed first; with -1 none fails any
        more.

        Raises `OverflowError` if ``allocations`` does not fit ``int64_t``; `TypeError` if it has no
        ``__index__``.
        """
