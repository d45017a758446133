# SPDX-License-Identifier: Apache-2.0
"""Controls: copies are copies, and what is to be slower is slower by as much as it says."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cside_suite.process import controls
from cside_suite.process.block_file import LEAD, Cell
from cside_suite.process.chunks import Pause, compile_chunk, loops_for, unroll_for
from cside_suite.process.request import Request
from cside_suite.subjects import names as subjects_names
from cside_suite.subjects.bindings import Implementation, discover

REFERENCE = "cext"


def ask(**fields: Any) -> Request:
    """A request of a measuring process."""
    return Request("measure", "x", "", "out", 1, REFERENCE, **fields)


def test_a_twin_is_loaded_from_its_own_files_and_works(tmp_path: Path) -> None:
    """Other modules, other files, same bytes, same results; the original stays what `import` finds."""
    (original,) = (one for one in discover([REFERENCE]) if one.name == REFERENCE)
    assert original.idioms.i32_add(1, 2) == 3
    found, void = controls.load(ask(), {REFERENCE: original}, {}, tmp_path)
    twin = found[subjects_names.TWIN]
    assert void == {}
    assert set(found) == {subjects_names.TWIN, subjects_names.DELAYED}
    assert twin.idioms is not original.idioms
    assert twin.idioms.i32_add is not original.idioms.i32_add
    assert twin.idioms.i32_add(1, 2) == 3
    assert sys.modules[original.idioms.__name__] is original.idioms
    assert twin.pkcs11.CK_GCM_PARAMS is original.pkcs11.CK_GCM_PARAMS
    same_bytes(original, tmp_path / subjects_names.TWIN)


def same_bytes(original: Implementation, folder: Path) -> None:
    """The compiled modules of the copy in a folder are other files with the bytes of the original's."""
    source = Path(str(original.package.__file__)).parent
    for path in [path for path in source.rglob("*") if path.suffix in (".so", ".pyd")]:
        copy = folder / source.name / path.relative_to(source)
        assert copy.read_bytes() == path.read_bytes()
        assert copy.stat().st_ino != path.stat().st_ino


WHOLE = [one for one in discover() if not one.variant]


@pytest.mark.parametrize("original", [one for one in WHOLE if one.name != REFERENCE], ids=lambda one: one.name)
def test_each_binding_has_a_twin_that_is_apart_from_it(original: Implementation, tmp_path: Path) -> None:
    """Neither takes the other's objects or makes them, whichever came first; files and results are the same."""
    subjects = {one.name: one for one in WHOLE if one.name in (REFERENCE, original.name)}
    loaded = {name for name in sys.modules if name.startswith(original.target)}
    found, void = controls.load(ask(twins=["w"]), subjects, {}, tmp_path)
    if "second-copy" in original.gaps:
        assert void == {f"twin.{original.name}": f"{subjects_names.SINGLE}{original.gaps['second-copy']}"}
        pytest.skip(original.gaps["second-copy"])
    twin = found[subjects_names.twin_of(original.name)]
    assert void == {}
    assert loaded <= {name for name in sys.modules if name.startswith(original.target)}
    same_bytes(original, tmp_path / twin.name)
    for one, other in ((original, twin), (twin, original)):
        point = one.idioms.Point(1.0, 2.0)
        assert type(one.idioms.point_add(point, point)) is one.idioms.Point
        assert one.idioms.point_add(point, point) == one.idioms.Point(2.0, 4.0)
        assert one.codec.crc32(b"abc") == 891568578
        with one.idioms.Counter(3) as counter:
            assert type(counter) is one.idioms.Counter
        assert other.idioms.Point is not one.idioms.Point
        with pytest.raises(TypeError):
            one.idioms.point_add(other.idioms.Point(1.0, 2.0), point)
    assert {subject for subject in found if subjects_names.twinned(subject)} == {twin.name}


def test_a_technique_that_cannot_be_loaded_twice_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its twin is void with the reason; the reference's twin is there all the same."""
    subjects = {one.name: one for one in WHOLE if "second-copy" in one.features}
    real = controls.load_copy

    def refuse(original: Implementation, *rest: Any) -> Any:
        if original.name != REFERENCE:
            raise ImportError("only once")
        return real(original, *rest)

    monkeypatch.setattr(controls, "load_copy", refuse)
    found, void = controls.load(ask(twins=["w"]), subjects, {}, tmp_path)
    assert set(found) == {subjects_names.TWIN, subjects_names.DELAYED}
    assert void.keys() == {f"twin.{name}" for name in subjects if name != REFERENCE}
    assert set(void.values()) == {"failed when it was loaded a second time: only once"}


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
    assert len(calls) == round(LEAD * 20) * 10 + 300
    assert made.loops * made.unroll == 200
