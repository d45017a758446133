# SPDX-License-Identifier: Apache-2.0
"""Decisions of projects, and the profiles that are made of their facts."""

from pathlib import Path
from typing import Any

import pytest
from cside_bench.recommend import decisions
from cside_bench.recommend.decisions import Decision
from cside_bench.recommend.profiles import ProfileError
from profiles_of_tests import RULES

CASE = """
[[case]]
name = "ours"
technique_now = ["cffi"]
defensible = ["cffi", "cython"]
embarrassing = ["ctypes"]
facts = { functions = 40, %s }
"""


def one(facts: str) -> Decision:
    """A decision with these facts."""
    (found,) = decisions.parse(CASE % facts, "here")
    return found


def inputs(facts: str) -> dict[str, Any]:
    """What the facts became, without the sections of the file."""
    plain = decisions.profile(one(facts), RULES).plain()
    return {key: value for section in plain.values() for key, value in section.items()}


def test_those_that_ship_have_facts_answers_and_sources() -> None:
    """Each makes a profile, names an answer that experts accept and none that is both, and says where to read it."""
    found = decisions.shipped()
    assert len(found) == 12
    for it in found:
        assert decisions.profile(it, RULES).title == it.name
        assert not set(it.defensible) & set(it.embarrassing)
        assert set(it.embarrassing) <= set(RULES.techniques)
        assert it.source and it.reason and it.must_not_say


def test_facts_that_are_missing_have_the_defaults_of_a_profile() -> None:
    """Beside platforms, which are those with the most downloads, and kinds of call."""
    found = inputs("pypy = false")
    defaults = {name: it.default for name, it in RULES.choices.items()}
    assert {name: found[name] for name in defaults} == defaults
    assert found["calls_per_second"] == RULES.numbers["calls_per_second"].default
    assert found["interpreters"] == ["cpython"]
    assert set(found["platforms"]) == set(decisions.PLATFORMS)
    assert found["knows"] == []


@pytest.mark.parametrize(
    ("facts", "name", "value"),
    [
        ("pypy = true", "interpreters", ["cpython", "pypy"]),
        ("abi3 = true", "new_pythons", "work"),
        ("c_loop = true", "elements_per_loop", decisions.LOOP),
        ("numpy = true", "elements_per_loop", 1.0),
        ("c_plus_plus = true", "language", "c++"),
        ("c_plus_plus = true, own_c_layer = true", "language", "c-layer"),
        ('library = "bundled", own_c_layer = true', "library", "same-repository"),
        ("own_c_layer = true", "knows", ["c"]),
        ('library = "system or bundled"', "library", "bundled"),
        ('library = "system or bundled", wheels = "none"', "library", "system"),
        ('compiler_at_install = "sometimes"', "compiler_at_install", "sometimes"),
        ("calls_per_second = 5", "calls_per_second", 5.0),
    ],
)
def test_a_fact_becomes_an_input(facts: str, name: str, value: object) -> None:
    """By the rules of docs/backtest.md."""
    assert inputs(facts)[name] == value


def test_large_interfaces_are_generated() -> None:
    """From the number of functions on that the module states."""
    text = CASE.replace("functions = 40", f"functions = {decisions.GENERATED_FROM}") % "pypy = false"
    (large,) = decisions.parse(text, "here")
    assert decisions.profile(large, RULES).choices["declarations"] == "generated"
    assert inputs("pypy = false")["declarations"] == "written"


def test_kinds_of_call_follow_structs_callbacks_and_tables() -> None:
    """Unknown structs have a share, opaque ones none; callbacks and tables have theirs."""
    assert "structs" not in inputs('structs = "opaque"')["idioms"]
    assert 0 < inputs("structs = 2")["idioms"]["structs"] < inputs("pypy = false")["idioms"]["structs"]
    few, many = (inputs(f"structs = {number}")["idioms"]["structs"] for number in (4, 4000))
    assert few < many < 0.4
    assert {"callbacks", "table"} <= set(inputs("callbacks = 1, function_table = true")["idioms"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no decisions"),
        ("[[case]", "is not valid TOML"),
        ('[[case]]\nname = "x"', "case 1 (x): technique_now is missing"),
        (CASE % "speed = 3", "there is no fact 'speed'"),
        (CASE.replace("embarrassing", "awkward") % "pypy = true", "embarrassing is missing"),
        (CASE.replace('["cffi", "cython"]', "[]") % "pypy = true", "defensible is empty"),
        (CASE.replace('["cffi", "cython"]', '"cffi"') % "pypy = true", "it has to be a list of names"),
    ],
)
def test_a_file_that_cannot_be_understood_says_where_and_why(text: str, told: str, tmp_path: Path) -> None:
    """With the file, the number and the name of the case."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError) as raised:
        decisions.read(path)
    assert told in str(raised.value) and str(path) in str(raised.value)


def test_a_fact_that_no_profile_may_have_names_the_project() -> None:
    """The message is that of the profile."""
    with pytest.raises(ProfileError, match="ours: crashes is 'often'"):
        inputs('crashes = "often"')


def test_decisions_are_found_by_a_part_of_their_names() -> None:
    """In any case; a part that none has is refused with the names that there are."""
    known = decisions.shipped()
    assert [it.name for it in decisions.named(known, ["PYZMQ", "vips"])] == ["pyvips", "pyzmq"]
    assert decisions.named(known, []) == known
    with pytest.raises(ProfileError, match="there is no decision 'neither'; there are: pyca/cryptography"):
        decisions.named(known, ["neither"])
