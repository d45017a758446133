# SPDX-License-Identifier: Apache-2.0
"""The docstrings of the contract, and their copies in the source files of bindings."""

from pathlib import Path

import pytest
from cside_bench.source import docstrings
from cside_bench.source.docstrings import Entry
from repository import ROOT

ENTRIES = [
    Entry("idioms", "noop", "Do nothing.", "noop($module, /)"),
    Entry("idioms", "Counter", "A counter.\n\nRaises `TypeError`.", "Counter(start=0, /)"),
    Entry("idioms", "Counter.add", "Add ``n``.\n\nRaises `TypeError`.", "add($self, n, /)"),
    Entry("pkcs11", "Module.C_Sign", "Sign.", "C_Sign($self, /)"),
]


def test_signatures_are_those_that_cpython_reads() -> None:
    """Functions are bound to a module, methods to an object, classes to nothing; defaults and keywords are kept."""
    found = {entry.path: entry.signature for entry in docstrings.contract(ROOT)}
    assert found["noop"] == "noop($module, /)"
    assert found["varargs_sum"] == "varargs_sum($module, /, *values)"
    assert found["decompress"] == "decompress($module, data, /, wbits=15, bufsize=16384)"
    assert found["Box"] == "Box()"
    assert found["Counter"] == "Counter(start=0, /)"
    assert found["Counter.add"] == "add($self, n, /)"
    assert found["Compress"] is None
    assert found["Module.version"] is None


def test_every_entry_is_of_one_place() -> None:
    """No name has two texts, and none is empty."""
    entries = docstrings.contract(ROOT)
    assert len({(entry.noun, entry.path) for entry in entries}) == len(entries)
    assert all(entry.text and '"""' not in entry.text and "\\" not in entry.text for entry in entries)


PYTHON = '''
def noop() -> None:
    # why
    _noop()


if PYPY:

    def noop() -> None:
        """Old."""


class Counter:
    """Old,
    on two lines.
    """

    def add(self, n: int) -> int:
        """Old."""

    def other(self) -> None:
        """Kept."""
'''
PYTHON_AFTER = '''
def noop() -> None:
    """Do nothing."""
    # why
    _noop()


if PYPY:

    def noop() -> None:
        """Do nothing."""


class Counter:
    """A counter.

    Raises `TypeError`.
    """

    def add(self, n: int) -> int:
        """Add ``n``.

        Raises `TypeError`.
        """

    def other(self) -> None:
        """Kept."""
'''
CYTHON = '''
def noop():
    cs_noop()


cdef class Counter:
    """Counter(x)
--

    Old."""

    cdef int handle

    def add(self, int n,
            /):
        """Old."""
        return n


def add(a):
    """Kept."""
'''
CYTHON_AFTER = '''
def noop():
    """Do nothing."""
    cs_noop()


cdef class Counter:
    """Counter(start=0, /)
--

    A counter.

    Raises `TypeError`.
    """

    cdef int handle

    def add(self, int n,
            /):
        """Add ``n``.

        Raises `TypeError`.
        """
        return n


def add(a):
    """Kept."""
'''


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("_idioms_x.py", PYTHON, PYTHON_AFTER), ("idioms_x.pxi", CYTHON, CYTHON_AFTER)],
    ids=["Python", "Cython"],
)
def test_docstrings_are_replaced_in_their_places(tmp_path: Path, name: str, before: str, after: str) -> None:
    """Each definition of the contract gets its text; all else stays, and a second time nothing changes."""
    path = tmp_path / name
    path.write_text(before, encoding="utf-8")
    assert docstrings.updated(path, ENTRIES) == after
    path.write_text(after, encoding="utf-8")
    assert docstrings.updated(path, ENTRIES) == after


def test_functions_of_a_base_class_are_those_of_the_module(tmp_path: Path) -> None:
    """The functions of PKCS #11 are methods of ``Module``, and may stand in a base class of it."""
    path = tmp_path / "_pkcs11_x.py"
    path.write_text('class Base:\n    def C_Sign(self):\n        """Old."""\n', encoding="utf-8")
    assert docstrings.updated(path, ENTRIES) == 'class Base:\n    def C_Sign(self):\n        """Sign."""\n'


def test_the_bindings_have_the_docstrings_of_the_contract() -> None:
    """What ``nox -s generate`` would change is nothing."""
    assert [str(path.relative_to(ROOT)) for path in docstrings.differing(ROOT)] == []
