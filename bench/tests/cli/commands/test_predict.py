# SPDX-License-Identifier: Apache-2.0
"""``cside predict`` as it is typed."""

import json
from pathlib import Path

import pytest
import small_library
from command import cside
from cside_bench.results.evidence import Run
from cside_bench.summary import shapes
from cside_wrap.profile import document as profile
from cside_wrap.profile.document import Function
from synthetic_shapes import COSTS, LABEL, OTHER, write

PROTOTYPE = "int f(const char *text, size_t n, double *out)"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of two interpreters."""
    folder = tmp_path_factory.mktemp("results")
    found = write(folder / "run", labels=(LABEL, OTHER), noise=0.01, held_out=lambda key: 1.0 + len(key) % 3)
    shapes.write(Run.load(found.folder))
    return folder


def test_it_says_what_it_assumed_what_it_costs_and_how_far_it_may_be_off(results: Path) -> None:
    """On 100 columns, for each interpreter."""
    done = cside("predict", PROTOTYPE, "--run", "run", "--results", results)
    assert done.exit_code == 0, done.output
    for said in ("bytes (assumed)", "length (assumed)", "out (assumed)", "status (assumed)", LABEL, OTHER, "/ cext"):
        assert said in done.output, said
    assert "missed by" in done.output and "--native-ns" in done.output and "--argument NAME=ROLE" in done.output
    assert max(map(len, done.output.splitlines())) <= 100


def test_json_has_the_same(results: Path) -> None:
    """With the shape, and the parts of each price."""
    done = cside("predict", PROTOTYPE, "--run", "run", "--results", results, "--json", "--python", "3.14")
    found = json.loads(done.stdout)
    assert found["shape"] == {"call": 1, "wrapped": 1, "buffer": 1, "out": 1, "number": 1}
    (entry,) = found["interpreters"]
    assert [it["subject"] for it in entry["prices"]] == ["cext", "cffi", "ctypes"]
    cost = sum(COSTS[it] for it in ("call", "wrapped", "buffer", "out", "number"))
    assert entry["prices"][0]["ns"] == pytest.approx(entry["native_ns"] + cost, rel=0.05)
    assert [it["role"] for it in found["arguments"]] == ["bytes", "length", "out", "status"]


def test_without_a_run_the_one_that_ships_is_named_as_another_machines(tmp_path: Path) -> None:
    """It is said before the first line, and in the JSON."""
    words = ["predict", "--results", str(tmp_path)]
    for wanted in ("int f(int a)", "--errors"):
        assert cside(*words, wanted).stdout.lstrip().startswith("Another machine's numbers")
    assert json.loads(cside(*words, "int f(int a)", "--json").stdout)["another_machine"]


def test_options_say_otherwise(results: Path) -> None:
    """Of arguments, of the result, of C's own time and of the GIL."""
    options = ["--out", "n", "--argument", "text=text", "--returns", "none", "--native-ns", "500", "--gil", "released"]
    done = cside("predict", "int f(const char *text, int *n)", *options, "--run", "run", "--results", results, "--json")
    found = json.loads(done.stdout)
    assert [(it["role"], it["assumed"]) for it in found["arguments"]] == [
        ("text", False), ("out", False), ("none", False),
    ]  # fmt: skip
    assert found["shape"]["released"] == 1 and "wrapped" in found["shape"]
    assert all(it["native_ns"] == 500 for it in found["interpreters"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["int f(const char *format, ...)"], "f is variadic"),
        (["int f(int (*cb)(int))"], "function pointer without a typedef"),
        (["no C at all"], "not a declaration that can be read"),
        (["int f(int a)", "--argument", "a"], "as in --argument data=bytes"),
        (["int f(int a)", "--argument", "b=out"], "f has no argument b"),
        (["int f(int a)", "--python", "2.7"], "none that --python names"),
        (["int f(int a)", "--errors"], "give a prototype"),
        ([], "give a prototype"),
        (["int f(int a)", "--run", "gone"], "gone is no run"),
    ],
)
def test_wrong_input_is_refused_with_what_to_type(results: Path, words: list[str], says: str) -> None:
    """The exit code is 2, and nothing is on standard output."""
    done = cside("predict", *([] if "--run" in words else ["--run", "run"]), *words, "--results", results)
    assert done.exit_code == 2 and says in done.output, done.output


