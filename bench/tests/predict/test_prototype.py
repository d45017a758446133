# SPDX-License-Identifier: Apache-2.0
"""Declarations in C are read as a compiler reads them, and what cannot be priced is refused with a reason."""

import pytest
from cside_bench.predict.prototype import PrototypeError, parse


def kinds(text: str) -> list[str]:
    """Return the kinds of a function's parameters; a pointer has the kind that it points to behind it."""
    return [
        it.type.kind + (f" {it.type.to.kind}" if it.type.kind == "pointer" and it.type.to is not None else "")
        for it in parse(text).parameters
    ]


def test_each_type_of_a_parameter_has_its_kind() -> None:
    """Integers of the standard headers need no declaration, and neither do the semicolon and names."""
    found = parse("double f(const char *text, size_t n, double *out, unsigned long long, _Bool flag)")
    assert found.name == "f" and found.result.kind == "real"
    assert [it.name for it in found.parameters] == ["text", "n", "out", "arg4", "flag"]
    assert [it.type.name for it in found.parameters[:3]] == ["char *", "size_t", "double *"]
    assert kinds("int f(const char *text, size_t n, double *out, unsigned long long, _Bool flag)") == [
        "pointer integer",
        "integer",
        "pointer real",
        "integer",
        "integer",
    ]


@pytest.mark.parametrize("text", ["void f(void)", "void f();", "void f(void);"])
def test_a_function_may_take_nothing(text: str) -> None:
    """``(void)`` is no parameter."""
    found = parse(text)
    assert found.parameters == () and found.result.kind == "void"


def test_typedefs_and_structs_may_stand_before_the_function() -> None:
    """A typedef is what it names, a struct has its fields, nested ones included, and an undeclared one is opaque."""
    text = """
    typedef uint32_t id_t; typedef struct db db; typedef int (*seen)(void *user, id_t id);
    struct point { double x, y; }; typedef struct { struct point min, max; int tag; } box;
    int f(id_t id, db *where, seen fn, void *user, box *out, struct point by_value)
    """
    id_, where, fn, user, out, by_value = (it.type for it in parse(text).parameters)
    assert (id_.kind, fn.kind, by_value.kind) == ("integer", "function", "struct")
    assert where.to is not None and where.to.kind == "opaque"
    assert user.to is not None and user.to.kind == "void"
    assert out.to is not None and (out.to.kind, out.to.fields) == ("struct", 5)
    assert by_value.fields == 2


def test_const_belongs_to_what_is_pointed_to() -> None:
    """``const char *`` is read by C, ``char *const`` may be written."""
    read, written = (it.type for it in parse("void f(const char *a, char *const b)").parameters)
    assert read.to is not None and read.to.const
    assert written.to is not None and not written.to.const


def test_a_typedef_of_bytes_points_to_bytes() -> None:
    """``CK_BYTE *`` is a pointer to bytes, whatever the name."""
    (data,) = parse("typedef unsigned char CK_BYTE; void f(const CK_BYTE *data)").parameters
    assert data.type.to is not None and data.type.to.byte and data.type.to.const


def test_the_last_function_counts() -> None:
    """Text that is pasted from a header may declare others before it."""
    assert parse("int a(int); int b(int);").name == "b"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("int f(const char *format, ...)", "f is variadic"),
        ("int f(int (*cb)(int))", "cb is a function pointer without a typedef"),
        ("int f(foo *x)", "column 11"),
        ("hello world", "is not a declaration that can be read"),
        ("int f(int a", "is not a declaration that can be read"),
        ("", "there is no function"),
        ("int x", "there is no function"),
        ("int f(long double x)", "x is of type long double"),
        ("int f(a, b)", "has no type"),
        ("int f(void x)", "of type void"),
        ("/* a comment */ int f(int a)", "comments have to go"),
    ],
)
def test_what_cannot_be_priced_is_refused_with_a_reason(text: str, says: str) -> None:
    """The message names what is wrong."""
    with pytest.raises(PrototypeError, match=says):
        parse(text)
