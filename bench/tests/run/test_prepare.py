"""Plans, resuming, the command and the files of a run."""

import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from click.testing import CliRunner
from cside_bench.cli import main
from cside_bench.cli.options import parse_handicap
from cside_bench.report.amounts import ns
from cside_bench.report.report import Report
from cside_bench.results.evidence import Run
from cside_bench.results.plan import Plan, PlanError, Tier, draw_blocks, isolate
from cside_bench.results.selection import matches
from cside_bench.run.child import describe, environment
from cside_bench.run.driver import new_folder
from cside_bench.run.prepare import check_unchanged, make_plan
from cside_bench.summary.build import summarise
from cside_suite.subjects.names import natural
from cside_suite.workloads import corpus

LABELS = ["cpython-3.11", "cpython-3.13", "pypy-3.11"]


def manifest(sha256: str = "0" * 64, wheel: str = "1" * 64) -> dict[str, Any]:
    """What nox would hand over."""
    builds = {"some-binding": {"sha256": wheel}}
    return {
        "interpreters": [{"label": label, "python": "python", "builds": builds} for label in LABELS],
        "missing": [{"label": "cpython-3.14", "reason": "not found", "install": "install it"}],
        "native": {"sha256": sha256},
    }


def plan(tier: str = "quick", **changes: Any) -> Plan:
    """A plan on the interpreters of :func:`manifest`."""
    options: dict[str, Any] = {"seed": 7, "python": (), "binding": (), "only": ()} | changes
    return make_plan(manifest(), Tier.named(tier), **options)


def test_blocks_are_shuffled_by_the_seed_and_complete() -> None:
    """Every interpreter has every block; the same seed gives the same order, another seed another."""
    blocks = draw_blocks(dict.fromkeys(LABELS, 10), 1)
    assert {(block.interpreter, block.number) for block in blocks} == {
        (label, n) for label in LABELS for n in range(10)
    }
    assert blocks == draw_blocks(dict.fromkeys(LABELS, 10), 1)
    assert [block.interpreter for block in blocks] != [
        block.interpreter for block in draw_blocks(dict.fromkeys(LABELS, 10), 2)
    ]


def test_fewer_blocks_are_spread_over_the_run() -> None:
    """An interpreter with fewer blocks has one at the beginning of the run and one near its end."""
    blocks = draw_blocks({"cpython-3.13": 10, "pypy-3.11": 7}, 1)
    assert len(blocks) == 17
    places = [place for place, block in enumerate(blocks) if block.interpreter == "pypy-3.11"]
    assert len(places) == 7
    assert [block.number for block in blocks if block.interpreter == "pypy-3.11"] == list(range(7))
    assert places[0] < 3
    assert places[-1] > 13
    assert max(after - before for before, after in pairwise(places)) <= 4


def test_isolated_blocks_load_each_binding_alone() -> None:
    """Each block becomes one process for each name, in an order of its own."""
    names = ["a", "b", "b.v", "twin"]
    blocks = isolate(draw_blocks(dict.fromkeys(LABELS, 6), 1), dict.fromkeys(LABELS, names), 1)
    for label in LABELS:
        orders = [[it.alone for it in blocks if (it.interpreter, it.number) == (label, n)] for n in range(6)]
        assert all(sorted(order) == names for order in orders)
        assert len({tuple(order) for order in orders}) > 1
    assert len({block.name for block in blocks}) == len(blocks)


def test_a_handicap_names_a_cell_and_percent() -> None:
    """Anything else is an error that shows how it is written."""
    assert parse_handicap("cython:idioms.add[i32]=5%") == ("idioms.add[i32]", "cython", 5.0)
    for wrong in ("idioms.noop=5", "cython:idioms.noop", "cython:idioms.noop=fast", "cython:idioms.noop=-1"):
        with pytest.raises(click.UsageError, match="as in BINDING"):
            parse_handicap(wrong)


def test_tiers_grow() -> None:
    """Quick gives no verdicts; each tier measures more than the one before."""
    quick, default, rigorous = (Tier.named(name) for name in ("quick", "default", "rigorous"))
    assert not quick.verdicts
    assert default.verdicts
    assert quick.blocks < default.blocks < rigorous.blocks
    assert quick.warm_up_ns("pypy-3.11") > quick.warm_up_ns("cpython-3.13")


@pytest.mark.parametrize("wanted", ["3.13", "cpython-3.13", "cpython3.13", "cpython"])
def test_interpreters_are_named_as_users_do(wanted: str) -> None:
    """A bare version means CPython."""
    assert matches("cpython-3.13", wanted)
    assert not matches("pypy-3.11", wanted)
    assert not matches("pypy-3.11", "3.11")


def test_unknown_interpreter_is_an_error_that_lists_the_known() -> None:
    """``--python 3.99`` says what there is."""
    with pytest.raises(Exception, match=r"3\.99.*cpython-3\.11, cpython-3\.13, pypy-3\.11"):
        plan(python=("3.99",))


def test_the_reference_is_measured_with_any_binding() -> None:
    """Ratios need it."""
    assert plan(binding=("some",)).bindings == [Tier.named("quick").reference, "some"]


