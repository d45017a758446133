# SPDX-License-Identifier: Apache-2.0
"""``cside build`` makes packages for several interpreters, and tells what is not in them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import small_library
from command import cside
from cside_bench.cli.commands.build import asked
from cside_wrap.errors import WrapError
from cside_wrap.packages.make import built, environment_python
from cside_wrap.packages.techniques import Technique, chosen

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="trials need fork"),
    pytest.mark.usefixtures("small_project"),
]


def test_all_techniques_and_a_test_of_them() -> None:
    """For the newest CPython, and for PyPy where it is: what is written, what is left out, what to type next."""
    known = [one.label for one in asked(("all",))]
    names = ["--python", "pypy3.11"] if "pypy-3.11" in known else []
    newest = asked(())[0].label.removeprefix("cpython-")
    done = cside("build", "prj", "--python", newest, *names)
    assert done.exit_code == 0, done.output
    assert "not built, since it has struct box_point, whose field low is a bit-field" in done.output
    assert "Next: cside test prj" in done.output
    tested = cside("test", "prj", "--json")
    assert tested.exit_code == 0, tested.output
    reports = json.loads(tested.stdout)
    assert len(reports) == 1 + bool(names)
    assert all(one["differences"] == [] and one["compared"]["exceptions"] > 20 for one in reports)
    for one in built(Path("prj")):
        words = [environment_python(Path("prj"), one.python), small_library.UNMADE, one.package]
        assert subprocess.run(words, check=False).returncode == 0, one.technique


def test_what_needs_a_missing_compiler_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are built; which, and what to install, is told."""

    def build(_: object, these: list[Technique], *rest: object) -> None:
        raise WrapError(f"building {', '.join(one.name for one in these)}")

    line = "left out: nanobind: missing: a C++ compiler. Install it: apt-get install g++"
    monkeypatch.setattr("cside_bench.cli.commands.build.buildable", lambda names: (chosen(["cext", "cffi"]), [line]))
    monkeypatch.setattr("cside_bench.cli.commands.build.build", build)
    done = cside("build", "prj")
    assert done.exit_code == 2 and line in done.output and "building cext, cffi" in done.output


def test_a_package_that_does_not_build_is_told() -> None:
    """With what the build printed, and exit code 1."""
    Path("box.h").write_text(small_library.HEADER.replace("int box_count(void);", "int box_count(void)"))
    assert cside("build", "prj", "--technique", "cffi").exit_code == 2  # the header does not parse any more


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--technique", "boost"], "there is no technique boost"),
        (["--python", "2.7"], "there is no cpython-2.7 with C headers"),
    ],
)
def test_wrong_usage(words: list[str], said: str) -> None:
    """With what there is."""
    done = cside("build", "prj", *words)
    assert done.exit_code == 2 and said in done.output


def test_testing_before_building_is_told() -> None:
    """With what to type."""
    done = cside("test", "prj")
    assert done.exit_code == 2 and "cside build" in done.output
