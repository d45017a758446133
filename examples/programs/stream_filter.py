# SPDX-License-Identifier: Apache-2.0
"""Compress standard input to standard output, or decompress it, in parts of 64 KiB.

Example: python stream_filter.py < README.md | python stream_filter.py --decompress --binding ctypes
"""

import argparse
import importlib
import sys
from types import ModuleType
from typing import BinaryIO

PART = 65536
GZIP = 31
"""Window bits: the largest window, and the format of gzip (zlib.h, deflateInit2)."""


def compress(codec: ModuleType, source: BinaryIO, sink: BinaryIO, level: int) -> None:
    """Write the gzip stream of what is read."""
    stream = codec.compressobj(level, codec.DEFLATED, GZIP)
    while part := source.read(PART):
        sink.write(stream.compress(part))
    sink.write(stream.flush())


def decompress(codec: ModuleType, source: BinaryIO, sink: BinaryIO) -> None:
    """Write what a gzip stream holds, never more than PART bytes at a time. Raises `EOFError` where it breaks off."""
    stream = codec.decompressobj(GZIP)
    while not stream.eof:
        part = stream.unconsumed_tail or source.read(PART)
        made = stream.decompress(part, PART)
        if not part and not made:
            raise EOFError("the stream breaks off")
        sink.write(made)


def main() -> None:
    """Read the command line, and filter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decompress", action="store_true")
    parser.add_argument("--binding", default="cext", help="cext, cython, swig, cffi or ctypes")
    parser.add_argument("--level", type=int, default=6, help="0 (none) to 9 (best)")
    asked = parser.parse_args()
    codec = importlib.import_module(f"cside_{asked.binding}.codec")
    try:
        if asked.decompress:
            decompress(codec, sys.stdin.buffer, sys.stdout.buffer)
        else:
            compress(codec, sys.stdin.buffer, sys.stdout.buffer, asked.level)
    except (codec.error, EOFError) as error:
        sys.exit(f"stream_filter: {error}")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