def test_a_run_of_an_older_version_says_how_to_compute_its_costs(tmp_path: Path) -> None:
    """Its files have none."""
    write(tmp_path / "older")
    for words in (["int f(int a)"], ["--errors"]):
        done = cside("predict", *words, "--run", "older", "--results", tmp_path)
        assert done.exit_code == 2 and "cside report older" in done.output


def test_what_one_interpreter_cannot_price_is_priced_on_the_other(tmp_path: Path) -> None:
    """And a run without any price says why."""
    run = write(tmp_path / "run", labels=(LABEL, OTHER))
    shapes.write(Run.load(run.folder))
    path = run.folder / "shapes.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    told = []
    for entry in reversed(document["interpreters"]):
        for approach in entry["approaches"]:
            approach["reason"] = "nothing was measured"
        path.write_text(json.dumps(document), encoding="utf-8")
        told.append(cside("predict", "int f(int a)", "--run", "run", "--results", tmp_path))
    one, none = told
    assert one.exit_code == 0 and one.output.count("nothing was measured") == 3, one.output
    assert none.exit_code == 2 and "has no price for f: nothing was measured" in none.output


def test_the_errors_of_a_run_are_a_table(results: Path) -> None:
    """And a document, which is that of the run's file."""
    done = cside("predict", "--errors", "--run", "run", "--results", results)
    assert done.exit_code == 0, done.output
    assert "idiom left out" in done.output and "further native call" in done.output
    told = cside("predict", "--errors", "--run", "run", "--results", results, "--python", "3.14", "--json")
    assert [it["label"] for it in json.loads(told.stdout)["interpreters"]] == [LABEL]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of the small library, with a profile of it."""
    small_library.build(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cside("init", "--header", "box.h", "--library", "./libbox.so", "prj").exit_code == 0
    functions = {"box_count": Function(90, 10.0), "box_sum": Function(10, 600.0), "box_print": Function(4, None)}
    profile.write(Path("prj"), profile.Profile(("python", "app.py"), 0, 0.001, 1, ("libbox.so",), 9.0, functions))
    return Path("prj")


def test_a_project_is_priced_by_its_profile(results: Path, project: Path) -> None:
    """Each called function, the mean of all calls, and what is not bound and has no price."""
    words = ("predict", project, "--run", "run", "--results", results, "--python", "3.14")
    done = cside(*words)
    assert done.exit_code == 0, done.output
    for said in (
        "100 calls of 2 of them were counted: python app.py",
        "4 calls of functions that are not bound",
        "adds",
    ):
        assert said in done.output, said
    assert max(map(len, done.output.splitlines())) <= 100
    found = json.loads(cside(*words, "--json").stdout)
    assert [(it["name"], it["native_ns"]) for it in found["functions"]] == [("box_count", 10.0), ("box_sum", 600.0)]
    (entry,) = found["interpreters"]
    cext = entry["mix"]["prices"][0]
    total = sum(it["calls"] * row["cext"]["ns"] for it, row in zip(found["functions"], entry["functions"], strict=True))
    assert cext["ns"] == pytest.approx(total / 100)
    assert cext["overhead"] == pytest.approx((cext["ns"] - 69) * 100 / (1e6 - 6900))


def test_a_project_without_a_profile_is_priced_by_shape(results: Path, project: Path) -> None:
    """Functions of one shape are one row; all are in the JSON."""
    (project / "profile.toml").unlink()
    words = ("predict", project, "--run", "run", "--results", results)
    done = cside(*words)
    assert done.exit_code == 0 and "alike" in done.output and "cside profile" in done.output
    found = json.loads(cside(*words, "--json", "--only", "box_k*").stdout)
    assert [it["name"] for it in found["functions"]] == ["box_keep", "box_kept"]
    assert found["profile"] is None and found["interpreters"][0]["mix"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prj", "--only", "zstd*"), "no function of box is zstd*"),
        (("prj", "--native-ns", "5"), "overrides.toml says"),
        ((".",), "there is no cside.toml"),
        (("int f(int a)", "--only", "f"), "give its folder"),
    ],
)
def test_what_does_not_fit_a_project_is_told(results: Path, project: Path, words: tuple[str, ...], said: str) -> None:
    """Before anything is priced."""
    done = cside("predict", *words, "--run", "run", "--results", results)
    assert done.exit_code == 2 and said in done.output, done.output
