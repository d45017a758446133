# SPDX-License-Identifier: Apache-2.0
"""Corpora: the inputs that a fuzzer found worth keeping, one a line in hexadecimal digits, ``#`` before a comment.

libFuzzer wants a folder with a file for each input. One text file for each target can be read in a difference, and says
by its comments which inputs were findings.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

MOST_INPUTS = 400
"""Of a target. Of more, the shortest are kept, besides those with a comment."""
MOST_NBYTES = 1024
"""Of an input that is kept for what it reaches. One with a comment may be longer."""


def read(file: Path) -> list[tuple[tuple[str, ...], bytes]]:
    """The inputs, each with the lines of comment before it. An absent file has none. ``ValueError`` for other text."""
    found: list[tuple[tuple[str, ...], bytes]] = []
    comment: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        if line.startswith("#"):
            comment.append(line)
        else:
            found.append((tuple(comment), bytes.fromhex(line)))
            comment = []
    return found


def unpack(file: Path, folder: Path) -> int:
    """Write each input to a file of ``folder``, named as libFuzzer does, by its SHA-1; return how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = [content for _, content in read(file)]
    for content in inputs:
        (folder / hashlib.sha1(content, usedforsecurity=False).hexdigest()).write_bytes(content)
    return len(inputs)


def write(file: Path, inputs: Iterable[bytes]) -> int:
    """Keep these inputs, and all that have a comment, shortest first; return how many there are now."""
    commented = [(comment, content) for comment, content in read(file) if comment]
    known = {content for _, content in commented}
    fresh = sorted({each for each in inputs if len(each) <= MOST_NBYTES} - known, key=lambda each: (len(each), each))
    kept = [*commented, *(((), content) for content in fresh[: MOST_INPUTS - len(commented)])]
    lines = [line for comment, content in kept for line in (*comment, content.hex())]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(kept)
