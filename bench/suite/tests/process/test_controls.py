# SPDX-License-Identifier: Apache-2.0
"""Controls: copies are copies, and what is to be slower is slower by as much as it says."""

import sys
from functools import partial
from pathlib import Path

import pytest
from cside_suite.process import controls
from cside_suite.process.block_file import Cell
from cside_suite.process.chunks import Pause, compile_chunk, loops_for, unroll_for
from cside_suite.subjects import names as subjects_names
from cside_suite.subjects.bindings import discover

REFERENCE = "cext"


def test_a_twin_is_loaded_from_its_own_files_and_works(tmp_path: Path) -> None:
    """Other modules, other files, same bytes, same results; the original stays what `import` finds."""
    (original,) = (one for one in discover([REFERENCE]) if one.name == REFERENCE)
    assert original.idioms.i32_add(1, 2) == 3
    found = controls.load(original, "", tmp_path)
    twin = found[subjects_names.TWIN]
    assert set(found) == {subjects_names.TWIN, subjects_names.DELAYED}
    assert twin.idioms is not original.idioms
    assert twin.idioms.i32_add is not original.idioms.i32_add
    assert twin.idioms.i32_add(1, 2) == 3
    assert sys.modules[original.idioms.__name__] is original.idioms
    assert twin.pkcs11.CK_GCM_PARAMS is original.pkcs11.CK_GCM_PARAMS
    source = Path(str(original.package.__file__)).parent
    compiled = [path for path in source.rglob("*") if path.suffix in (".so", ".pyd")]
    assert compiled
    for path in compiled:
        copy = tmp_path / subjects_names.TWIN / source.name / path.relative_to(source)
        assert copy.read_bytes() == path.read_bytes()
        assert copy.stat().st_ino != path.stat().st_ino


def cell(ns: float, percent: float) -> Cell:
    """A cell whose calls are known to take so long."""
    pause = Pause(percent)
    unroll = unroll_for(ns)
    made = Cell("w", subjects_names.DELAYED, compile_chunk(int, [()], unroll), loops_for(ns, unroll), unroll, ns, pause)
    made.recompile = partial(compile_chunk, int, [()], unroll, "")
    return made


@pytest.mark.parametrize("ns", [20.0, 90.0, 700.0, 3_000.0, 15_000.0, 60_000.0])
@pytest.mark.parametrize("percent", [1.0, 5.0, 20.0])
def test_a_delay_is_of_whole_loops_where_a_chunk_has_enough(ns: float, percent: float) -> None:
    """So many percent more calls than are counted, to within 3 % of the delay; no chunk gets longer than 1 ms."""
    made = cell(ns, percent)
    controls.calibrate(made)
    assert isinstance(made.pause, Pause)
    if made.pause.loops:
        assert made.pause.loops / made.loops == pytest.approx(percent / 100, rel=0.031)
        assert made.pause.steps == 0
        assert made.loops * made.unroll * ns <= controls.LONGEST_NS
    else:
        assert made.pause.steps > 0
        assert 100 / percent * made.unroll * ns > controls.LONGEST_NS / 2


def test_extra_loops_are_run_and_not_counted() -> None:
    """A chunk of a delayed cell makes more calls than its number of loops says."""
    calls = []
    pause = Pause(50.0)
    made = Cell("w", "s", compile_chunk(calls.append, [(1,)], 10), 20, 10, 25.0, pause)
    pause.loops = 10
    made.run(0, 0)
    assert len(calls) == 300
    assert made.loops * made.unroll == 200
