# SPDX-License-Identifier: Apache-2.0
"""A drop-in for the standard library's `zlib` over ``cside/codec.h``: same names, arguments, exceptions, messages."""

from ._codec_checksums import adler32, adler32_combine, crc32, crc32_combine
from ._codec_compress import Compress, compressobj
from ._codec_decompress import Decompress, _ZlibDecompressor, decompressobj
from ._codec_oneshot import compress, compress_progress, decompress, fail_after
from ._codec_stream import error
from ._core import ffi as _ffi
from ._core import lib as _lib

__all__ = [
    "DEFLATED",
    "DEF_BUF_SIZE",
    "DEF_MEM_LEVEL",
    "MAX_WBITS",
    "ZLIB_RUNTIME_VERSION",
    "ZLIB_VERSION",
    "Z_BEST_COMPRESSION",
    "Z_BEST_SPEED",
    "Z_BLOCK",
    "Z_DEFAULT_COMPRESSION",
    "Z_DEFAULT_STRATEGY",
    "Z_FILTERED",
    "Z_FINISH",
    "Z_FIXED",
    "Z_FULL_FLUSH",
    "Z_HUFFMAN_ONLY",
    "Z_NO_COMPRESSION",
    "Z_NO_FLUSH",
    "Z_PARTIAL_FLUSH",
    "Z_RLE",
    "Z_SYNC_FLUSH",
    "Z_TREES",
    "Compress",
    "Decompress",
    "_ZlibDecompressor",
    "adler32",
    "adler32_combine",
    "compress",
    "compress_progress",
    "compressobj",
    "crc32",
    "crc32_combine",
    "decompress",
    "decompressobj",
    "error",
    "fail_after",
]

ZLIB_RUNTIME_VERSION: str = _ffi.string(_lib.cs_engine_version()).decode()
ZLIB_VERSION: str = _ffi.string(_lib.cs_engine_header_version()).decode()

DEFLATED: int = _lib.CS_METHOD_DEFLATED
DEF_BUF_SIZE: int = _lib.CS_OUT_FIRST_NBYTES
DEF_MEM_LEVEL: int = _lib.CS_MEM_LEVEL_DEFAULT
MAX_WBITS: int = _lib.CS_WINDOW_BITS_MAX

Z_NO_COMPRESSION: int = _lib.CS_LEVEL_NONE
Z_BEST_SPEED: int = _lib.CS_LEVEL_FASTEST
Z_BEST_COMPRESSION: int = _lib.CS_LEVEL_BEST
Z_DEFAULT_COMPRESSION: int = _lib.CS_LEVEL_DEFAULT

Z_DEFAULT_STRATEGY: int = _lib.CS_STRATEGY_DEFAULT
Z_FILTERED: int = _lib.CS_STRATEGY_FILTERED
Z_HUFFMAN_ONLY: int = _lib.CS_STRATEGY_HUFFMAN_ONLY
Z_RLE: int = _lib.CS_STRATEGY_RLE
Z_FIXED: int = _lib.CS_STRATEGY_FIXED

Z_NO_FLUSH: int = _lib.CS_FLUSH_NONE
Z_PARTIAL_FLUSH: int = _lib.CS_FLUSH_PARTIAL
Z_SYNC_FLUSH: int = _lib.CS_FLUSH_SYNC
Z_FULL_FLUSH: int = _lib.CS_FLUSH_FULL
Z_FINISH: int = _lib.CS_FLUSH_FINISH
Z_BLOCK: int = _lib.CS_FLUSH_BLOCK
Z_TREES: int = _lib.CS_FLUSH_TREES
