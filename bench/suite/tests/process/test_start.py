# SPDX-License-Identifier: Apache-2.0
"""Starts: what a bare process measures, and what it has not imported by then."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import binding_without_a_noun
import pytest
from cside_suite.contract import NOUNS
from cside_suite.process import start
from cside_suite.subjects.bindings import BindingError, discover

Package = Callable[..., str]
NOOP = "def noop():\n    return None\n"
CRC32 = "def crc32(data):\n    return 0\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    """A binding made of the texts of its modules; bare processes can import it."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def make(**modules: str) -> str:
        folder = tmp_path / "some_binding"
        folder.mkdir()
        (folder / "__init__.py").write_text("", encoding="utf-8")
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        return "some_binding"

    return make


def steps(process: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Steps by name."""
    return {step["step"]: step for step in process["steps"]}


def test_nothing_is_imported_before_the_binding_is(package: Package) -> None:
    """What a binding imports, it pays for: neither our modules nor ones that bindings use are there before."""
    used = ("cside_suite", "cside_native", "pytest", "json", "typing", "ctypes", "enum", "struct", "pathlib", "zlib")
    text = f"import sys\nfound = [name for name in {used!r} if name in sys.modules]\n"
    text += "if found:\n    raise ImportError(str(found))\n" + NOOP
    step = steps(start.run_bare(package(idioms=text), ("idioms",)))["idioms"]
    assert step["ns"] is not None, step["reason"]


def test_an_import_is_timed_with_all_that_it_imports(package: Package) -> None:
    """Time and modules of what the module itself imports are part of its own."""
    target = package(idioms=f"from some_binding import _slow\n{NOOP}", _slow="import time\ntime.sleep(0.02)\n")
    found = start.run_bare(target, ("idioms",))
    step = steps(found)["idioms"]
    assert step["ns"] >= 20_000_000
    assert step["modules"] == 3
    assert found["modules"] == ["some_binding", "some_binding._slow", "some_binding.idioms"]


def test_time_asleep_is_no_cpu_time(package: Package) -> None:
    """CPU time tells work from waiting."""
    step = steps(start.run_bare(package(idioms=f"import time\ntime.sleep(0.2)\n{NOOP}"), ("idioms",)))["idioms"]
    assert 0 < step["cpu_ns"] < step["ns"] / 2


def test_memory_that_an_import_takes_is_seen(package: Package) -> None:
    """A process whose import keeps 32 MiB grows by that much more than one whose import keeps nothing."""
    target = package(idioms=NOOP, codec=f"kept = bytearray(b'x') * (32 << 20)\n{CRC32}")
    found = start.run_bare(target, ("idioms", "codec"))
    if found["memory_source"] is None:
        pytest.skip("no way to ask for memory is known on this system")
    grown = {name: step["resident_bytes"] for name, step in steps(found).items()}
    assert grown["codec"] - grown["idioms"] > 31 << 20


def test_the_first_call_is_told_from_the_second(package: Package) -> None:
    """What a binding puts off until it is called shows in the first call."""
    text = "import time\ndef noop():\n    if not noop.__dict__:\n        noop.called = True\n        time.sleep(0.2)\n"
    (call,) = start.run_bare(package(idioms=text), ("idioms",))["calls"]
    assert call["call"] == "idioms.noop"
    assert call["first_ns"] >= 200_000_000
    assert call["second_ns"] < call["first_ns"]


def test_a_missing_noun_is_named_and_the_others_measured(package: Package) -> None:
    """It has an error of its own, as a module that cannot be imported has."""
    found = steps(start.run_bare(package(idioms=NOOP, codec=CRC32), NOUNS))
    assert found["pkcs11"]["ns"] is None
    assert "some_binding.pkcs11" in found["pkcs11"]["reason"]
    assert found["idioms"]["ns"] > 0
    assert found["codec"]["ns"] > 0


def test_a_process_that_dies_is_an_error(package: Package) -> None:
    """The error has the exit code of the process, or the last line of its traceback."""
    with pytest.raises(start.ColdError, match="exit code 3"):
        start.run_bare(package(idioms="import os\nos._exit(3)\n", codec="1 / 0\n"), ("idioms",))
    with pytest.raises(start.ColdError, match="ZeroDivisionError"):
        start.run_bare("some_binding", ("codec",))


def test_the_baseline_is_what_bindings_rest_on() -> None:
    """Each step of it is timed on its own; the standard library's zlib stands beside it."""
    found = start.measure("")
    assert found["ns"] is None
    assert {"cside_native", "zlib"} <= steps(found["together"]).keys()
    assert [call["call"] for call in found["together"]["calls"]] == ["zlib.crc32"]


def test_the_least_that_a_binding_does_is_measured_in_a_process_of_its_own() -> None:
    """``base_ns`` is the time to load libcside and to import an empty extension, and nothing else is imported in it."""
    found = start.measure("")
    parts = steps(found["base"])
    if "libcside" not in parts:
        pytest.skip("this interpreter cannot load a library by itself")
    assert parts.keys() == {"libcside", "extension"}
    assert found["base_ns"] == parts["libcside"]["ns"] + parts["extension"]["ns"] > 0
    assert parts["extension"]["modules"] == 1
    assert set(found["base"]["modules"]) <= {"_empty", "_ctypes", "_rawffi"}


def test_a_binding_is_measured_noun_by_noun_and_as_a_whole() -> None:
    """``ns`` is what the workload `import` is about: idioms, and then codec, in one process."""
    names = [found.name for found in discover()]
    if not names:
        pytest.skip("no binding is installed here")
    found = start.measure(names[0])
    assert list(found["alone"]) == list(NOUNS)
    assert found["missing"] == {}
    assert all(process["modules_before"] == found["together"]["modules_before"] for process in found["alone"].values())
    together = steps(found["together"])
    assert found["ns"] == together["idioms"]["ns"] + together["codec"]["ns"]


def test_a_noun_that_is_declared_missing_is_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reason is that of the binding, and the other nouns are measured as those of any binding."""
    name = binding_without_a_noun.install(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    found = start.measure(name)
    assert found["missing"] == {"pkcs11": binding_without_a_noun.REASON}
    assert list(found["alone"]) == [step["step"] for step in found["together"]["steps"]] == ["idioms", "codec"]
    assert found["ns"] > 0


def test_a_partial_variant_has_no_third_noun() -> None:
    """The reason says that it is partial."""
    partial = [found.name for found in discover(partial=True) if found.partial and found.unavailable is None]
    found = start.measure(partial[0])
    assert found["missing"] == {"pkcs11": start.PARTIAL}
    assert list(found["alone"]) == ["idioms", "codec"]


def test_an_unknown_name_is_an_error() -> None:
    """Not a measurement of something else."""
    with pytest.raises(BindingError, match="nowhere"):
        start.measure("nowhere")


def test_a_request_is_answered_in_its_file(tmp_path: Path) -> None:
    """Plain JSON both ways; what cannot be measured ends the process with the reason."""
    request, out = tmp_path / "request.json", tmp_path / "out.json"
    request.write_text(json.dumps({"binding": "", "out": str(out)}), encoding="utf-8")
    start.main(str(request))
    assert json.loads(out.read_text(encoding="utf-8"))["subject"] == ""
    request.write_text(json.dumps({"binding": "nowhere", "out": str(out)}), encoding="utf-8")
    with pytest.raises(SystemExit, match="nowhere"):
        start.main(str(request))