def test_a_plan_survives_its_file(tmp_path: Path) -> None:
    """What is resumed is what was planned."""
    made = plan()
    made.save(tmp_path)
    assert Plan.load(tmp_path) == made
    with pytest.raises(PlanError, match=r"no run.*run\.json"):
        Plan.load(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (manifest(sha256="2" * 64), "libcside has been rebuilt"),
        (manifest(wheel="3" * 64), "have been rebuilt"),
        ({**manifest(), "interpreters": []}, "no longer installed"),
    ],
    ids=["library", "wheel", "interpreter"],
)
def test_a_run_is_not_resumed_on_other_builds(changed: dict[str, Any], message: str) -> None:
    """Numbers of two builds are never mixed."""
    check_unchanged(plan(), manifest())
    with pytest.raises(PlanError, match=message):
        check_unchanged(plan(), changed)


def test_nuisances_differ_between_processes_and_repeat_with_the_seed(tmp_path: Path) -> None:
    """Hash seed and padding are drawn; settings of the user's Python do not reach a measuring process."""
    first, second = environment(1, tmp_path), environment(2, tmp_path)
    assert first == environment(1, tmp_path)
    assert (first["PYTHONHASHSEED"], first["CSIDE_PADDING"]) != (second["PYTHONHASHSEED"], second["CSIDE_PADDING"])
    assert "trim_threshold" in first["GLIBC_TUNABLES"]
    assert "PYTHONPATH" not in first


def test_folders_of_runs_never_collide(tmp_path: Path) -> None:
    """Two runs in one second have two folders."""
    assert new_folder(tmp_path) != new_folder(tmp_path)


def test_corpora_are_real_and_recorded(tmp_path: Path) -> None:
    """Text, machine code and noise, each with its digest; a user's folder is added; an empty one is an error."""
    own = tmp_path / "own"
    own.mkdir()
    with pytest.raises(corpus.CorpusError, match="no bytes"):
        corpus.save(tmp_path / "corpus", own)
    (own / "b").write_bytes(b"second")
    (own / "a").write_bytes(b"first ")
    digests = corpus.save(tmp_path / "corpus", own)
    assert sorted(digests) == ["machine", "random", "text", "user"]
    assert (tmp_path / "corpus" / "user.bin").read_bytes() == b"first second"
    with pytest.raises(corpus.CorpusError, match="no such file"):
        corpus.save(tmp_path / "corpus", tmp_path / "nowhere")


def test_exit_codes_are_told_in_words() -> None:
    """A signal has a name."""
    assert describe(-11) == "SIGSEGV"
    assert describe(3) == "exit code 3"


def block(label: str, number: int, *, void: bool = False) -> dict[str, Any]:
    """A raw file of two bindings and the controls on one workload; positions and rounds tell nothing."""

    def entry(subject: str, ns: float) -> dict[str, Any]:
        extra: dict[str, Any] = {"workload": "idioms.noop", "subject": subject, "gil": "held", "empty": [1e-9] * 5}
        extra |= {"rounds": list(range(5)), "positions": [(len(subject) + at) % 4 for at in (2, 0, 3, 1, 0)]}
        return {"extra_info": extra, "stats": {"data": [(ns + 1 + i % 2) * 1e-9 for i in range(5)], "iterations": 10}}

    reference = Tier.named("quick").reference
    own: dict[str, Any] = {"void": [], "skips": [], "engine_version": "1.3", "load_average": [0.5, 0.5, 0.5]}
    if void:
        own["void"] = [{"workload": "idioms.noop", "subject": "b.v", "gil": "held", "reason": "spoiled"}]
    own["skips"] = [{"workload": "idioms.x", "subject": "b.v", "reason": "lacks something: it cannot"}]
    controls = [entry(reference, 20), entry("twin", 20), entry("delayed", 21.1)]
    return {"benchmarks": [*controls, entry("b.v", 40 + number / 10)], "cside": own}


def write_run(folder: Path, tier: str, *, processes: int, void: bool = False) -> None:
    """A run's files as the driver leaves them."""
    made = plan(tier)
    made.save(folder)
    (folder / "blocks").mkdir()
    for label in LABELS:
        for number in range(processes):
            path = folder / "blocks" / f"{label}-{number:02d}.json"
            path.write_text(json.dumps(block(label, number, void=void and number == 1)), encoding="utf-8")
    facts = {"version": "3", "compiler": "c", "pgo": False, "lto": None, "shared": True}
    recorded = {
        "started": "now",
        "commit": None,
        "machine": {"cpu": "c", "cpus": 1, "architecture": "a", "system": "s", "libc": "l", "governor": None},
        "process_environment": {"GLIBC_TUNABLES": "t"},
        "corpora": {"text": "0"},
        "interpreters": [{"label": label, **facts} for label in LABELS],
    }
    (folder / "environment.json").write_text(json.dumps(recorded), encoding="utf-8")


