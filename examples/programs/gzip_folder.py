# SPDX-License-Identifier: Apache-2.0
"""Gzip every file of a folder into another, with progress.

Example: python gzip_folder.py docs out/ --binding cython
"""

import argparse
import importlib
import sys
from pathlib import Path

GZIP = 31
"""Window bits: the largest window, and the format of gzip (zlib.h, deflateInit2)."""


def gzip_folder(source: Path, target: Path, binding: str, level: int) -> tuple[int, int]:
    """Write FILE.gz into ``target`` for every file below ``source``; return the bytes read and written."""
    codec = importlib.import_module(f"cside_{binding}.codec")
    files = [file for file in sorted(source.rglob("*")) if file.is_file()]
    whole = sum(file.stat().st_size for file in files)
    read = written = 0
    for file in files:

        def progress(taken: int, made: int, file: Path = file, before: int = read) -> None:
            """Called by the library, from inside of the compression."""
            done = 100 * (before + taken) / max(whole, 1)
            print(f"\r{done:5.1f} %  {file.name[:50]:<50}  {made:>12,} bytes", end="", file=sys.stderr, flush=True)

        data = file.read_bytes()
        packed = codec.compress_progress(data, progress, level, GZIP)
        place = target / file.relative_to(source).with_name(f"{file.name}.gz")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(packed)
        read += len(data)
        written += len(packed)
    print(file=sys.stderr)
    return read, written


def main() -> None:
    """Read the command line, and say what was saved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--binding", default="cext", help="cext, cython, swig, cffi or ctypes")
    parser.add_argument("--level", type=int, default=6, help="0 (none) to 9 (best)")
    asked = parser.parse_args()
    if not asked.source.is_dir():
        parser.error(f"{asked.source} is not a folder")
    if asked.target.resolve().is_relative_to(asked.source.resolve()):
        parser.error("the target lies in the source, and would be packed too")
    read, written = gzip_folder(asked.source, asked.target, asked.binding, asked.level)
    print(f"{read:,} bytes became {written:,}")


if __name__ == "__main__":
    main()
