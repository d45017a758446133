# SPDX-License-Identifier: Apache-2.0
"""Lab 4: structs by value and by pointer, and an array of structs that point into other objects."""

from workshop.checking import Findings

LAYOUT = {
    "ctypes": "ctypes believes Box._fields_ as it stands: compare it with cs_box in cside/idioms.h, field by field.",
    "cffi": "cffi compares cdef() with the header when the struct is first used, and this message is its answer: "
    "compare with cs_box in cside/idioms.h.",
}
BY_VALUE = {
    "ctypes": "A function without restype is taken to return an int.",
    "cffi": "Compare cs_point_add in cdef() with the header.",
}
ALIVE = {
    "ctypes": "The array holds addresses only. Keep every value in a list until the call has returned.",
    "cffi": "ffi.from_buffer() keeps its object alive, but who keeps what it returned? Hold it in a list until the "
    "call has returned.",
}


def check(found: Findings) -> None:
    """Ask the same questions of both techniques; the answers to compare with are those of the shipped C extension."""
    found.build()
    for name in ("ctypes", "cffi"):
        ask = f"import with_{name} as it\n"
        found.ask(
            f"{name}: box_fill(7) has the tag 7 and the corners (7, 8), (9, 11)",
            ask + "box = it.box_fill(7)\nsame((box.tag, box.min.x, box.min.y, box.max.x, box.max.y), (7, 7, 8, 9, 11))",
            why=LAYOUT[name],
        )
        found.ask(f"{name}: box_area(box_fill(7)) is 6", ask + "same(it.box_area(it.box_fill(7)), 6)", why=LAYOUT[name])
        found.ask(
            f"{name}: point_add((1, 2), (3, 4)) is (4.0, 6.0)",
            ask + "same(it.point_add((1, 2), (3, 4)), (4.0, 6.0))",
            why=BY_VALUE[name],
        )
        array(found, name)


def array(found: Findings, name: str) -> None:
    """Ask about `attrs_digest`."""
    ask = f"from with_{name} import attrs_digest\nfrom cside_cext.idioms import attrs_digest as right\n"
    if not found.ask(
        f"{name}: attrs_digest([(1, b'abc')]) is that of cside's C extension",
        ask + "same(attrs_digest([(1, b'abc')]), right([(1, b'abc')]))",
        why="Make an array of cs_attr, one for each pair: type, address and number of bytes of the value.",
    ):
        return
    found.ask(
        f"{name}: no attribute, None and b'' may all be given",
        ask + "for attrs in [], [(7, None)], [(7, b''), (8, b'x')]:\n"
        "    same(attrs_digest(attrs), right([(t, v or b'') for t, v in attrs]))",
        why="The value of None is a NULL pointer with 0 bytes: its digest is that of b''.",
    )
    found.ask(
        f"{name}: values from a generator, which nobody else keeps, are read as they are",
        ask + "def made(): return ((t, bytes([t]) * 5000) for t in range(200))\n"
        "for _ in range(20): same(attrs_digest(made()), right(list(made())))",
        why=ALIVE[name],
    )
    found.ask(
        f"{name}: a text as value raises TypeError",
        ask + "raises(TypeError, attrs_digest, [(1, 'text')])",
        why="Text has no bytes until it is encoded.",
    )
