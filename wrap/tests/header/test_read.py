# SPDX-License-Identifier: Apache-2.0
"""Headers are read with libclang: what is the library's, what its macros are worth, and which errors are told how."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.header.read import read
from cside_wrap.project.reading import Project


def text(folder: Path, content: str, name: str = "tried.h") -> Path:
    """A header with this content."""
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_only_exported_functions_are_read(box: Callable[..., Project]) -> None:
    """A declared function that the library does not export is counted and not bound; an inline one is refused."""
    found = box()
    assert "box_missing" not in found.header.functions
    assert found.not_exported == 1
    assert "inline" in found.described["box_inline"].refused
    assert "printf" not in found.header.functions


def test_names_types_and_comments(box: Callable[..., Project]) -> None:
    """A function has what a C programmer reads: its declaration and the comment above it."""
    one = box().header.functions["box_new"]
    assert one.declaration == "box *box_new(const char *name)"
    assert one.comment == "A new box. Free it with box_free()."
    assert [each.name for each in box().header.functions["box_unnamed"].parameters] == ["", ""]


def test_names_come_from_any_declaration(tmp_path: Path) -> None:
    """The first declaration may have no names; a later one then gives them."""
    found = read([text(tmp_path, "int f(int, char *);\nint f(int number, char *text);\n")])
    assert [one.name for one in found.functions["f"].parameters] == ["number", "text"]


def test_a_header_that_lacks_another_is_told(tmp_path: Path) -> None:
    """The first message of the compiler is shown, and what to do."""
    with pytest.raises(WrapError, match=r"unknown type name 'size_t'.*\n.*\nAnother header has to come before it"):
        read([text(tmp_path, "int f(size_t size);\n")])


def test_a_missing_include_is_told(tmp_path: Path) -> None:
    """The advice names the option."""
    with pytest.raises(WrapError, match="--include FOLDER"):
        read([text(tmp_path, '#include "not_there.h"\n')])


@pytest.mark.parametrize(("name", "content"), [("a.hpp", "int f();\n"), ("a.h", "class A { int b; };\n")])
def test_cplusplus_is_refused(tmp_path: Path, name: str, content: str) -> None:
    """C++ is refused by name, not by a list of errors."""
    with pytest.raises(WrapError, match=r"C\+\+"):
        read([text(tmp_path, content, name)])


def test_headers_are_read_in_order(tmp_path: Path) -> None:
    """The second may use what the first declares."""
    first = text(tmp_path, "typedef int number;\n", "first.h")
    assert "f" in read([first, text(tmp_path, "number f(number n);\n")]).functions
