# SPDX-License-Identifier: Apache-2.0
"""The catalogue of claims that ships, and what is said about entries that cannot be read."""

import ast
import importlib
import itertools
import json
import re
import tomllib
from fnmatch import fnmatchcase
from importlib.resources import files

import pytest
from cside_bench.claims import choosing, judging, timings, wording
from cside_bench.claims.catalogue import Catalogue, CatalogueError
from cside_bench.claims.fields import COMMON, KINDS
from cside_bench.recommend import rules
from cside_bench.statistics import sizes
from cside_bench.summary import sizes as summary_sizes
from cside_bench.summary import threads
from cside_suite import contract
from cside_suite.process.threads import calls as threads_calls
from cside_suite.subjects.names import REFERENCES
from repository import ROOT
from synthetic_claims import entry


def names_of(noun: str) -> set[str]:
    """Every workload of a noun, from the suite's own parametrisation."""
    module = importlib.import_module(f"cside_suite.workloads.test_{noun}")
    found = set()
    for name, function in vars(module).items():
        if name.startswith("test_") and callable(function):
            marks = [it for it in getattr(function, "pytestmark", []) if it.name == "parametrize"]
            base = f"{noun}.{name.removeprefix('test_')}"
            for values in itertools.product(*([str(value) for value in it.args[1]] for it in marks)):
                found.add(f"{base}[{'-'.join(values)}]" if values else base)
    return found


def known_subjects() -> set[str]:
    """Bindings and variants that the folders of ``bindings/`` declare."""
    found: set[str] = set()
    for path in (ROOT / "bindings").glob("*/pyproject.toml"):
        points = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["entry-points"]
        found |= set(points.get("cside.bindings", {})) | set(points.get("cside.variants", {}))
    return found


def floor_functions() -> dict[str, str]:
    """``FUNCTIONS`` of the module of the floor, which cannot be imported where the suite is not installed."""
    path = ROOT / "bench/suite/src/cside_suite/process/floor.py"
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "FUNCTIONS" and node.value is not None:
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    pytest.fail(f"{path} has no FUNCTIONS")


@pytest.fixture(scope="module")
def shipped() -> Catalogue:
    """The catalogue of the package."""
    return Catalogue.shipped()


