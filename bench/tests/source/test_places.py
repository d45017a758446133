# SPDX-License-Identifier: Apache-2.0
"""Every function of the contract has an address: its files are found by the stem of its group."""

import pytest
from cside_bench.source.places import UnknownName, bindings, files, nouns, places, resolve
from cside_suite.contract import Codec, Idioms
from cside_suite.contract._pkcs11_functions import FUNCTIONS
from cside_suite.subjects.groups import C_NAMES, GROUPS, stem_of
from repository import ROOT

NAMES = [name for names in GROUPS.values() for name in names]
HAND_WRITTEN = [name for name in NAMES if name not in FUNCTIONS]


def public(protocol: type) -> set[str]:
    """Functions and classes of a protocol; constants are in capitals or end in a number of bytes."""
    return {name for name in vars(protocol) if not name.startswith("_") and not name.isupper()} - {"error"}


def test_the_groups_are_the_contract() -> None:
    """Each function and class is in one group, and no group has a name that the contract lacks."""
    assert len(NAMES) == len(set(NAMES))
    for protocol, noun in ((Idioms, "idioms"), (Codec, "codec")):
        listed = {name for stem, names in GROUPS.items() if stem.startswith(noun) for name in names}
        assert listed == public(protocol)
    assert set(C_NAMES) <= set(NAMES)


@pytest.mark.parametrize("name", [*HAND_WRITTEN, "C_GetInfo", "C_Sign"])
def test_a_name_has_a_place_in_c_in_every_binding_of_its_noun_in_the_contract_and_in_a_test(name: str) -> None:
    """So that `cside source` answers for all of them, and a file that is renamed is noticed."""
    kinds = {place.what for place in places(ROOT, name)}
    noun = stem_of(name).partition("_")[0]
    offering = [binding for binding in bindings(ROOT) if noun in nouns(ROOT, binding)]
    assert offering
    assert {"contract", "test", "C declaration", *offering} <= kinds


@pytest.mark.parametrize("stem", [stem for stem in GROUPS if stem.startswith(("idioms", "codec"))])
def test_every_binding_has_a_file_of_the_stem(stem: str) -> None:
    """One address: the same stem in all of them."""
    assert [name for name in bindings(ROOT) if not files(ROOT, name, stem)] == []


@pytest.mark.parametrize("text", ["each_call", "idioms.each_call", "cs_each_call", "each_call()"])
def test_a_name_may_be_given_in_any_of_its_forms(text: str) -> None:
    """In Python, with its noun, and in C."""
    assert resolve(text) == "each_call"


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    """The error says what there is."""
    with pytest.raises(UnknownName, match="string_repeat"):
        resolve("string_repet")
