# SPDX-License-Identifier: Apache-2.0
"""Types keep size, sign and constness through typedefs, and structs their offsets."""

from collections.abc import Callable

import pytest
from cside_wrap.header import types
from cside_wrap.project.reading import Project


def test_structs_have_sizes_offsets_and_bit_fields(box: Callable[..., Project]) -> None:
    """Offsets are in bits; a bit-field has its width."""
    point = box().header.structs["struct box_point"]
    assert (point.size, point.align, point.union) == (24, 8, False)
    assert [(one.name, one.offset, one.bits) for one in point.fields] == [
        ("tag", 0, None),
        ("y", 64, None),
        ("low", 128, 3),
    ]


def test_opaque_types_are_incomplete(box: Callable[..., Project]) -> None:
    """A pointer to a struct without fields points to an incomplete type, which no table of structs has."""
    found = box().header
    assert not found.functions["box_free"].parameters[0].type.pointee.complete
    assert "struct box" not in found.structs


def test_enumerations_and_arrays(box: Callable[..., Project]) -> None:
    """An enumeration with a negative value is signed; an array of an argument keeps its count."""
    found = box().header.functions
    assert found["box_next"].returns.kind == "enum" and found["box_next"].returns.signed
    out = found["box_digest"].parameters[0].type
    assert (out.kind, out.count, out.pointee.const) == ("array", 16, False)


def test_constness_of_an_array_is_that_of_its_elements(other: Callable[[str, str], Project]) -> None:
    """libclang has it on the whole array."""
    found = other("int f(const unsigned char k[4]);", "int f(const unsigned char k[4]) { return k[0]; }")
    assert found.header.functions["f"].parameters[0].type.pointee.const


@pytest.mark.parametrize(
    ("kind", "declared"),
    [("int", "int x"), ("char *", "char *x"), ("int (*)(void)", "int (*x)(void)"), ("char[3]", "char x[3]")],
)
def test_declarations_are_written_as_in_c(kind: str, declared: str) -> None:
    """The name stands where C wants it."""
    assert types.declared(kind, "x") == declared
