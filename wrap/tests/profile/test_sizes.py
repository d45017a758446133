# SPDX-License-Identifier: Apache-2.0
"""Sizes of buffers become C, and what cannot be computed is left out."""

from collections.abc import Callable

from cside_wrap.profile.sizes import incoming, outgoing
from cside_wrap.project.reading import Project

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
  { functions = "box_query", argument = "out", role = "bytes-out", room = "8", filled = "outlen", why = "so" },
  { functions = "box_key", argument = "k", role = "bytes-in", size = "BOX_KEYBYTES * 2", why = "so" },
  { functions = "box_digest", argument = "out", role = "bytes-out", room = "8", filled = "box_count()", why = "so" },
]"""


def test_inputs(box: Callable[..., Project]) -> None:
    """By a neighbour, by a constant of the header; none where there is no buffer."""
    found = box(RULES)
    texts = {name: incoming(one, found.header) for name, one in found.described.items()}
    assert texts["box_sum"] == "(cs_a0 ? (uint64_t)cs_a1 : 0)"
    assert texts["box_key"] == "(cs_a0 ? (16ull * 2ull) : 0)"
    assert texts["box_count"] == ""


def test_outputs(box: Callable[..., Project]) -> None:
    """By the result, by a number at an address, and unknown where a function would have to be called."""
    found = box(RULES)
    texts = {name: outgoing(one, found.header) for name, one in found.described.items()}
    assert texts["box_apart"] == ("(cs_a1 ? (uint64_t)result : 0)", "(cs_a1 ? (uint64_t)cs_a3 : 0)")
    assert texts["box_query"][0] == "(cs_a0 ? (cs_a1 ? (uint64_t)*cs_a1 : CS_NO_SIZE) : 0)"
    assert texts["box_digest"] == ("", "")
    assert texts["box_sum"] == ("", "")


def test_functions_that_are_not_bound_have_none(box: Callable[..., Project]) -> None:
    """Their roles are guesses."""
    found = box()
    assert outgoing(found.described["box_apart"], found.header) == ("", "")
