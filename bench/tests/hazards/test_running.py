# SPDX-License-Identifier: Apache-2.0
"""A few real mistakes on the interpreter of the tests: ctypes needs no build but that of the small library."""

import platform
import shutil
import sys
from pathlib import Path

import pytest
from cside_bench.hazards import building, catalogue
from cside_bench.hazards.outcomes import classify
from cside_bench.hazards.prepared import Interpreter
from cside_bench.hazards.running import make

SOURCES = Path(__file__).parents[3] / "hazards"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small library, built by the compiler of this machine."""
    return building.library(SOURCES, tmp_path_factory.mktemp("hazards"))


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
    python = Interpreter("this", Path(sys.executable), platform.python_version(), "", "", {})
    (approach,) = catalogue.approaches(SOURCES, ["ctypes"])
    assert classify(one, make(python, approach, one, SOURCES, library)).outcome == outcome


def test_a_refused_build_is_told_by_its_first_error(tmp_path: Path) -> None:
    """A C file that declares a struct of the header again does not build."""
    import sysconfig

    include, suffix = sysconfig.get_path("include"), str(sysconfig.get_config_var("EXT_SUFFIX"))
    if not (Path(include) / "Python.h").is_file():
        pytest.skip("this interpreter has no headers")
    python = Interpreter("this", Path(sys.executable), "", include, suffix, {})
    building.library(SOURCES, tmp_path)
    (tmp_path / "this").mkdir()
    (approach,) = catalogue.approaches(SOURCES, ["cext"])
    built = building.module(approach, "struct_drifted", SOURCES, tmp_path / "this", python)
    assert "redefinition" in built.problem or "redeclaration" in built.problem
    whole = building.module(approach, "", SOURCES, tmp_path / "this", python)
    assert whole.problem == ""
