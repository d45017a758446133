"""A binding that is wrong, does more work or brings another library gets no number but a reason.

Each test registers a binding that wraps the reference one and spoils something, and runs a real measuring process on
both.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import binding_without_a_noun
import cside_native
import pytest
from cside_suite.process.request import GO, TURN, Request
from cside_suite.subjects.bindings import discover
from cside_suite.subjects.pkcs11_modules import Unavailable, locate

REFERENCE = "cext"

SPOILED_RESULT = """
def crc32(data, value=0, /):
    return original.crc32(data, value) ^ 1
"""

SLOWER_PATH = """
def crc32(data, value=0, /):
    view = memoryview(data)
    middle = len(view) // 2
    return original.crc32(view[middle:], original.crc32(view[:middle], value))
"""

OTHER_LIBRARY = """
import ctypes, pathlib
KEPT = ctypes.CDLL(str(pathlib.Path(__file__).with_name("libcside.so")))
"""

MORE_CALLS = "# one call more than the standard needs"

SPOILED_MODULE = """
_load = load

class Twice:
    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        return getattr(self._module, name)

    def C_Digest(self, session, data, /):
        self._module.C_DigestUpdate(session, data)
        return self._module.C_DigestFinal(session)

def load(path=None, /):
    return Twice(_load(path))
"""

CRASH = """
def crc32(data, value=0, /):
    import os, signal
    os.kill(os.getpid(), signal.SIGSEGV)
"""


def install(folder: Path, spoil: str) -> None:
    """A binding named ``spoiled`` in ``folder``, to be put on the path."""
    (reference,) = [it for it in discover() if it.name == REFERENCE]
    package = folder / "spoiled"
    package.mkdir()
    (package / "__init__.py").write_text(
        f"from {reference.target} import __version__, features, gaps\n", encoding="utf-8"
    )
    for noun in ("idioms", "pkcs11"):
        (package / f"{noun}.py").write_text(f"from {reference.target}.{noun} import *\n", encoding="utf-8")
    with (package / "pkcs11.py").open("a", encoding="utf-8") as file:
        file.write(SPOILED_MODULE if spoil == MORE_CALLS else "")
    (package / "codec.py").write_text(
        f"import {reference.target}.codec as original\nfrom {reference.target}.codec import *\n{spoil}",
        encoding="utf-8",
    )
    library = cside_native.library()
    (package / library.name).write_bytes(library.read_bytes() + b"\0")
    record = folder / "spoiled-0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: spoiled\nVersion: 0\n", encoding="utf-8")
    (record / "entry_points.txt").write_text("[cside.bindings]\nspoiled = spoiled\n", encoding="utf-8")


def measure(
    folder: Path, spoil: str, only: str = "codec.crc32[16]", told: str = "", **changes: Any
) -> tuple[int, str, dict[str, Any] | None]:
    """Run one process on the spoiled binding, which reads ``told``; exit code, what it said, and what it wrote."""
    install(folder, spoil)
    return run(folder, "spoiled", only, told, **changes)


def run(
    folder: Path, binding: str, only: str, told: str = "", **changes: Any
) -> tuple[int, str, dict[str, Any] | None]:
    """Run one process on the reference and on a binding that is installed in a folder."""
    out = folder / "out.json"
    options: dict[str, Any] = {"seed": 1, "rounds": 3, "least_visits": 3} | changes
    request = Request(
        mode="measure",
        interpreter="here",
        library_sha256=cside_native.build_info()["sha256"],
        out=str(out),
        reference=REFERENCE,
        bindings=[REFERENCE, binding],
        only=[only],
        **options,
    )
    path = folder / "request.json"
    request.save(path)
    done = subprocess.run(
        [sys.executable, "-m", "cside_suite.process.block", str(path)],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        input=told,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, json.loads(out.read_text(encoding="utf-8")) if out.exists() else None


def reasons(document: dict[str, Any] | None) -> dict[str, str]:
    """Why cells are void, by subject."""
    assert document is not None
    return {entry["subject"]: entry["reason"] for entry in document["cside"]["void"]}


def test_a_noun_that_a_binding_leaves_out_is_a_gap_with_its_reason(tmp_path: Path) -> None:
    """Its workloads are measured for the reference, and skipped, not void, for the binding."""
    name = binding_without_a_noun.install(tmp_path)
    workload = "pkcs11.slot_list[token]"
    code, told, document = run(tmp_path, name, workload)
    assert code == 0, told
    assert document is not None
    assert [it for it in document["cside"]["skips"] if it["subject"] == name] == [
        {"workload": workload, "subject": name, "reason": f"lacks pkcs11: {binding_without_a_noun.REASON}"}
    ]
    assert name not in reasons(document)
    measured = {entry["extra_info"]["subject"] for entry in document["benchmarks"]}
    assert REFERENCE in measured
    assert name not in measured


WRONG_FOR_SOME = """
def crc32(data, value=0, /):
    return original.crc32(data, value) ^ (sum(data) % 5 == 0)
