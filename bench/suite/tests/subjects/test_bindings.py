# SPDX-License-Identifier: Apache-2.0
"""Bindings are found by their entry points, and have the nouns that they do not declare missing."""

import sys
from pathlib import Path

import pytest
from binding_without_a_noun import REASON, install
from cside_suite.contract import NOUNS
from cside_suite.subjects.bindings import BindingError, Implementation, discover


def found(folder: Path, monkeypatch: pytest.MonkeyPatch, **how: bool) -> Implementation:
    """The binding without a noun, installed and discovered."""
    name = install(folder, **how)
    monkeypatch.syspath_prepend(str(folder))
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)  # of an earlier test
    (one,) = discover([name])
    return one


def test_a_noun_that_is_declared_missing_is_none_of_its_nouns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are, and can be used."""
    one = found(tmp_path, monkeypatch)
    assert one.nouns == ("idioms", "codec")
    assert one.lacks("pkcs11") == REASON
    assert one.lacks("codec") is None
    assert one.codec.crc32(b"data") == one.codec.crc32(b"data", 0)


def test_asking_for_it_is_an_error_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if there is a module of its name, which nothing has declared."""
    one = found(tmp_path, monkeypatch, present=True)
    with pytest.raises(BindingError, match=f"'halfbound' has no pkcs11: {REASON}"):
        _ = one.pkcs11


def test_a_binding_that_declares_no_gap_has_every_noun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a module is not there, that is an error and no gap."""
    one = found(tmp_path, monkeypatch, declared=False)
    assert one.nouns == NOUNS
    with pytest.raises(BindingError, match=r"cannot import halfbound\.pkcs11"):
        _ = one.pkcs11


def test_the_nouns_of_a_partial_variant_are_those_of_its_functions() -> None:
    """Whatever its whole binding has."""
    partial = [one for one in discover(partial=True) if one.partial]
    assert partial
    assert {one.nouns for one in partial} == {("idioms", "codec")}
    assert {one.lacks("pkcs11") for one in partial} == {None}