@pytest.mark.filterwarnings("ignore:Unknown pytest.mark")  # those of the suite, of which nothing is run here
def test_every_pattern_of_the_catalogue_matches_a_workload_of_the_suite(shipped: Catalogue) -> None:
    """No claim is about a workload that does not exist, be it in a set, an exception or a list of its own."""
    known = names_of("idioms") | names_of("codec")
    tree = ast.parse(files("cside_suite.workloads").joinpath("test_pkcs11.py").read_text(encoding="utf-8"))
    bases = {
        f"pkcs11.{node.name.removeprefix('test_')}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    patterns = [it for chosen in shipped.sets.values() for it in (*chosen.patterns, *chosen.without)]
    for claim in shipped.claims:
        patterns += [it for field in ("workloads", "except") for it in claim.rule.get(field) or ()]
        patterns += [claim.rule[field].replace("[", "[[]") for field in ("workload", "minus") if field in claim.rule]
    wrong = [
        it
        for it in patterns
        if not it.startswith("@")
        and not any(fnmatchcase(name, it) for name in known)
        and it.partition("[")[0] not in bases
    ]
    assert wrong == []


def test_every_subject_of_the_catalogue_is_a_binding_a_variant_or_a_floor(shipped: Catalogue) -> None:
    """Claims compare what the checkout has, or a technique that the rules of recommendations describe."""
    named = {it for claim in shipped.claims for field in ("subject", "against") for it in claim.rule.get(field) or ()}
    assert named - {"*"} <= known_subjects() | set(REFERENCES) | set(rules.load().techniques)


@pytest.mark.filterwarnings("ignore:Unknown pytest.mark")  # those of the suite, of which nothing is run here
def test_no_claim_is_about_more_than_twice_the_calls_that_its_subjects_offer(shipped: Catalogue) -> None:
    """A partial variant offers the functions of KNOBS; the set of a claim about one is not all calls."""
    partial = {
        name
        for path in (ROOT / "bindings").glob("*/pyproject.toml")
        for name in tomllib.loads(path.read_text(encoding="utf-8"))["project"]["entry-points"].get("cside.variants", ())
    }
    known = sorted(names_of("idioms") | names_of("codec"))
    offered = set(choosing.workloads(known, ["@knobs"], (), shipped.sets))
    assert len(offered) >= len(contract.KNOBS["idioms"])
    for claim in shipped.claims:
        subjects = {*(claim.rule.get("subject") or ()), *(claim.rule.get("against") or ())}
        if claim.kind == "ratio" and subjects & partial:
            chosen = choosing.workloads(known, claim.rule["workloads"], claim.rule["except"], shipped.sets)
            assert len(offered & set(chosen)) >= timings.LEAST_COVERED * len(chosen), claim.id


def test_the_floor_by_libffi_exists_for_what_the_claim_about_it_names(shipped: Catalogue) -> None:
    """Its workloads are those of which the floor has a function, and this function a loop by libffi."""
    (claim,) = (it for it in shipped.claims if "floor.ffi" in (it.rule.get("against") or ()))
    source = (ROOT / "native/floor/floor.c").read_text(encoding="utf-8")
    loops = set(re.findall(r"^FFI_LOOP\((\w+),", source, re.MULTILINE))
    functions = floor_functions()
    for it in claim.rule["workloads"]:
        name = it.replace("[[]", "[")
        assert functions.get(name, functions.get(name.partition("[")[0])) in loops, it


def test_families_and_calls_of_the_catalogue_are_those_that_are_measured(shipped: Catalogue) -> None:
    """Sweeps are the models' own, calls in threads those of the thread measurement."""
    families = {f"{name}{suffix}" for name, suffix in summary_sizes.FAMILIES}
    calls = {f"idioms.spin_{kind}[{steps}]" for kind in ("held", "released") for steps in (1, 100000)} | {
        f"codec.crc32[{threads_calls.SHORT_NBYTES}]",
        f"codec.crc32[{threads_calls.LONG_NBYTES}]",
        f"codec.compress[{threads_calls.COMPRESSED_NBYTES}]",
    }
    for claim in shipped.claims:
        assert set(claim.rule.get("families") or ()) <= families
        assert all(any(fnmatchcase(call, it) for call in calls) for it in claim.rule.get("calls") or ())


def test_every_claim_has_a_source_that_can_be_opened_or_says_that_it_is_folklore(shipped: Catalogue) -> None:
    """An address, or the word; and no two claims are the same."""
    for claim in shipped.claims:
        assert claim.source.where.startswith("https://") != (claim.source.title == "folklore"), claim.id
    assert len({claim.title for claim in shipped.claims}) == len(shipped.claims)


def test_the_claims_that_the_project_set_out_to_test_are_all_there(shipped: Catalogue) -> None:
    """Each stands in the catalogue by its title."""
    words = (
        "cffi outperforms ctypes under PyPy",
        "cffi is comparable to ctypes under CPython",
        "Cython performs like hand-written C",
        "SWIG's overhead is excessive when Python is the only target",
        "A C extension does not fit other interpreters",
        "ctypes runs everywhere",
        "Accessing C structs in ctypes is cumbersome",
        "Accessing C structs in ctypes is slow",
        "PyPy runs cpyext slowly",
        "abi3 costs a C extension speed",
        "Releasing the GIL is free for long calls",
        "The cost per call stops mattering over a few KiB",
    )
    assert set(words) <= {claim.title for claim in shipped.claims}


def test_the_catalogue_uses_every_kind_of_hypothesis(shipped: Catalogue) -> None:
    """None is there for its own sake."""
    assert {claim.kind for claim in shipped.claims} == set(KINDS)


def test_the_schema_knows_every_kind() -> None:
    """A kind of hypothesis that judging has is one that claims.json may hold."""
    schema = json.loads(files("cside_bench.claims").joinpath("claims.schema.json").read_text(encoding="utf-8"))
    assert schema["$defs"]["claim"]["properties"]["kind"]["enum"] == list(judging.KINDS)
    assert set(judging.KINDS) == set(KINDS)


def test_limits_that_two_rooms_write_down_are_the_same() -> None:
    """Claims may not import the summary: they repeat when sizes are near each other, and when threads are judged."""
    assert f"{100 * sizes.WITHIN:.0f} %" == wording.WITHIN
    assert timings.CEILING == threads.CEILING


def test_the_manual_has_every_field_and_an_entry_that_can_be_read(shipped: Catalogue) -> None:
    """What docs/claims.md shows is a claim, and no field of a hypothesis is left out of its tables."""
    manual = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    example = manual.partition("```toml\n")[2].partition("```")[0]
    assert len(Catalogue.parse(example, "the manual", shipped).claims) == len(shipped.claims) + 1
    names = {*COMMON, *KINDS, *(field for fields in KINDS.values() for field in fields)}
    assert [name for name in sorted(names) if f"`{name}`" not in manual] == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[[claim]\n", ["mine.toml is not valid TOML"]),
        (entry(direction="quicker"), ["claim 1 (a-claim)", "direction is 'quicker'", "allowed: faster, slower"]),
        (entry("ratios"), ["kind is 'ratios'", "allowed: ratio, difference, available"]),
        (entry(worklods=["*"]), ["worklods is no field of it; did you mean workloads?"]),
        (entry(without=("share",)), ["share is missing: a hypothesis of kind ratio needs it"]),
        (entry(share="some"), ["share is 'some'", "all, most, half"]),
        (entry(share=1.5), ["share is 1.5", "above 0 and up to 1"]),
        (entry(factor=2), ["factor does not go with slower"]),
        (entry(direction="at-least-factor"), ["factor is missing: at-least-factor needs it"]),
        (entry(direction="equivalent", factor=0.9), ["factor has to be above 1"]),
        (entry(workloads=["@cals"]), ["workloads names @cals, which is no set"]),
        (entry(workloads=[]), ["workloads is []", "a list of texts"]),
        (entry(where="some"), ["where is 'some'", "allowed: every, any"]),
        (entry(name="A claim"), ["id is 'A claim'", "small letters"]),
        (entry() + entry(), ["claim 2 (a-claim)", "there is a claim of this id already"]),
        (entry().replace('title = "A claim"\n', ""), ["claim 1 (a-claim): title is missing"]),
        (entry().replace("{ title", "{ titles"), ["titles is no field of it; did you mean title?"]),
        ('[[claim]]\nid = "x"\ntitle = "x"\ntext = "x"\nsource = "article"\n', ["'article' is not under [sources]"]),
        ('[[claim]]\nid = "x"\ntitle = "x"\ntext = "x"\n', ["source is missing", "hypothesis is missing"]),
        (
            entry("difference", workload="a", minus="b", subject="*", direction="at-most", ns=1, percent=1),
            ["one of ns and percent is needed, and not both"],
        ),
        (entry("cost", measure="lines", subject="a", direction="at-most-factor"), ["factor and against missing"]),
        (entry("cost", measure="lines", subject="a", direction="at-most"), ["value missing"]),
        ("[claims]\n", ["claims is no field of it; did you mean claim?"]),
    ],
)
def test_what_is_wrong_with_an_entry_is_said_with_what_is_allowed(content: str, says: list[str]) -> None:
    """The file, the entry, the field, what stands there, what may."""
    with pytest.raises(CatalogueError) as caught:
        Catalogue.parse(content, "mine.toml")
    assert all(text in str(caught.value) for text in ["mine.toml", *says]), str(caught.value)


def test_all_that_is_wrong_is_said_at_once() -> None:
    """Two entries with three mistakes give three lines."""
    content = entry(direction="quicker", share=2) + entry("x", name="other")
    with pytest.raises(CatalogueError) as caught:
        Catalogue.parse(content, "mine.toml")
    assert len(str(caught.value).splitlines()) == 3
