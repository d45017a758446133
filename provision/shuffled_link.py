# SPDX-License-Identifier: Apache-2.0
"""Link a module as asked, then more times with other layouts: ``shuffled_link.py COPIES LINKER ARGUMENT…``.

``LDSHARED`` names this program when the copies with other layouts are built. setuptools calls it once for each module,
with an output such as ``build/lib.linux/cside_x/_core.so``; copy N goes to ``build/lib.linux/cside_layouts/N/cside_x/``
with the same name, from where it gets into the wheel. CMake calls it as its linker launcher; the module's output folder
has to be ``lib/cside_x`` there, and ``lib/cside_layouts`` to be installed. The compiler works once for all of them.

A copy is linked from the same object files with two differences. They are in another order, where there are several.
And before them comes an object that holds nothing but room: so many bytes of code, of constants, of data and of zeros,
by which everything behind it is moved. So a module that is a single object gets other addresses too.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

FOLDER = "cside_layouts"
"""Folder of the copies in the wheel."""

ALIGNMENT = 16
"""Compilers put functions and tables on multiples of this, so a smaller shift would be lost."""

LINE = 64
"""Bytes of a line of the cache."""

PAGE = 4096
"""Bytes of a page. The address space is drawn anew for each process, in whole pages."""

ROOM = """\
/* Room of a drawn size before the code and data of a module. */
__asm__(".text\\n\\t.skip {text}\\n");
__attribute__((visibility("hidden"))) extern const char cside_room_constants[{constants}];
__attribute__((visibility("hidden"))) extern char cside_room_data[{data}];
__attribute__((visibility("hidden"))) extern char cside_room_zeros[{zeros}];
const char cside_room_constants[{constants}] = {{1}};
char cside_room_data[{data}] = {{1}};
char cside_room_zeros[{zeros}];
"""


def shuffled(words: Sequence[str], seed: int) -> list[str]:
    """The arguments with the object files among them in another order; all other arguments keep their places."""
    places = [place for place, word in enumerate(words) if word.endswith((".o", ".obj"))]
    objects = [words[place] for place in places]
    order = list(objects)
    draw = random.Random(seed)
    while order == objects and len(set(objects)) > 1:
        draw.shuffle(order)
    found = list(words)
    for place, word in zip(places, order, strict=True):
        found[place] = word
    return found


def room(seed: int) -> dict[str, int]:
    """The bytes of room before the code and each kind of data: multiples of 16, less than a page and a line.

    Copies with seeds that follow each other begin at each of the four places within a line by turns; the plain module
    counts as the copy 0.
    """
    draw = random.Random(seed)
    within = ALIGNMENT * (seed % (LINE // ALIGNMENT))
    names = ("text", "constants", "data", "zeros")
    return {name: LINE * draw.randrange(1, PAGE // LINE) + within for name in names}


def moved(words: Sequence[str], seed: int, source: Path, output: Path) -> list[str]:
    """The arguments that link a copy: the file ``source`` first, the objects in another order, another output."""
    found = shuffled(words, seed)
    found[found.index("-o") + 1] = str(output)
    first = next(place for place, word in enumerate(found) if word.endswith((".o", ".obj")))
    return [*found[:first], str(source), *found[first:], "-Wl,-S"]  # without debug information, for size


def place(output: Path, copy: int) -> Path | None:
    """The path of a copy; None for an output that lies in no build folder, of which no copy is made."""
    parts = output.parts
    library = next((at for at, part in enumerate(parts) if part == "lib" or part.startswith("lib.")), None)
    if library is None:
        return None
    return Path(*parts[: library + 1], FOLDER, str(copy), *parts[library + 1 :])


def copies(linker: Sequence[str], count: int) -> None:
    """Link ``count`` copies. Raises `subprocess.CalledProcessError` if the linker fails."""
    output = Path(linker[linker.index("-o") + 1])
    for copy in range(1, count + 1):
        if (target := place(output, copy)) is None:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "room.c"
            source.write_text(ROOM.format(**room(copy)), encoding="utf-8")
            subprocess.run(moved(linker, copy, source, target), check=True)


if __name__ == "__main__":
    asked = sys.argv[2:]
    ended = subprocess.run(asked, check=False).returncode
    if ended == 0 and "-o" in asked and os.path.exists(asked[asked.index("-o") + 1]):
        copies(asked, int(sys.argv[1]))
    sys.exit(ended)