def test_summary_has_one_cell_each_and_obeys_its_schema(tmp_path: Path) -> None:
    """Ratios are paired, intervals between processes, verdicts from the default tier on."""
    write_run(tmp_path, "default", processes=10)
    summary = summarise(tmp_path)
    assert len(summary["cells"]) == 4 * len(LABELS)
    assert [entry["trustworthy"] for entry in summary["interpreters"]] == [True] * len(LABELS)
    cell = next(cell for cell in summary["cells"] if (cell["binding"], cell["variant"]) == ("b", "v"))
    assert cell["verdict"] == "slower"
    assert 2.0 < cell["ratio_low"] <= cell["ratio"] <= cell["ratio_high"] < 2.5
    assert cell["processes"] == 10
    assert cell["ns_net"] == pytest.approx(cell["ns_raw"] - 1)
    reference = next(cell for cell in summary["cells"] if cell["binding"] == Tier.named("quick").reference)
    assert (reference["ratio"], reference["verdict"]) == (1.0, "reference")


def test_a_run_that_fails_its_checks_ranks_nothing(tmp_path: Path) -> None:
    """A twin that is slower than itself: which check failed is said, and there are neither verdicts nor ranks."""
    write_run(tmp_path, "default", processes=10)
    for path in (tmp_path / "blocks").glob(f"{LABELS[0]}-*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        for entry in document["benchmarks"]:
            if entry["extra_info"]["subject"] == "twin":
                entry["stats"]["data"] = [value * 1.1 for value in entry["stats"]["data"]]
        path.write_text(json.dumps(document), encoding="utf-8")
    summary = summarise(tmp_path)
    assert [entry["trustworthy"] for entry in summary["interpreters"]] == [False, True, True]
    spoiled = [cell for cell in summary["cells"] if cell["interpreter"] == LABELS[0]]
    assert {(cell["verdict"], cell["rank"]) for cell in spoiled} == {("none", None)}
    assert "identical code differs from itself" in Report(Run.load(tmp_path)).markdown().lower()


def test_summary_of_the_quick_tier_gives_no_verdict(tmp_path: Path) -> None:
    """Three processes tell nothing apart, and the report says so first."""
    write_run(tmp_path, "quick", processes=3)
    assert {cell["verdict"] for cell in summarise(tmp_path)["cells"]} == {"none"}
    assert "numbers, no verdicts" in Report(Run.load(tmp_path)).markdown().splitlines()[2]


def test_a_cell_void_in_one_process_is_void_in_the_run(tmp_path: Path) -> None:
    """It has a reason and no numbers."""
    write_run(tmp_path, "default", processes=3, void=True)
    cells = [cell for cell in summarise(tmp_path)["cells"] if cell["binding"] == "b"]
    assert {cell["void"] for cell in cells} == {"spoiled"}
    assert all(cell["ratio"] is None and cell["ns_net"] is None and cell["processes"] == 0 for cell in cells)


def test_the_schema_refuses_what_is_not_documented(tmp_path: Path) -> None:
    """A summary with a stray or missing field is no summary."""
    write_run(tmp_path, "quick", processes=3)
    summary = summarise(tmp_path)
    schema = json.loads(files("cside_bench.summary").joinpath("summary.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(summary, schema)
    del summary["cells"][0]["void"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(summary, schema)


def test_the_report_shows_ratios_gaps_and_warnings(tmp_path: Path) -> None:
    """Everything that a reader has to know is on the page, and nothing is left unrendered."""
    write_run(tmp_path, "default", processes=10)
    summarise(tmp_path)
    text = Report(Run.load(tmp_path)).markdown()
    assert "b.v" in text
    assert "lacks something: it cannot" in text
    assert "without profile-guided optimisation" in text
    assert "cpython-3.14 is missing: not found. To install it: install it" in text
    assert "{{" not in text
    assert "{%" not in text


def test_report_command_redraws_and_explains_a_wrong_name(tmp_path: Path) -> None:
    """``cside report RUN`` works from raw files; a run that is not there is an error in words."""
    run = tmp_path / "run"
    run.mkdir()
    write_run(run, "quick", processes=3)
    runner = CliRunner()
    done = runner.invoke(main, ["report", "run", "--results", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert (run / "report.md").exists()
    wrong = runner.invoke(main, ["report", "nothing", "--results", str(tmp_path)])
    assert wrong.exit_code == 2
    assert "is no run" in wrong.output


def test_help_teaches_by_example() -> None:
    """Help names the commands that people type."""
    runner = CliRunner()
    assert "nox -s bench -- --quick" in runner.invoke(main, ["--help"]).output
    assert "--only codec.crc32" in runner.invoke(main, ["run", "--help"]).output


def test_times_have_units() -> None:
    """A number in the report is never bare."""
    assert [ns(value) for value in (None, 0.2, 25.04, 1500.0, 2.5e6, 3e9)] == [
        "—",
        "< 1 ns",
        "25 ns",
        "1.5 µs",
        "2.5 ms",
        "3 s",
    ]


def test_names_sort_by_their_numbers() -> None:
    """16 comes before 4096."""
    assert sorted(["crc32[4096]", "crc32[16]", "crc32[0]"], key=natural) == ["crc32[0]", "crc32[16]", "crc32[4096]"]
