"""The contract of ``codec``: drop-in for the standard library's ``zlib``, as of CPython 3.11 to 3.14.

Names, arguments, defaults, exceptions and messages are those of ``zlib`` (https://docs.python.org/3/library/zlib.html);
CPython's own ``test.test_zlib`` is run against it. What stands here is what that page leaves open, and four
functions beyond it. Integer arguments that C code of ``zlib`` takes as ``int`` raise `OverflowError` beyond ``int``.

A failed allocation is `MemoryError` in a one-shot function or when a stream is made or copied, and `error` with
status -4 once a stream is under way, as in ``zlib``. Where versions of CPython differ, 3.14 is followed:
``Decompress.flush`` reports corrupt data, and an ``unconsumed_tail`` ends with its stream.

Output buffers, equal in all bindings and proved by equal counts of native calls:

- ``compress``: one call of ``cs_compress`` with ``cs_compress_bound`` of room.
- ``decompress``: a stream; the first call has ``bufsize`` bytes of room (at least 1), each further one as much as all
  before it together, until ``CS_STREAM_END``; then ``cs_inflate_end``.
- streams: the same from ``CS_OUT_FIRST_NBYTES``; the next call is made only when the room was used up, and the total
  is limited by ``max_length``. ``Decompress.flush(length)`` starts from ``length``.

A stream object may be used by several threads: its calls take turns by a lock of its own.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from typing_extensions import Buffer


class Compress(Protocol):
    """What :meth:`Codec.compressobj` returns. Not constructible by itself."""

    def compress(self, data: Buffer, /) -> bytes: ...
    def flush(self, mode: int = 4, /) -> bytes: ...
    def copy(self) -> "Compress": ...
    def __copy__(self) -> "Compress": ...
    def __deepcopy__(self, memo: object, /) -> "Compress": ...


class Decompress(Protocol):
    """What :meth:`Codec.decompressobj` returns. Not constructible by itself."""

    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    @property
    def eof(self) -> bool: ...
    def decompress(self, data: Buffer, /, max_length: int = 0) -> bytes: ...
    def flush(self, length: int = 16384, /) -> bytes: ...
    def copy(self) -> "Decompress": ...
    def __copy__(self) -> "Decompress": ...
    def __deepcopy__(self, memo: object, /) -> "Decompress": ...


@runtime_checkable
class Codec(Protocol):
    """The module ``<package>.codec``."""

    DEFLATED: int
    DEF_BUF_SIZE: int
    DEF_MEM_LEVEL: int
    MAX_WBITS: int
    ZLIB_RUNTIME_VERSION: str
    """Version of the engine that is loaded."""
    ZLIB_VERSION: str
    """Version of the engine's header that ``libcside`` was compiled against."""
    Z_BEST_COMPRESSION: int
    Z_BEST_SPEED: int
    Z_BLOCK: int
    Z_DEFAULT_COMPRESSION: int
    Z_DEFAULT_STRATEGY: int
    Z_FILTERED: int
    Z_FINISH: int
    Z_FIXED: int
    Z_FULL_FLUSH: int
    Z_HUFFMAN_ONLY: int
    Z_NO_COMPRESSION: int
    Z_NO_FLUSH: int
    Z_PARTIAL_FLUSH: int
    Z_RLE: int
    Z_SYNC_FLUSH: int
    Z_TREES: int

    @property
    def error(self) -> type[Exception]:
        """The binding's own class named ``error``, for every failure of the engine."""

    def crc32(self, data: Buffer, value: int = 0, /) -> int:
        """``value`` is any int, reduced modulo 2**32, as in ``zlib``."""

    def adler32(self, data: Buffer, value: int = 1, /) -> int: ...
    def compress(self, data: Buffer, /, level: int = -1, wbits: int = 15) -> bytes:
        """`error` "Bad compression level" for ``CS_E_STREAM``, as ``zlib`` says it."""

    def decompress(self, data: Buffer, /, wbits: int = 15, bufsize: int = 16384) -> bytes:
        """`ValueError` "bufsize must be non-negative"; 0 is taken as 1. What follows the stream is ignored."""

    def compressobj(
        self,
        level: int = -1,
        method: int = 8,
        wbits: int = 15,
        memLevel: int = 8,
        strategy: int = 0,
        zdict: Buffer | None = None,
    ) -> Compress:
        """``zdict`` may be ``None``, for none; the standard library's can only be left out."""

    def decompressobj(self, wbits: int = 15, zdict: Buffer = b"") -> Decompress: ...

    # beyond zlib
    def crc32_combine(self, first: int, second: int, second_nbytes: int, /) -> int:
        """CRC-32 of A + B from both and ``len(B)``. Checksums modulo 2**32; length 0 to 2**63 - 1, `OverflowError`
        outside ``uint64_t``.
        """

    def adler32_combine(self, first: int, second: int, second_nbytes: int, /) -> int: ...
    def compress_progress(
        self, data: Buffer, callback: Callable[[int, int], object], /, level: int = -1, wbits: int = 15
    ) -> bytes:
        """As :meth:`compress`, by one stream (memory level 8), one ``cs_deflate`` call with ``cs_compress_bound`` of
        room.

        ``callback(total_in, total_out)`` runs as ``cs_progress_fn``, with the GIL taken for it. What it raises comes
        out. Its result is ignored but for ``False`` itself, which stops: `error` "compression stopped by the callback".
        """

    def fail_after(self, allocations: int, /) -> None:
        """``cs_codec_fail_after``: let some of this thread's native allocations succeed, then none; -1 for no limit."""
