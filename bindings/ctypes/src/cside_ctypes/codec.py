# SPDX-License-Identifier: Apache-2.0
"""Checksums and DEFLATE compression with the interface of the standard library's ``zlib``."""

from ctypes import c_char_p

from cside_ctypes._codec_checksums import adler32, adler32_combine, crc32, crc32_combine
from cside_ctypes._codec_compress import compressobj
from cside_ctypes._codec_decompress import _ZlibDecompressor, decompressobj
from cside_ctypes._codec_oneshot import compress, compress_progress, decompress, fail_after
from cside_ctypes._codec_stream import error
from cside_ctypes._native import held

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

# Copied by hand from cside/codec.h.
DEFLATED = 8
DEF_BUF_SIZE = 16384
DEF_MEM_LEVEL = 8
MAX_WBITS = 15
Z_BEST_COMPRESSION = 9
Z_BEST_SPEED = 1
Z_BLOCK = 5
Z_DEFAULT_COMPRESSION = -1
Z_DEFAULT_STRATEGY = 0
Z_FILTERED = 1
Z_FINISH = 4
Z_FIXED = 4
Z_FULL_FLUSH = 3
Z_HUFFMAN_ONLY = 2
Z_NO_COMPRESSION = 0
Z_NO_FLUSH = 0
Z_PARTIAL_FLUSH = 1
Z_RLE = 3
Z_SYNC_FLUSH = 2
Z_TREES = 6


def _version(name: str) -> str:
    text = held(name, c_char_p)()
    return (text or b"").decode()


ZLIB_RUNTIME_VERSION: str = _version("cs_engine_version")
ZLIB_VERSION: str = _version("cs_engine_header_version")
