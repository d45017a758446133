# SPDX-License-Identifier: Apache-2.0
"""Each measuring process draws the layout of each compiled binding."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import cside_native
import pytest
from cside_suite.process import images, layouts
from cside_suite.process.request import MEASURE, Request
from cside_suite.subjects.bindings import discover
from cside_suite.subjects.names import RELINKED

REFERENCE = "cext"


def request(number: int = 0, series: int = 1, mode: str = MEASURE) -> Request:
    """A request with three copies of two bindings."""
    copies = {name: [f"/{name}/{copy}" for copy in (1, 2, 3)] for name in (REFERENCE, "other")}
    return Request(mode, "x", "", "out", 1, REFERENCE, layouts=copies, series=series, number=number)


def test_the_processes_of_a_series_take_each_layout_before_any_again() -> None:
    """Twelve processes take four layouts three times each, in an order that is not the same each time."""
    orders = set()
    for series in range(20):
        drawn = [layouts.draw(request(number, series)) for number in range(12)]
        assert drawn == [layouts.draw(request(number, series)) for number in range(12)]
        for name in (REFERENCE, "other"):
            turns = [tuple(found[name] for found in drawn[first : first + 4]) for first in (0, 4, 8)]
            assert all(sorted(turn) == [0, 1, 2, 3] for turn in turns)
            orders |= set(turns)
    assert len(orders) > 20


def test_each_binding_takes_layouts_by_an_order_of_its_own() -> None:
    """Four layouts of two bindings in 4,000 series: each of the 16 pairs 250 times, about, in any place of a series."""
    for number in (0, 3):
        drawn = [layouts.draw(request(number, series)) for series in range(4_000)]
        pairs = Counter((found[REFERENCE], found["other"]) for found in drawn)
        assert len(pairs) == 16
        assert all(180 < count < 330 for count in pairs.values())


def test_a_process_with_one_binding_has_the_layout_of_one_with_all() -> None:
    """Bindings that have processes of their own in a block are compared in layouts that do not depend on each other."""
    for number in range(8):
        both = request(number)
        for name in (REFERENCE, "other"):
            one = replace(both, layouts={name: both.layouts[name]})
            assert layouts.draw(one)[name] == layouts.draw(both)[name]


def test_the_relinked_control_never_has_the_layout_of_the_reference() -> None:
    """And has each of the others, the installed one too."""
    drawn = [layouts.draw(request(number, series)) for series in range(50) for number in range(10)]
    assert all(found[RELINKED] != found[REFERENCE] for found in drawn)
    assert {(found[REFERENCE], found[RELINKED]) for found in drawn} == {
        (one, two) for one in range(4) for two in range(4) if one != two
    }


@pytest.mark.parametrize("mode", ["calibrate", "count"])
def test_other_processes_take_what_is_installed(mode: str) -> None:
    """Counts of instructions are those of the installed module in every run; the control has the first copy."""
    for seed in range(20):
        assert layouts.draw(request(seed, mode=mode)) == {REFERENCE: 0, "other": 0, RELINKED: 1}


def test_without_copies_nothing_is_drawn() -> None:
    """There is no relinked control either."""
    assert layouts.draw(replace(request(), layouts={})) == {}
    assert RELINKED not in layouts.draw(replace(request(), layouts={"other": ["/other/1"]}))


PROGRAM = """
import json, random, sys
from pathlib import Path
from cside_suite.process import controls, layouts, load
from cside_suite.process.request import Request

request = Request.load(Path(sys.argv[1]))
subjects, void = load.load(request, lambda name: None, random.Random(1), Path(sys.argv[2]))
assert not void, void
modules = {}
for line in Path("/proc/self/maps").read_text().splitlines():
    path = line.partition("/")
    if path[1] and (path[2].startswith(sys.argv[2][1:]) or "libcside" in path[2]):
        modules["/" + path[2]] = True
results = [subjects[name].idioms.i32_add(1, 2) for name in (request.reference, "twin", "relinked")]
told = {"drawn": layouts.draw(request), "mapped": list(modules), "results": results}
files = {name: next(Path(sys.argv[2], name).glob("*/_core.*so")) for name in ("layouts", "twin", "relinked")}
told["sizes"] = {name: file.stat().st_size for name, file in files.items()}
told["file"] = sys.modules[sys.argv[3]].__file__
print(json.dumps(told))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs the list of mappings of Linux")
def test_a_binding_is_imported_in_the_layout_that_was_drawn(tmp_path: Path) -> None:
    """Its compiled module comes from the copy, as does the twin's; the library is the installed one, mapped once."""
    (original,) = (one for one in discover([REFERENCE]) if one.name == REFERENCE)
    package = Path(str(original.package.__file__)).parent
    core = next(package.glob("_core.*so"))
    copies = []
    for copy in (1, 2):
        target = tmp_path / str(copy) / package.name / core.name
        target.parent.mkdir(parents=True)
        shutil.copy(core, target)
        with target.open("ab") as file:
            file.write(b"-" * copy)  # bytes after the end of the image, which the loader ignores
        copies.append(str(tmp_path / str(copy)))
    number = next(number for number in range(3) if layouts.draw(asked(copies, number))[REFERENCE] == 2)
    work = tmp_path / "work"
    work.mkdir()
    asked(copies, number).save(tmp_path / "request.json")
    name = layouts.module_name(f"{package.name}/{core.name}")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "request.json"), str(work), name]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert told["drawn"][REFERENCE] == 2
    assert told["file"] == str(work / "layouts" / package.name / core.name)
    assert set(told["results"]) == {3}
    for folder, layout in (("layouts", 2), ("twin", 2), ("relinked", told["drawn"][RELINKED])):
        mapped = work / folder / package.name / core.name
        assert str(mapped) in told["mapped"]
        source = core if layout == 0 else Path(copies[layout - 1]) / package.name / core.name
        assert told["sizes"][folder] == source.stat().st_size, folder
    assert len([path for path in told["mapped"] if "libcside" in Path(path).name]) == 1


def asked(copies: list[str], number: int) -> Request:
    """A request for the reference alone, with copies."""
    built = images.sha256(cside_native.library())
    drawn = {"layouts": {REFERENCE: copies}, "number": number}
    return Request(MEASURE, "x", built, "out", 1, REFERENCE, bindings=[REFERENCE], **drawn)


def test_a_module_from_elsewhere_is_an_error(tmp_path: Path) -> None:
    """What was imported before cannot have the layout that is drawn."""
    assert json.loads(json.dumps(asdict(request())))["twins"] == []
    with (
        pytest.raises(RuntimeError, match="json was not imported in the layout"),
        layouts.imported_from({"json": tmp_path / "json.so"}),
    ):
        pass
