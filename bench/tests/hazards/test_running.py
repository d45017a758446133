# SPDX-License-Identifier: Apache-2.0
"""A few real mistakes on the interpreter of the tests: ctypes needs no build but that of the small library."""

import platform
import shutil
import sys
import sysconfig
from dataclasses import replace
from pathlib import Path

import pytest
from cside_bench.hazards import building, catalogue
from cside_bench.hazards.outcomes import classify
from cside_bench.hazards.prepared import Interpreter, Prepared
from cside_bench.hazards.running import make, run
from cside_bench.results.hazards import HazardError

SOURCES = Path(__file__).parents[3] / "hazards"
COMPILERS = {".c": ["cc"], ".cpp": ["c++"]}

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small library, built by the compiler of this machine."""
    return building.library(SOURCES, tmp_path_factory.mktemp("hazards"), COMPILERS)


def python(packages: Path | None = None) -> Interpreter:
    """The interpreter of the tests. Skips the test if it has no headers."""
    include, suffix = sysconfig.get_path("include"), str(sysconfig.get_config_var("EXT_SUFFIX"))
    if not (Path(include) / "Python.h").is_file():
        pytest.skip("this interpreter has no headers")
    return Interpreter("this", Path(sys.executable), platform.python_version(), include, suffix, str(packages), {})


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("argument_types", "silent"),
        ("pointer_cut", "crash"),
        ("null_unchecked", "raised"),
        ("int_too_large", "silent"),
        ("struct_drifted", "silent"),
        ("no_nul", "harmless"),
        ("leak_on_error", "leak"),
        ("const_dropped", "crash"),
    ],
)
def test_ctypes(library: Path, name: str, outcome: str) -> None:
    """The outcome is that of the table."""
    (one,) = catalogue.read(SOURCES, [name])
    plain = Interpreter("this", Path(sys.executable), platform.python_version(), "", "", "", {})
    (approach,) = catalogue.approaches(SOURCES, ["ctypes"])
    assert classify(one, make(plain, approach, one, SOURCES, library)).outcome == outcome


def test_a_refused_build_is_told_by_its_first_error(tmp_path: Path) -> None:
    """A C file that declares a struct of the header again does not build."""
    place = building.Place(SOURCES, tmp_path / "this", python(), COMPILERS)
    building.library(SOURCES, tmp_path, COMPILERS)
    place.folder.mkdir()
    (approach,) = catalogue.approaches(SOURCES, ["cext"])
    built = building.module(approach, "struct_drifted", place)
    assert "redefinition" in built.problem or "redeclaration" in built.problem
    whole = building.module(approach, "", place)
    assert whole.problem == ""


CATALOGUE = """
[[approach]]
name = "plain"
title = "Plain"
cases = "with_plain.py"

[[approach]]
name = "objects"
title = "Objects"
module = "_hz_objects"
file = "_hz_objects.cpp"
options = ["-std=c++17", "-I{packages}/include"]
sources = ["{packages}/src/answer.cpp"]
cases = "with_objects.py"

[[hazard]]
id = "pointer_cut"
title = "a"
wrong = "b"
instead = "c"
right = 42
"""
MODULE = """
#include "hz.h"
#include "answer.hpp"
#include <Python.h>
static PyObject *answer(PyObject *, PyObject *) { return PyLong_FromLong(%s); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, nullptr}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "%s", nullptr, -1, methods};
PyMODINIT_FUNC PyInit_%s() { return PyModule_Create(&module); }
"""


@pytest.fixture
def with_cpp(tmp_path: Path) -> Prepared:
    """A catalogue with a mistake and two approaches, of which one is in C++ and takes sources of a package along."""
    texts = {
        "hazards/hazards.toml": CATALOGUE,
        "hazards/plain/with_plain.py": "def pointer_cut():\n    return 42\n",
        "hazards/objects/with_objects.py": "def pointer_cut():\n    return __import__('_hz_objects').answer()\n",
        "hazards/objects/_hz_objects.cpp": MODULE % ("(long)answer<long>() + hz_low(2)", *["_hz_objects"] * 2),
        "package/include/answer.hpp": "template <typename T> T answer();\n",
        "package/src/answer.cpp": '#include "answer.hpp"\ntemplate <> long answer() { return 40; }\n',
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copytree(SOURCES / "native", tmp_path / "hazards" / "native")
    shutil.copy(SOURCES / "child.py", tmp_path / "hazards")
    return Prepared(tmp_path / "hazards", tmp_path / "built", {}, COMPILERS, [], [python(tmp_path / "package")])


needs_cpp = pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")


@needs_cpp
def test_an_approach_in_cpp_is_built_with_the_sources_of_its_package(with_cpp: Prepared) -> None:
    """By the C++ compiler, with the options of the catalogue; the package's sources are compiled once."""
    told = run(with_cpp, "test")
    assert told["approaches"] == ["plain", "objects"]
    assert [(each["approach"], each["outcome"]) for each in told["outcomes"]] == [
        ("plain", "harmless"),
        ("objects", "harmless"),
    ]
    assert [file.name for file in (with_cpp.built / "this").glob("*.o")] == ["objects_answer.o"]


@needs_cpp
def test_cpp_refuses_a_pointer_as_an_int(with_cpp: Prepared) -> None:
    """A build that fails is the outcome of the mistake that stands alone."""
    name = "_alone_objects_pointer_cut"
    alone = with_cpp.sources / "objects" / "alone" / "pointer_cut.cpp"
    alone.parent.mkdir()
    alone.write_text("#include <cstddef>\n" + MODULE % ("([] { int cut = hz_open(2); return cut; })()", name, name))
    (found,) = (each for each in run(with_cpp, "test", approaches=["objects"])["outcomes"])
    assert found["outcome"] == "build" and "hz_handle" in found["says"]


def test_what_no_compiler_can_build_is_left_out(with_cpp: Prepared) -> None:
    """The outcomes are those of the others."""
    without = replace(with_cpp, compilers={".c": ["cc"], ".cpp": ["no-such-compiler"]}, left_out=["objects"])
    assert run(without, "test")["approaches"] == ["plain"]


@needs_cpp
def test_sources_of_a_package_that_do_not_compile_fail_the_run(with_cpp: Prepared) -> None:
    """They are no mistake of the catalogue."""
    (with_cpp.sources.parent / "package" / "src" / "answer.cpp").write_text("no C++\n", encoding="utf-8")
    with pytest.raises(HazardError, match="of objects does not build"):
        run(with_cpp, "test")