"""


def test_every_draw_is_checked(tmp_path: Path) -> None:
    """A binding that is right for most values is void; eight texts are drawn."""
    code, _, document = measure(tmp_path, WRONG_FOR_SOME)
    assert code == 0
    assert "wrong result or error" in reasons(document)["spoiled"]


def test_all_subjects_get_the_same_draws_and_other_processes_others(tmp_path: Path) -> None:
    """Results are compared over all draws; native calls are counted for each of them."""
    digests, counts = [], []
    for seed in (1, 1, 2):
        folder = tmp_path / f"{len(digests)}"
        folder.mkdir()
        code, _, document = measure(folder, "", only="idioms.add[i32-large]", seed=seed)
        assert code == 0
        assert document is not None
        entries = [entry["extra_info"] for entry in document["benchmarks"] if "digest" in entry["extra_info"]]
        (found,) = {entry["digest"] for entry in entries}
        digests.append(found)
        counts += [entry["counts"] for entry in entries]
    assert digests[0] == digests[1] != digests[2]
    assert {next(iter(count["cs_i32_add"])) for count in counts} == {8}


@pytest.mark.skipif(sys.implementation.name == "pypy", reason="each workload has a process of its own there")
def test_a_thread_was_started_before_anything_is_loaded(tmp_path: Path) -> None:
    """Calls that release the GIL cost more from then on, and should cost the same in each process."""
    first = "import threading\nif threading.Thread().name == 'Thread-1':\n    del crc32\n"
    _, _, document = measure(tmp_path, first)
    assert reasons(document) == {}


def test_an_honest_binding_is_measured(tmp_path: Path) -> None:
    """Nothing is void where nothing is spoiled, and every subject ran the same rounds."""
    code, _, document = measure(tmp_path, "")
    assert code == 0
    assert reasons(document) == {}
    assert document is not None
    rounds = {entry["extra_info"]["subject"]: len(entry["stats"]["data"]) for entry in document["benchmarks"]}
    assert {"spoiled", REFERENCE, "twin", "stdlib", "floor.direct"} <= rounds.keys()
    assert set(rounds.values()) == {3}


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (SPOILED_RESULT, "wrong result or error"),
        (SLOWER_PATH, "unequal native work: cs_crc32 16 calls, 8 expected"),
        (OTHER_LIBRARY, "loaded another libcside"),
        ("raise ImportError('spoiled')", "cannot be used"),
    ],
    ids=["one bit wrong", "more native work", "another library", "broken import"],
)
def test_a_spoiled_binding_is_void(tmp_path: Path, spoil: str, reason: str) -> None:
    """It alone is void, with the reason; the reference is measured all the same."""
    code, _, document = measure(tmp_path, spoil)
    assert code == 0
    found = reasons(document)
    assert found.keys() == {"spoiled"}
    assert reason in found["spoiled"]
    assert document is not None
    measured = {entry["extra_info"]["subject"] for entry in document["benchmarks"]}
    assert REFERENCE in measured
    assert "spoiled" not in measured


def test_a_crash_is_blamed_on_its_target(tmp_path: Path) -> None:
    """The last line before the end names the workload and the binding, so that the driver can go on without them."""
    code, said, document = measure(tmp_path, CRASH)
    assert code < 0
    assert document is None
    assert json.loads(said.splitlines()[-1]) == {"phase": "check", "workload": "codec.crc32[16]", "subject": "spoiled"}


def test_a_process_that_takes_turns_measures_as_long_as_it_is_told_to(tmp_path: Path) -> None:
    """It announces each turn, and all its workloads have the same rounds, which another process's are paired with."""
    two = ["codec.crc32[16]", "codec.compress[65536-6]"]
    more: dict[str, Any] = {"rounds": 50, "least_visits": 50, "turn_visits": 4, "alone": "spoiled", "workloads": two}
    told = "".join(f"{GO} {place}\n" for place in (3, 0, 1))
    code, said, document = measure(tmp_path, "", only="", told=told, **more)
    assert code == 0
    assert sum(json.loads(line)["phase"] == TURN for line in said.splitlines()) == 4
    assert document is not None and document["cside"]["in_turns"]
    for entry in document["benchmarks"]:
        assert entry["extra_info"]["rounds"] == list(range(6))
        if entry["extra_info"]["subject"] == "spoiled":
            assert entry["extra_info"]["positions"] == [3, 3, 0, 0, 1, 1]
    assert {entry["extra_info"]["workload"] for entry in document["benchmarks"]} == set(two)


