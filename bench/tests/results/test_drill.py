# SPDX-License-Identifier: Apache-2.0
"""Which drill counts for a run, and the drill that ships: whole, of today's changes, and with its provenance."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from cside_bench.machine import checkout
from cside_bench.report.derive import keep_drill
from cside_bench.results import drill, drill_sources
from cside_bench.results.drill import DrillError
from cside_bench.results.evidence import Run
from cside_bench.results.files import DRILL_FILE
from repository import ROOT
from synthetic_run import write

OWN = "a" * 64
OTHER = "b" * 64


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run, as far as the choice of a drill looks at it."""
    folder = tmp_path / "results" / "run"
    folder.mkdir(parents=True)
    summary = {"run": "run", "tier": "default", "reference": "cext", "verdicts": True, "interpreters": [], "cells": []}
    return Run(folder, {**summary, "library_sha256": OWN}, {"machine": {}}, {})


def made(run: Run, library: str, created: str) -> None:
    """Make a drill beside the run the newest."""
    write(run.results / "drills" / "latest" / DRILL_FILE, {"library": library, "created": created})


def kept(run: Run) -> str:
    """Draw the run; return when the drill in its folder was made."""
    keep_drill(run)
    found: str = json.loads((run.folder / DRILL_FILE).read_text(encoding="utf-8"))["created"]
    assert drill.counting(run)["created"] == found
    return found


def test_a_run_takes_the_newest_drill_of_its_own_library(run: Run) -> None:
    """A drill that is older than the newest is replaced; one of the run's library is not, by one of another."""
    for library, created, found in (
        (OTHER, "first", "first"),
        (OWN, "second", "second"),
        (OWN, "third", "third"),
        (OTHER, "fourth", "third"),
    ):
        (run.results / "drills" / "latest").mkdir(parents=True, exist_ok=True)
        made(run, library, created)
        assert kept(run) == found


def test_without_a_drill_the_one_that_ships_counts_until_there_is_one(run: Run) -> None:
    """A copy that a report left is none of this machine: it neither stays, nor keeps a newer shipped one away."""
    assert drill.of_run(run) is None
    assert kept(run) == drill.reference()["created"]
    write(run.folder / DRILL_FILE, drill.reference() | {"created": "an older version of cside", "library": OWN})
    assert kept(run) == drill.reference()["created"]
    (run.results / "drills" / "latest").mkdir(parents=True)
    made(run, OTHER, "own")
    assert kept(run) == "own"


def test_the_newest_drill_is_looked_for_among_the_users_results(run: Run, tmp_path: Path) -> None:
    """Of a run that lies elsewhere, as the reference run does."""
    run.results = tmp_path / "elsewhere"
    (run.results / "drills" / "latest").mkdir(parents=True)
    made(run, OTHER, "own")
    assert drill.counting(run)["created"] == "own"


def test_a_damaged_drill_is_not_passed_over_in_silence(run: Run) -> None:
    """The shipped outcomes do not take the place of what the user has measured."""
    (run.folder / DRILL_FILE).write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="Expecting"):
        drill.counting(run)


def test_the_shipped_drill_is_of_everything_that_is_drilled_today() -> None:
    """When a change is added or mended, or a binding is added, it is made again: `nox -s drill -- --reference`.

    Until it is, the bindings that it lacks stand here.
    """
    told = drill.reference()
    drill.check(told)
    assert told["shipped"] is True
    assert [each["id"] for each in told["changes"]] == drill.changes()
    assert {each["label"] for each in told["interpreters"]} >= {"cpython-3.14", "pypy-3.11"}
    folders = {path.parent.name for path in (ROOT / "bindings").glob("*/pyproject.toml")}
    lacking = {"nanobind", "pybind11"}
    assert folders - {name.partition(".")[0] for name in told["bindings"]} == lacking
    now = drill_sources.digests(ROOT)
    assert set(told["sources"]) == set(now) - lacking
    assert told["sources"][drill_sources.CHANGES] == now[drill_sources.CHANGES], "make it again: nox -s drill"


def test_the_shipped_drill_names_what_made_it_and_no_place_of_the_machine() -> None:
    """Its provenance has the day, the command, the tools and the machine; no path begins at the root."""
    told = drill.reference()
    says = drill.provenance(told)
    assert all(each["versions"] for each in told["interpreters"])
    versions = {version for each in told["interpreters"] for version in each["versions"].values()}
    for word in (told["created"][:10], told["command"], told["compiler"]["compiler"], told["platform"], *versions):
        assert word in says
    text = json.dumps(told)
    assert not any(place in text for place in ("/home/", f"{Path.home()}/", "/tmp/", "/usr/", str(ROOT)))


def reference_with(**fields: Any) -> dict[str, Any]:
    """The shipped drill with other fields."""
    return copy.deepcopy(drill.reference()) | fields


def test_a_shipped_drill_says_that_it_is_and_what_has_moved_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the answer learns which sources are others, whatever the library's build is."""
    monkeypatch.setattr(checkout, "root", lambda: ROOT)
    now = drill_sources.digests(ROOT)
    (same,) = drill.misfits(reference_with(sources=now), OWN)
    assert "not tried on this machine" in same and "nox -s drill" in same
    moved = reference_with(sources=now | {"cffi": "0" * 16, "native": "0" * 16})
    _, says = drill.misfits(moved, OWN)
    assert "The drill that ships is older than these sources of this checkout: cffi, the library's files" in says
    assert drill.origin(moved) == drill.misfits(moved, OWN)
    one_less = drill.misfits(reference_with(sources=now, changes=drill.reference()["changes"][1:]), None)
    assert f"it lacks {drill.changes()[0]}" in one_less[1]


def test_a_drill_of_ones_own_is_not_said_to_ship() -> None:
    """Another library than the run's is told then."""
    own = reference_with(sources={}, library=OTHER)
    del own["shipped"]
    (says,) = drill.misfits(own, OWN)
    assert "another build of the library" in says
    assert drill.misfits(own, OTHER) == [] and drill.origin(own) == []


def test_only_a_drill_of_everything_can_ship(tmp_path: Path) -> None:
    """It is written into the checkout without logs, a line for each outcome, and read back as it was."""
    (tmp_path / "bindings" / "novel").mkdir(parents=True)
    (tmp_path / "bindings" / "novel" / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "native").symlink_to(ROOT / "native")
    target = tmp_path / "bench" / "src" / "cside_bench" / "results"
    target.mkdir(parents=True)
    with pytest.raises(DrillError, match="lacks novel"):
        drill.write_reference(tmp_path, drill.reference())
    (tmp_path / "bindings" / "novel" / "pyproject.toml").unlink()
    told = reference_with()
    del told["shipped"]
    told["outcomes"][0]["log"] = "logs/one.txt"
    written = drill.write_reference(tmp_path, told)
    assert json.loads(written.read_text(encoding="utf-8")) == drill.reference()
    assert len(written.read_text(encoding="utf-8").splitlines()) > len(told["outcomes"])
    changes = told["changes"][1:]
    left = [each for each in told["outcomes"] if each["change"] != told["changes"][0]["id"]]
    with pytest.raises(DrillError, match=f"lacks {told['changes'][0]['id']}"):
        drill.write_reference(tmp_path, told | {"changes": changes, "outcomes": left})
