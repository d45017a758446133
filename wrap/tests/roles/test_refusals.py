# SPDX-License-Identifier: Apache-2.0
"""Functions that are never bound, each with its reason."""

from collections.abc import Callable

import pytest
from cside_wrap.project.reading import Project

REASONS = {
    "box_print": "variable number of arguments",
    "box_vprint": "va_list",
    "box_dump": "FILE",
    "box_stop": "does not return",
    "box_inline": "inline",
}


@pytest.mark.parametrize("name", REASONS)
def test_reasons(box: Callable[..., Project], name: str) -> None:
    """Each says what it is about."""
    assert REASONS[name] in box().described[name].refused


def test_nothing_else_is_refused(box: Callable[..., Project]) -> None:
    """A header that includes setjmp.h does not make its functions suspects."""
    assert {name for name, one in box().described.items() if one.refused} == set(REASONS)


def test_errors_by_longjmp_refuse_the_object(other: Callable[[str, str], Project]) -> None:
    """What takes the object that carries the jmp_buf is refused; the rest is bound."""
    found = other(
        "#include <setjmp.h>\ntypedef struct p p;\njmp_buf *p_jmp(p *x);\nint p_read(p *x);\nint p_version(void);",
        "#include <stddef.h>\njmp_buf *p_jmp(p *x) { return NULL; }\nint p_read(p *x) { return 0; }\n"
        "int p_version(void) { return 1; }",
    ).described
    assert "longjmp" in found["p_read"].refused
    assert found["p_version"].refused == ""


def test_structs_of_an_event_loop_are_refused(other: Callable[[str, str], Project]) -> None:
    """What is linked into a loop, over any steps, is refused; other structs are not."""
    found = other(
        "typedef struct e_loop { int n; } e_loop;\ntypedef struct e_handle { e_loop *loop; } e_handle;\n"
        "typedef struct e_request { e_handle *handle; } e_request;\ntypedef struct e_size { int w; } e_size;\n"
        "int e_start(e_handle *h);\nint e_send(e_request *r);\nint e_measure(e_size *s);",
        "int e_start(e_handle *h) { return 0; }\nint e_send(e_request *r) { return 0; }\n"
        "int e_measure(e_size *s) { return 0; }",
    ).described
    assert "event loop" in found["e_start"].refused and "event loop" in found["e_send"].refused
    assert found["e_measure"].refused == ""
