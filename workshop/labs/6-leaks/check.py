# SPDX-License-Identifier: Apache-2.0
"""Lab 6: no call leaks, and every failure is an exception."""

from workshop.checking import Findings

LEAKS = (
    (
        "repeat('abc', 1000)",
        "Who owns the string that cs_string_repeat() gives? Its comment in cside/idioms.h says so.",
    ),
    (
        "blobs(10)",
        "PyList_Append() takes a reference of its own, and yours is still there. With a debug build of Python, "
        "sys.gettotalrefcount() shows it too.",
    ),
    (
        "blob(2_000_000)",
        "On the path of the error an object is created, and nobody releases it: one exit where everything is "
        "released prevents that.",
    ),
)
LIMIT_BYTES = 40
"""A leak of any object of Python is larger; what allocators take beside is smaller."""


def check(found: Findings) -> None:
    """Ask for answers, for exceptions, and for the growth of the process."""
    if not found.build():
        return
    ask = "from with_cext import repeat, blob, blobs\n"
    found.ask(
        "repeat, blob and blobs give the right answers",
        ask + "from cside_cext import idioms\nsame(repeat('ab', 3), 'ababab')\n"
        "same(blobs(300), [idioms.blob_get(i) for i in range(300)])",
        why="These worked at the start.",
    )
    found.ask(
        "blob(2_000_000) raises LookupError",
        ask + "raises(LookupError, blob, 2_000_000)",
        why="cs_blob_get() says CS_E_NOT_FOUND.",
    )
    found.ask(
        "blob('text') raises TypeError",
        ask + "raises(TypeError, blob, 'text')",
        why="PyLong_AsUnsignedLong() returns (unsigned long)-1 and sets an exception: look at what blobs() does after "
        "PyLong_AsLong().",
    )
    found.ask(
        "blob(2**40) raises OverflowError",
        ask + "raises(OverflowError, blob, 2**40)",
        why="An unsigned long has 64 bits here, and the cast to unsigned int drops 32 of them.",
    )
    for expression, why in LEAKS:
        found.ask(
            f"{expression} does not make the process grow",
            f"from grow import grow\neach = grow({expression!r})\n"
            f"assert each < {LIMIT_BYTES}, f'it grows by {{each:.0f}} bytes with each call'",
            why=why,
        )
