# SPDX-License-Identifier: Apache-2.0
"""The templates are as good as the bindings written by hand: libcside's own functions, bound by both, side by side.

``CSIDE_CALIBRATION_SECONDS=0.5 pytest -s wrap/tests/calibration`` prints the table of docs/your-library.md. Without
that variable techniques that need more than a C compiler, whose packages take longest to build, are left out.
"""

import json
import os
import statistics
import subprocess
import sys
import sysconfig
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from cside_wrap.packages.make import Python, build, environment_python
from cside_wrap.packages.techniques import chosen, techniques
from cside_wrap.project.reading import read
from cside_wrap.project.settings import Settings

cside_native = pytest.importorskip("cside_native")

HERE = Path(__file__).parent
BOUND = {one.name: one.value for one in entry_points(group="cside.bindings")}
LABEL = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
ASKED = os.environ.get("CSIDE_CALIBRATION_SECONDS", "")
SECONDS = ASKED or "0.05"
"""For each idiom."""
COMPARED = {name for name, it in techniques().items() if name in BOUND and (ASKED or it.needs is None)}
WORST = 3.0
"""What a ratio may be here, where other tests run beside it. docs/your-library.md has what a quiet machine measured."""
USUAL = {"ctypes": 1.8}
"""What the median over the idioms may be; 1.6 where nothing else is said."""
FAR = {"structs by value", "ten callbacks", "bytes out"}
"""Idioms that templates do in another way than bindings written by hand; docs/your-library.md says how."""

pytestmark = [
    pytest.mark.skipif(not COMPARED, reason="no binding written by hand is installed"),
    pytest.mark.alone,
]


@pytest.fixture(scope="module")
def distances(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The ratios by technique and idiom, each technique in one process that has both bindings."""
    folder = tmp_path_factory.mktemp("calibration")
    (folder / "overrides.toml").write_bytes((HERE / "overrides.toml").read_bytes())
    its = Settings(
        "calibration",
        ("cside/idioms.h", "cside/codec.h"),
        (str(cside_native.library()),),
        include=(str(cside_native.include_dir()),),
        gil_held=("*",),  # as the bindings written by hand do it for short functions
    )
    names = sorted(COMPARED)
    executable = getattr(sys, "_base_executable", sys.executable)
    _, _, done = build(read(folder, its), chosen(names), [Python(LABEL, executable)])
    assert [one.failed for one in done if one.failed] == []
    found = {}
    for name in names:
        words = [environment_python(folder, LABEL), HERE / "distance.py", BOUND[name], f"calibration_{name}", SECONDS]
        environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("platlib")}
        ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        found[name] = json.loads(ran.stdout)
    print(f"\n{table(found)}")
    return found


def table(found: dict[str, dict[str, Any]]) -> str:
    """The ratios as a table of Markdown."""
    idioms = list(next(iter(found.values())))
    lines = [f"| generated / by hand, {LABEL} | {' | '.join(found)} |", "|---|" + "--:|" * len(found)]
    for idiom in idioms:
        cells = [f"{one[idiom]['ratio']:.2f}" if one[idiom] else "" for one in found.values()]
        lines.append(f"| {idiom} | {' | '.join(cells)} |")
    return "\n".join(lines)


def test_no_idiom_is_far_off(distances: dict[str, dict[str, Any]]) -> None:
    """Each was called with the same values, and gave the same."""
    far = {
        (name, idiom): one["ratio"]
        for name, ratios in distances.items()
        for idiom, one in ratios.items()
        if one is not None and one["ratio"] > WORST and idiom not in FAR
    }
    assert far == {}


def test_most_idioms_are_near(distances: dict[str, dict[str, Any]]) -> None:
    """The median over the idioms, for each technique."""
    for name, ratios in distances.items():
        usual = statistics.median(one["ratio"] for one in ratios.values() if one is not None)
        assert usual <= USUAL.get(name, 1.6), name
