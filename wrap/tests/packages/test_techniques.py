# SPDX-License-Identifier: Apache-2.0
"""Techniques are found by folder, and say what they cannot do."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.packages.describe import describe
from cside_wrap.packages.techniques import _missing, buildable, chosen, techniques
from cside_wrap.project.reading import Project

CPP = ["nanobind", "pybind11"]


def test_they_are_found() -> None:
    """Each is a folder, and has a title and a module of functions."""
    assert {"cext", "cffi", "ctypes", "cython", "swig", *CPP} <= set(techniques())
    assert all(one.title and one.functions for one in techniques().values())


def test_a_wrong_name_is_told() -> None:
    """With those that there are."""
    with pytest.raises(WrapError, match="cext, cffi"):
        chosen(["boost"])


@pytest.fixture
def no_cpp(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """There is no C++ compiler."""
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.delenv("CI", raising=False)
    _missing.cache_clear()
    yield
    _missing.cache_clear()


@pytest.mark.usefixtures("no_cpp")
@pytest.mark.skipif(sys.platform == "win32", reason="a C++ compiler is not looked for there")
def test_what_needs_a_missing_program_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, with what to install; asked for by name, it is an error, and so it is in CI."""
    told = f"{', '.join(CPP)}: missing: a C++ compiler. Install it: apt-get install g++"
    these, (line,) = buildable([])
    assert [one.name for one in these] == [name for name in techniques() if name not in CPP]
    assert line.startswith(f"left out: {told}")
    assert buildable(["cext"]) == (chosen(["cext"]), [])
    with pytest.raises(WrapError, match="nanobind: missing: a C"):
        buildable(["cext", "nanobind"])
    monkeypatch.setenv("CI", "true")
    with pytest.raises(WrapError) as error:
        buildable([])
    assert error.value.message.startswith(told)


def test_a_program_that_runs_is_not_missing() -> None:
    """It is run with its arguments and its input."""
    needs = techniques()["nanobind"].needs
    assert needs is not None
    runs = replace(needs, variable="CSIDE_TEST_PROGRAM", programs=("no-such-program", "sh"), arguments=("-s",))
    assert replace(runs, input="exit 0").missing() == ""
    assert replace(runs, input="exit 1").missing().startswith("missing: a C++ compiler. Install it: ")


def test_gaps_are_declared(box: Callable[..., Project]) -> None:
    """cffi cannot hold the GIL, and has the function nevertheless."""
    binding, _ = describe(box())
    held = replace(binding, calls=(replace(binding.calls[0], held=True),))
    cffi, cext = chosen(["cffi"])[0], chosen(["cext"])[0]
    assert list(cffi.gaps(held).values()) == [[binding.calls[0].symbol]]
    assert cffi.binds(held.calls[0]) and cext.gaps(held) == {}
