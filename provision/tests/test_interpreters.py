# SPDX-License-Identifier: Apache-2.0
"""Interpreters: names, choice, and what is said of a missing one."""

import sys
from pathlib import Path
from typing import Any

import pytest

from provision import debian, interpreters, words, workshop
from provision.commands import Problem
from provision.interpreters import Interpreter, Missing

FACTS: dict[str, Any] = {
    "implementation": "cpython",
    "version": [3, 13, 1],
    "free_threaded": False,
    "headers": True,
    "optimised": False,
    "stdlib_tests": True,
}


def found(path: str, **facts: object) -> Interpreter:
    """An interpreter with these facts."""
    return Interpreter("3.13", Path(path), "system", FACTS | facts)


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("3.13", "3.13", "cpython-3.13"),
        ("cpython-3.14t", "3.14t", "cpython-3.14t"),
        ("python3.11", "3.11", "cpython-3.11"),
        ("pypy-3.11", "pypy3.11", "pypy-3.11"),
        ("PyPy@3.11", "pypy3.11", "pypy-3.11"),
    ],
)
def test_any_way_to_write_a_name_is_understood(text: str, name: str, label: str) -> None:
    """As nox, uv and the results write it."""
    assert interpreters.name_of(text) == name
    assert interpreters.label_of(name) == label


def test_another_word_is_refused() -> None:
    """With an example of a right one."""
    with pytest.raises(Problem, match=r"for example 3\.13"):
        interpreters.name_of("newest")


def test_an_optimised_build_is_preferred() -> None:
    """Before a newer one, and before one that comes first."""
    plain, good = found("a", version=[3, 13, 9]), found("b", optimised=True, stdlib_tests=False)
    assert interpreters.choose([plain, good]) is good


def test_one_without_headers_is_not_used() -> None:
    """Nothing could be built for it."""
    assert interpreters.choose([found("a", headers=False)]) is None


def test_the_first_of_equals_is_used() -> None:
    """The order of search is the order of preference."""
    first, second = found("a"), found("b")
    assert interpreters.choose([first, second]) is first


def test_the_search_finds_the_interpreter_of_this_test() -> None:
    """The program of the checkout runs without anything installed, and says what a wheel's key is made from."""
    name = "pypy" * (sys.implementation.name == "pypy") + "{}.{}".format(*sys.version_info)
    (found, *_) = interpreters.candidates(name)
    assert found.executable.exists()
    assert found.identity()["version_text"]


def test_a_missing_interpreter_is_named_with_every_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """And with the command that installs it."""

    def fail(name: str) -> None:
        raise Problem(f"no way to {name}")

    monkeypatch.setattr(interpreters, "candidates", lambda name: [])
    monkeypatch.setattr(interpreters, "_from_uv", fail)
    monkeypatch.setattr(debian, "obtain", fail)
    missing = interpreters.obtain("pypy3.11")
    assert isinstance(missing, Missing)
    assert str(missing).startswith("pypy-3.11 is not there: not found on this machine; no way to pypy3.11")
    assert str(missing).endswith("uv python install pypy@3.11")


@pytest.mark.parametrize(("ci", "fails"), [("true", True), ("", False)])
def test_ci_fails_where_a_promised_one_is_missing(monkeypatch: pytest.MonkeyPatch, ci: str, fails: bool) -> None:
    """Elsewhere the others are tested."""
    workshop.interpreter.cache_clear()
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(interpreters, "obtain", lambda name: Missing(name, "gone", "get it"))
    if fails:
        with pytest.raises(Problem, match="every interpreter of the matrix"):
            workshop.interpreter("3.14")
    else:
        assert isinstance(workshop.interpreter("3.14"), Missing)
    workshop.interpreter.cache_clear()


@pytest.mark.parametrize(
    "sources",
    [
        "deb http://mirror.example/debian bookworm main\n",
        "# comment\ndeb [signed-by=/k.gpg] https://mirror.example/debian/ trixie main\n",
        "Types: deb\nURIs: http://mirror.example/debian\nSuites: trixie\n",
    ],
)
def test_the_mirror_is_the_one_of_apt(sources: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In either form of its sources; a security archive is none."""
    monkeypatch.delenv("CSIDE_DEBIAN_MIRROR", raising=False)
    security = "deb http://mirror.example/debian-security bookworm-security main\n"
    assert debian.mirror(security + sources).endswith("://mirror.example/debian")
    with pytest.raises(Problem, match="no Debian mirror"):
        debian.mirror(security)


@pytest.mark.parametrize(
    ("there", "measured"),
    [
        (("3.11", "3.13", "3.14", "pypy3.11"), ("3.14", "pypy3.11")),
        (("3.11", "3.13"), ("3.13", "pypy3.11")),
        ((), ("pypy3.11",)),
    ],
)
def test_a_quick_run_measures_the_newest_cpython_and_pypy(
    there: tuple[str, ...], measured: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those of the matrix that the machine has; a missing PyPy is asked for, so that the run says that it lacks."""
    found = Interpreter("", Path(), "", {})
    monkeypatch.setattr(workshop, "interpreter", lambda name: found if name in there else Missing(name, "", ""))
    assert workshop.quick_interpreters() == measured


def test_words_limit_what_is_built() -> None:
    """In both spellings; a word that is not ours is left to the tool."""
    limits = words.limits(
        ["--quick", "--python=3.13", "--python", "pypy-3.11", "--binding", "cffi.abi", "--only", "codec"]
    )
    assert limits == words.Limits(
        ("3.13", "pypy3.11"), ("cffi.abi",), named_interpreters=True, only_told=False, quick=True
    )


def test_without_words_the_whole_matrix_is_meant() -> None:
    """And all bindings."""
    assert words.limits([]) == words.Limits(
        interpreters.MATRIX, (), named_interpreters=False, only_told=False, quick=False
    )
    assert words.limits(["--help"]).only_told
    assert words.limits(["--quick", "--dry-run"]).only_told
    assert not words.limits(["--quick"]).only_told
    assert words.limits(["--quick"]).quick
    assert words.limits(["--project", "zstd"]).project and not words.limits(["--quick"]).project
    assert words.limits(["--python", "3.14"]).named_interpreters
    assert not words.limits(["--quick"]).named_interpreters