def test_each_workload_can_have_a_child(tmp_path: Path) -> None:
    """It runs the tests and measures; the process writes what all of them found, in one file."""
    two = ["codec.crc32[16]", "codec.compress[65536-6]"]
    more: dict[str, Any] = {"rounds": 8, "least_visits": 8, "turn_visits": 4, "alone": "spoiled", "workloads": two}
    told = "".join(f"{GO} {place}\n" for place in range(6))
    code, said, document = measure(tmp_path, "", only="", told=told, forks=True, **more)
    assert code == 0, said
    assert sum(json.loads(line)["phase"] == TURN for line in said.splitlines()) == 6  # one to end in, for each
    assert document is not None
    found = [it["extra_info"] for it in document["benchmarks"] if it["extra_info"]["subject"] == "spoiled"]
    assert {it["workload"] for it in found} == set(two)
    assert all(it["rounds"] == list(range(8)) and it["digest"] for it in found)
    assert {tuple(it["positions"]) for it in found} == {(0, 0, 0, 0, 1, 1, 1, 1), (3, 3, 3, 3, 4, 4, 4, 4)}


def test_a_crash_in_a_child_is_blamed_on_its_target(tmp_path: Path) -> None:
    """The process ends as the child did."""
    more: dict[str, Any] = {"turn_visits": 4, "alone": "spoiled", "workloads": ["codec.crc32[16]"], "forks": True}
    code, said, document = measure(tmp_path, CRASH, only="", told="", **more)
    assert code < 0
    assert document is None
    assert json.loads(said.splitlines()[-1]) == {"phase": "check", "workload": "codec.crc32[16]", "subject": "spoiled"}


def test_what_was_excluded_is_not_run(tmp_path: Path) -> None:
    """A pair that took an earlier process down is left out, and the rest is measured."""
    code, _, document = measure(tmp_path, CRASH, exclude=[("codec.crc32[16]", "spoiled")])
    assert code == 0
    assert document is not None
    measured = {entry["extra_info"]["subject"] for entry in document["benchmarks"]}
    assert REFERENCE in measured
    assert "spoiled" not in measured


def test_a_process_of_which_everything_is_decided_measures_nothing(tmp_path: Path) -> None:
    """A look at the run may leave nothing for a later process; it ends in order, with a file, and the run goes on."""
    code, _, document = measure(tmp_path, "")
    assert code == 0 and document is not None
    everything = [(it["extra_info"]["workload"], it["extra_info"]["subject"]) for it in document["benchmarks"]]
    again = tmp_path / "again"
    again.mkdir()
    code, said, document = measure(again, "", exclude=everything)
    assert code == 0, said
    assert document is not None and document["benchmarks"] == []


def test_a_module_is_called_as_c_calls_it(tmp_path: Path) -> None:
    """A binding that takes one native call more is void; the C loop, and the share inside the module, are there."""
    try:
        locate("token")
    except Unavailable as error:
        pytest.skip(str(error))
    workload = "pkcs11.digest[64-token]"
    code, _, document = measure(tmp_path, MORE_CALLS, only=workload, latency_ns=10_000)
    assert code == 0
    found = reasons(document)
    assert found.keys() == {"spoiled"}
    assert "unequal native work: C_Digest" in found["spoiled"]
    assert document is not None
    entries = {entry["extra_info"]["subject"]: entry["extra_info"] for entry in document["benchmarks"]}
    assert {REFERENCE, "twin", "floor.direct", "floor.shim"} <= entries.keys()
    assert 0 < entries[REFERENCE]["inside"] < 1


def test_a_process_measures_the_workloads_that_it_is_given(tmp_path: Path) -> None:
    """One of a block's processes has some of the workloads, by their exact names."""
    code, _, document = measure(tmp_path, "", only="codec.crc32", workloads=["codec.crc32[16]"])
    assert code == 0
    assert document is not None
    assert {entry["extra_info"]["workload"] for entry in document["benchmarks"]} == {"codec.crc32[16]"}


def test_a_warm_up_by_calls_is_kept_with_the_calls_of_each_chunk(tmp_path: Path) -> None:
    """Chunks of the warm-up are of different lengths, and those of the rounds of one that a warm call sets."""
    code, _, document = measure(tmp_path, "", warm_calls=5_000, warm_up_ns=200_000_000)
    assert code == 0
    assert document is not None
    for entry in document["benchmarks"]:
        calls = entry["extra_info"]["warm_calls"]
        assert len(calls) == len(entry["extra_info"]["warm"])
        assert sum(calls) >= 5_000 or not entry["extra_info"]["warm_agreed"]
