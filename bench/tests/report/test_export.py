# SPDX-License-Identifier: Apache-2.0
"""``cside export``: pyperf and pytest-benchmark read what is written, and see processes as replicates."""

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cside_bench.cli.commands.export import command
from synthetic_run import EMPTY_NS, LABEL, NS, ROUNDS, WORKLOADS, write_run

PROCESSES = 6
SLOWED = ("idioms.w03", "cffi")


@pytest.fixture(name="results")
def fixture_results(tmp_path: Path) -> Path:
    """A run of two interpreters with a void cell and a cell that was not resolved."""
    write_run(
        tmp_path / "results" / "run",
        1,
        processes=PROCESSES,
        labels=(LABEL, "pypy-3.11"),
        effects={("idioms.w01", "floor.direct"): 0.001},
        void=(("idioms.w02", "swig", "unequal work"),),
    )
    return tmp_path / "results"


def export(results: Path, *arguments: str) -> Result:
    """``cside export run`` on the runs of a folder."""
    return CliRunner().invoke(command, ["run", "--results", str(results), *arguments])


def tool(arguments: Sequence[str], folder: Path) -> str:
    """What another tool prints."""
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def load(path: Path) -> dict[str, Any]:
    """A JSON file."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def medians(results: Path, label: str, key: tuple[str, str], empty_ns: float) -> list[float]:
    """Seconds per call, one number a process, straight from the raw files."""
    found = []
    for path in sorted((results / "run" / "blocks").glob(f"{label}-*.json")):
        for entry in load(path)["benchmarks"]:
            if (entry["extra_info"]["workload"], entry["extra_info"]["subject"]) == key:
                found.append(statistics.median(entry["stats"]["data"]) - empty_ns * 1e-9)
    return found


def test_pyperf_compares_bindings(results: Path, tmp_path: Path) -> None:
    """``pyperf compare_to`` lines up the workloads of two bindings and finds the one that is three times slower."""
    done = export(results, "--to", "pyperf", "-o", str(tmp_path / "perf"), "--python", "3.13")
    assert done.exit_code == 0, done.output
    files = [f"perf/{LABEL}-{subject}.json" for subject in ("cext", "cffi", "twin")]
    table = tool(["pyperf", "compare_to", *files, "--table"], tmp_path)
    rows = [line for line in table.splitlines() if line.startswith("| idioms.")]
    assert len(rows) == len(WORKLOADS)
    assert all("slower" in row and row.count("not significant") == 1 for row in rows), table


def test_pyperf_finds_a_change_between_runs(tmp_path: Path) -> None:
    """A 30 % slower cell of another run is the significant one; a pooled test would find many."""
    for name, effects in (("run", {}), ("after", {SLOWED: 1.3})):
        write_run(tmp_path / name, len(name), effects=effects, processes=10)
        arguments = [str(tmp_path / name), "--to", "pyperf", "-o", str(tmp_path / f"{name}.json"), "--binding", "cffi"]
        assert CliRunner().invoke(command, arguments).exit_code == 0
    text = tool(["pyperf", "compare_to", "run.json", "after.json", "-G", "--min-speed", "10"], tmp_path)
    slower = text.partition("Slower (")[2].partition("Geometric")[0]
    assert SLOWED[0] in slower
    assert slower.startswith("1)")


def test_pyperf_sees_one_value_per_process(results: Path, tmp_path: Path) -> None:
    """A value is the net median of a process, as our own tables have it; ``stats`` and ``show`` read it."""
    assert export(results, "--to", "pyperf", "-o", str(tmp_path)).exit_code == 0
    name = f"{LABEL}-cffi.json"
    text = tool(["pyperf", "stats", name], tmp_path)
    assert f"Number of run with values: {PROCESSES}" in text
    assert "Number of value per run: 1" in text
    assert "Loop iterations per value: 2000" in text
    assert "cside_subject: cffi" in tool(["pyperf", "show", "--metadata", "--quiet", name], tmp_path)
    suite = pytest.importorskip("pyperf").BenchmarkSuite.load(str(tmp_path / name))
    values = suite.get_benchmark("idioms.w05").get_values()
    assert values == pytest.approx(medians(results, LABEL, ("idioms.w05", "cffi"), EMPTY_NS), rel=1e-6)


def test_pyperf_draws_every_round_if_asked(results: Path, tmp_path: Path) -> None:
    """``--values rounds`` keeps them apart by process, for ``pyperf hist``."""
    assert export(results, "--to", "pyperf", "-o", str(tmp_path), "--values", "rounds").exit_code == 0
    name = f"{LABEL}-cffi.json"
    assert f"Total number of values: {PROCESSES * ROUNDS}" in tool(["pyperf", "stats", name], tmp_path)
    assert "#" in tool(["pyperf", "hist", name, "-b", "idioms.w05"], tmp_path)


def test_what_is_void_or_not_resolved_is_left_out_and_named(results: Path, tmp_path: Path) -> None:
    """Such a cell is in no file; standard error names it with the reason."""
    done = export(results, "--to", "pytest-benchmark", "-o", str(tmp_path), "--python", "3.13")
    assert done.exit_code == 0, done.output
    assert f"left out: {LABEL} idioms.w02 swig: void: unequal work" in done.stderr
    assert f"left out: {LABEL} idioms.w01 floor.direct: not resolved" in done.stderr
    names = {entry["name"] for entry in load(tmp_path / LABEL / "0001_all.json")["benchmarks"]}
    assert len(names) == len(WORKLOADS) * len(NS) - 2
    assert {"idioms.w02 swig", "idioms.w01 floor.direct"}.isdisjoint(names)


def test_pytest_benchmark_compares_bindings(results: Path, tmp_path: Path) -> None:
    """``--per binding``: files given by path line up by name; so does a storage's folder."""
    done = export(results, "--to", "pytest-benchmark", "--per", "binding", "-o", str(tmp_path / "storage"))
    assert done.exit_code == 0, done.output
    paths = [f"storage/{LABEL}/{name}.json" for name in ("0001_cext", "0002_cffi")]
    for arguments in (paths, ["--storage", "storage", f"{LABEL}/0001", f"{LABEL}/0002"]):
        options = arguments[:2] if arguments[0] == "--storage" else []
        files = arguments[len(options) :]
        text = benchmark([*options, "compare", *files, "--group-by=name", "--columns=mean,stddev,rounds"], tmp_path)
        assert text.count("2 tests") == len(WORKLOADS), text
        assert "idioms.w05 (0001_cext)" in text
        assert "idioms.w05 (0002_cffi)" in text


