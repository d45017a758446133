# SPDX-License-Identifier: Apache-2.0
"""The lines that define a name are found in every language of the checkout."""

from pathlib import Path

import pytest
from cside_bench.source import code

PYTHON = '''"""Documentation."""

from x import y

alias = y.other


@decorated
def text(value: str, /) -> str:
    """One."""
    return value


class Counter:
    """Two."""

    def add(self, n):
        return n
'''
CYTHON = '''def first(a, /):
    """One."""

    return a


@cython.final
cdef class Counter:
    """Two."""

    def add(self, n, /):
        return n

    def each(self):
        pass


def last():
    return 1
'''
C = """#include <stdio.h>

/** The comment. */
static PyObject *text(PyObject *module)
{
    Py_BEGIN_ALLOW_THREADS
    puts("}");
    Py_END_ALLOW_THREADS
    return NULL;
}

#define DEFINE_ADD(NAME, TYPE) \\
    static PyObject *NAME(PyObject *module) { return NULL; }

DEFINE_ADD(i8_add, int8_t)

CS_TRACED_STATUS(string_repeat, (const char *text), (text),
                 1)
{
    if (text) {
        return 1;
    }
    return 0;
}
"""
CPP = """#include <nanobind/nanobind.h>

namespace cside {

/** The comment. */
static nb::object text(nb::handle value)
{
    return nb::none();
}

class counter {
  public:
    counter() = default;
    int add(int n);
};

/** Out of the class. */
int counter::add(int n)
{
    return n;
}

void bind(nb::module_ &m)
{
    m.def("text", text, DOC_text);
    m.def("noop", cs_noop, DOC_noop);
    m.def("lambda", [](nb::handle value) {
        return value;
    });
    nb::class_<counter>(m, "Counter").def("add", &counter::add);
}

} // namespace cside
"""
SWIG = """/* SPDX-License-Identifier: Apache-2.0
 *
 * Text.
 */
%rename(first) cs_first;

/* second: what it needs. */
%rename(second) cs_second;
%newobject cs_second;

%rename(third) cs_third;
"""
HEADER = """/** Does nothing. */
CS_API void cs_noop(void);

/** Twice. */
#define CS_TWICE(x) ((x) * 2)

typedef struct cs_point {
    double x, y;
} cs_point;

/** By value. */
CS_API cs_point cs_point_add(cs_point a, cs_point b);

CK_PKCS11_FUNCTION_INFO(C_Sign)
"""


def written(folder: Path, name: str, text: str) -> Path:
    """A file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("file", "source", "name", "lines"),
    [
        ("a.py", PYTHON, "text", [(8, 11)]),
        ("a.py", PYTHON, "Counter", [(14, 18)]),
        ("a.py", PYTHON, "add", [(17, 18)]),
        ("a.py", PYTHON, "alias", [(5, 5)]),
        ("a.py", PYTHON, "nothing", []),
        ("a.pxi", CYTHON, "first", [(1, 4)]),
        ("a.pxi", CYTHON, "Counter", [(7, 15)]),
        ("a.pxi", CYTHON, "add", [(11, 12)]),
        ("a.pxi", CYTHON, "last", [(18, 19)]),
        ("a.c", C, "text", [(3, 10)]),
        ("a.c", C, "i8_add", [(15, 15)]),
        ("a.cpp", CPP, "text", [(5, 9)]),
        ("a.cpp", CPP, "Counter", [(11, 15)]),
        ("a.cpp", CPP, "add", [(17, 21)]),
        ("a.cpp", CPP, "noop", [(26, 26)]),
        ("a.cpp", CPP, "lambda", [(27, 29)]),
        ("a.cpp", CPP, "nothing", []),
        ("a.i", SWIG, "first", [(5, 5)]),
        ("a.i", SWIG, "second", [(7, 9)]),
        ("a.h", HEADER, "cs_noop", []),
    ],
)
def test_the_definition_of_a_name_is_found(
    tmp_path: Path, file: str, source: str, name: str, lines: list[tuple[int, int]]
) -> None:
    """Each language has its own rule; a header defines nothing."""
    found = code.defining(written(tmp_path, file, source), name, (f"cs_{name}",))
    assert [(it.first, it.last) for it in found] == lines


def test_a_swig_interface_may_speak_of_the_c_name_alone(tmp_path: Path) -> None:
    """What a function calls in C leads to its paragraph too."""
    path = written(tmp_path, "a.i", SWIG)
    assert [it.first for it in code.defining(path, "other", ("cs_third",))] == [11]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("cs_noop", [(1, 2)]),
        ("CS_TWICE", [(4, 5)]),
        ("cs_point", [(7, 9)]),
        ("cs_point_add", [(11, 12)]),
        ("cs_unknown", []),
    ],
)
def test_a_declaration_comes_with_its_comment(tmp_path: Path, name: str, lines: list[tuple[int, int]]) -> None:
    """Functions, macros and types of a header are found, and none is mistaken for another."""
    found = code.declaring(written(tmp_path, "a.h", HEADER), name)
    assert [(it.first, it.last) for it in found] == lines


def test_a_macro_may_declare_or_define(tmp_path: Path) -> None:
    """As the standard's headers and the library's trace do it."""
    assert [it.first for it in code.macro_calls(written(tmp_path, "a.h", HEADER), "C_Sign")] == [14]
    (body,) = code.implementing(written(tmp_path, "a.c", C), "cs_string_repeat")
    assert body.text().startswith("CS_TRACED_STATUS(string_repeat") and body.text().endswith("}")


def test_tests_that_use_a_name_are_found(tmp_path: Path) -> None:
    """By attribute, by text, and by a text that is put together."""
    path = written(
        tmp_path,
        "test_a.py",
        "def test_one(x):\n    x.i8_add(1)\n\n\ndef test_two(x):\n    getattr(x, f'{x.kind}_add')\n\n\n"
        "def test_three(x):\n    getattr(x, 'i8_add')\n\n\ndef test_four(x):\n    x.other()\n\n\n"
        "def helper(x):\n    x.i8_add\n",
    )
    assert [it.first for it in code.mentioning(path, "i8_add", "test_")] == [1, 5, 9]
