# SPDX-License-Identifier: Apache-2.0
"""``shapes.toml``: every workload of the catalogue has a shape or a reason, and shapes agree with the contract."""

import json
import subprocess
import sys
from typing import Any

import pytest
from cside_bench.results.shapes import RELEASED, keys, kind, load

KNOWN = load()
ALONE = {RELEASED, "struct_value", "element", "element_out", "item", "callback", "callback_call", "error"}
"""Terms that only one function of the catalogue has."""


@pytest.fixture(scope="module")
def catalogue() -> list[dict[str, Any]]:
    """Every workload of every tier, collected by a pytest of its own."""
    words = [sys.executable, "-I", "-m", "cside_suite.process.inventory", "workloads"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_every_workload_has_a_shape_or_a_reason(catalogue: list[dict[str, Any]]) -> None:
    """A new workload is not left out by accident."""
    assert [it["name"] for it in catalogue if KNOWN.key(it["name"]) is None] == []


def test_every_entry_is_of_a_workload_and_in_one_table(catalogue: list[dict[str, Any]]) -> None:
    """An entry that stands for nothing is a mistake in its name."""
    used = {KNOWN.key(it["name"]) for it in catalogue}
    entries = [*KNOWN.fitted, *KNOWN.held_out, *KNOWN.left_out]
    assert sorted(set(entries) - used) == [] and len(entries) == len(set(entries))


def test_only_idioms_are_fitted_and_none_is_held_out() -> None:
    """So codec and PKCS #11 say what a prediction of an unknown library is worth."""
    assert {it.partition(".")[0] for it in KNOWN.fitted} == {"idioms"}
    assert {it.partition(".")[0] for it in KNOWN.held_out} == {"codec", "pkcs11"}


def test_the_gil_is_released_where_the_contract_says(catalogue: list[dict[str, Any]]) -> None:
    """A shape counts releases if and only if the workload's calls release the GIL, at whatever size."""
    releasing = {KNOWN.key(it["name"]) for it in catalogue if it["gil"] == "released"}
    shapes = {**KNOWN.fitted, **KNOWN.held_out}
    assert {key for key, shape in shapes.items() if RELEASED in shape} == releasing & set(shapes)


def test_each_term_is_fitted_by_some_call() -> None:
    """A term that only held-out calls have could not be priced."""
    assert {it.name for it in KNOWN.terms} == {term for shape in KNOWN.fitted.values() for term in shape}
    assert {it.like for it in KNOWN.terms} - {""} <= {it.name for it in KNOWN.terms}


def test_terms_of_one_function_alone_are_known() -> None:
    """Only calls that are held out can tell whether such a cost is more than one function's peculiarity."""
    functions = {it.name: {kind(key) for key, shape in KNOWN.fitted.items() if it.name in shape} for it in KNOWN.terms}
    assert {name for name, found in functions.items() if len(found) == 1} == ALONE


def test_shapes_are_counts_of_calls() -> None:
    """A program of several calls has as many of each part, and no more calls that are wrapped than calls."""
    for key, shape in {**KNOWN.fitted, **KNOWN.held_out}.items():
        assert all(count > 0 and float(count).is_integer() for count in shape.values()), key
        assert shape.get("wrapped", 0) <= shape.get("call", 0), key
        assert shape.get(RELEASED, 0) <= shape.get("call", 0) + shape.get("native", 0), key


def test_keys_go_from_the_whole_name_to_the_function() -> None:
    """The module of PKCS #11 and sizes may be left out of a key."""
    assert keys("pkcs11.find[10-token]") == ["pkcs11.find[10-token]", "pkcs11.find[10]", "pkcs11.find"]
    assert keys("idioms.noop") == ["idioms.noop"]
    assert keys("codec.crc32[16]") == ["codec.crc32[16]", "codec.crc32"]
    assert kind("pkcs11.find[10-token]") == "pkcs11.find"