def test_pytest_benchmark_compares_interpreters(results: Path, tmp_path: Path) -> None:
    """Each interpreter has one file; groups have the bindings, and names have the interpreters."""
    assert export(results, "--to", "pytest-benchmark", "-o", str(tmp_path / "storage")).exit_code == 0
    text = benchmark(["--storage", "storage", "compare", "*/0001_all", "--group-by=name", "--columns=mean"], tmp_path)
    assert "benchmark 'idioms.w05 cffi': 2 tests" in text
    one = ["--storage", "storage", "compare", "pypy-3.11/0001", "--group-by=group", "--columns=mean"]
    assert f"benchmark 'idioms.w05': {len(NS)} tests" in benchmark(one, tmp_path)


def test_pytest_benchmark_sees_one_value_per_process(results: Path, tmp_path: Path) -> None:
    """Its standard deviation is that between processes; ``--raw`` leaves the loop in, as raw files have it."""
    for name, empty, options in (("net", EMPTY_NS, ()), ("raw", 0.0, ("--raw",))):
        target = str(tmp_path / f"{name}.json")
        arguments = ("--to", "pytest-benchmark", "-o", target, "--python", "3.13", "--binding", "cffi", *options)
        assert export(results, *arguments).exit_code == 0
        found = next(it for it in load(Path(target))["benchmarks"] if it["group"] == "idioms.w05")
        expected = medians(results, LABEL, ("idioms.w05", "cffi"), empty)
        assert found["stats"]["data"] == pytest.approx(expected, rel=1e-6)
        assert found["stats"]["stddev"] == pytest.approx(statistics.stdev(expected), rel=1e-4)
        assert found["stats"]["rounds"] == PROCESSES


def benchmark(arguments: Sequence[str], folder: Path) -> str:
    """What ``pytest-benchmark`` prints."""
    return tool(["pytest_benchmark", *arguments], folder)


def test_the_processes_of_a_block_are_one_replicate(results: Path, tmp_path: Path) -> None:
    """Where each binding had a process of its own, those of one block make one value each."""
    for path in sorted((results / "run" / "blocks").iterdir()):
        document = load(path)
        for alone in ("cext", "cffi"):
            own = {alone, "stdlib"} if alone == "cext" else {alone}
            mine = [it for it in document["benchmarks"] if it["extra_info"]["subject"] in own]
            part = document | {"benchmarks": mine, "cside": document["cside"] | {"alone": alone, "in_turns": True}}
            path.with_name(f"{path.stem}@{alone}.json").write_text(json.dumps(part), encoding="utf-8")
        path.unlink()
    target = tmp_path / "one.json"
    done = export(results, "--to", "pytest-benchmark", "-o", str(target), "--python", "3.13")
    assert done.exit_code == 0, done.output
    entries = load(target)["benchmarks"]
    assert {it["params"]["subject"] for it in entries} == {"cext", "cffi", "stdlib"}
    assert {it["stats"]["rounds"] for it in entries} == {PROCESSES}


def test_one_file_holds_what_fits_in_one(results: Path, tmp_path: Path) -> None:
    """A name ending in .json is refused for more than one file, before anything is written."""
    target = tmp_path / "one.json"
    refused = export(results, "--to", "pytest-benchmark", "-o", str(target))
    assert refused.exit_code == 2
    assert "there are 2 to write" in " ".join(refused.output.split())
    assert not target.exists()
    assert export(results, "--to", "pytest-benchmark", "-o", str(target), "--python", "pypy").exit_code == 0
    assert load(target)["cside"]["interpreter"] == "pypy-3.11"


def test_the_run_s_own_folder_is_the_default(results: Path) -> None:
    """Without --output the file lies in the run's folder; standard output names it."""
    done = export(results, "--to", "pytest-benchmark")
    written = [Path(line) for line in done.stdout.splitlines()]
    assert written == [results / "run" / "pytest-benchmark" / label / "0001_all.json" for label in (LABEL, "pypy-3.11")]
    assert all(path.is_file() for path in written)


def test_wrong_usage_exits_with_2_and_says_why(results: Path) -> None:
    """No such run, nothing selected, a form that pyperf does not have."""
    missing = CliRunner().invoke(command, ["nothing", "--results", str(results), "--to", "pytest-benchmark"])
    assert missing.exit_code == 2
    assert "there are: run" in missing.output
    nothing = export(results, "--to", "pytest-benchmark", "--only", "nothing")
    assert nothing.exit_code == 2
    assert "--only nothing" in nothing.output
    assert export(results, "--to", "pyperf", "--per", "interpreter").exit_code == 2


def test_help_teaches_by_example() -> None:
    """Examples name the other tools' own commands."""
    text = CliRunner().invoke(command, ["--help"]).output
    assert "pyperf compare_to perf/cpython-3.13-cext.json perf/cpython-3.13-cffi.json" in text
    assert "pytest-benchmark --storage storage compare" in text
