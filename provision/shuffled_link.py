# SPDX-License-Identifier: Apache-2.0
"""Call a linker with its object files in another order: ``shuffled_link.py SEED LINKER ARGUMENT…``.

``LDSHARED`` names this program when the relinked control is built. Code and data then have other addresses; nothing
else changes.
"""

import os
import random
import sys
from collections.abc import Sequence


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


if __name__ == "__main__":
    linker = shuffled(sys.argv[2:], int(sys.argv[1]))
    os.execvp(linker[0], linker)
