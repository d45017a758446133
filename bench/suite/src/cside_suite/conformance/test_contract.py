# SPDX-License-Identifier: Apache-2.0
"""A binding's package declares its features, and its modules have the names of the contract and no others."""

import importlib.util
import inspect
import re
import typing
import zlib
from importlib import metadata, resources
from types import ModuleType
from typing import Any

import pytest

from cside_suite import contract
from cside_suite.conformance import partial
from cside_suite.conformance.pkcs11._pkcs11_table import ENUMERATIONS, FIELDS
from cside_suite.conformance.pkcs11.test_pkcs11_contract import header_constants
from cside_suite.contract import FEATURES, pkcs11
from cside_suite.contract import codec as contract_codec
from cside_suite.contract import idioms as contract_idioms
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms
from cside_suite.contract.pkcs11 import Pkcs11
from cside_suite.subjects.bindings import Implementation

NOUNS = [("idioms", Idioms, contract_idioms), ("codec", Codec, contract_codec), ("pkcs11", Pkcs11, pkcs11)]
"""Each noun with its protocol and the module that defines it."""

ZLIB_ONLY = {
    "BadPythonModule": "not of zlib; kept out of the way should a module leak it",
    "zlib_version": "of PyPy's zlib only, an alias of ZLIB_VERSION",
    "ZLIBNG_VERSION": "of CPython 3.14 with zlib-ng underneath; the engine here is zlib",
}
"""Public names of the ``zlib`` of some interpreter that ``codec`` does not have, with the reasons."""


def members(protocol: type) -> set[str]:
    """Return the public names of a protocol, and the one that is private in ``zlib`` and used by ``gzip``."""
    names = set(typing.get_type_hints(protocol)) | set(vars(protocol))
    return {name for name in names if not name.startswith("_") or name == "_ZlibDecompressor"}


def public(module: ModuleType) -> set[str]:
    """Return the public names of a module: its ``__all__``, or without one all names that it does not import."""
    if hasattr(module, "__all__"):
        return set(module.__all__)
    top = module.__name__.partition(".")[0]
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and (getattr(value, "__module__", None) or top).partition(".")[0] == top
    }


def there(package: str) -> set[str]:
    """Return the nouns of the contract for which a package has a module, whether or not that can be imported."""
    return {noun for noun in contract.NOUNS if importlib.util.find_spec(f"{package}.{noun}") is not None}


def test_features_and_gaps_cover_the_catalogue(implementation: Implementation) -> None:
    """Every feature of the contract is either offered or declared missing."""
    assert isinstance(implementation.features, frozenset)
    assert implementation.features | set(implementation.gaps) == set(FEATURES)
    assert not implementation.features & set(implementation.gaps)


def test_each_gap_has_a_reason(implementation: Implementation) -> None:
    """The reason for a missing feature is a sentence, not a word."""
    for feature, reason in implementation.gaps.items():
        assert isinstance(reason, str) and len(reason.split()) >= 3, f"{feature}: {reason!r}"


def test_version_is_that_of_the_distribution(implementation: Implementation) -> None:
    """``__version__`` is the version of the installed distribution."""
    version = implementation.package.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", version)
    assert metadata.version(implementation.distribution) == version


def test_package_is_typed(implementation: Implementation) -> None:
    """The top-level package contains ``py.typed``, so that type checkers read it."""
    top = implementation.target.partition(".")[0]
    assert resources.files(top).joinpath("py.typed").is_file()


def test_package_has_a_docstring_and_only_what_is_declared(implementation: Implementation) -> None:
    """The package has a docstring and exports nothing but ``features`` and ``gaps``."""
    package = implementation.package
    assert package.__doc__
    assert public(package) - {"__version__"} == {"features", "gaps"}


def test_nouns_are_there_unless_they_are_declared_missing(implementation: Implementation) -> None:
    """The package has a module for each noun, and none for a noun that is among its gaps, which it may leave out."""
    assert there(implementation.target) == set(implementation.nouns)


@pytest.mark.parametrize(("noun", "protocol"), [it[:2] for it in NOUNS], ids=[it[0] for it in NOUNS])
def test_module_has_every_name_of_the_contract(implementation: Implementation, noun: str, protocol: type) -> None:
    """A module has every name of the contract, also functions that it may refuse since a feature is missing."""
    module: Any = partial.noun(implementation, noun)
    assert {name for name in members(protocol) if not hasattr(module, name)} == set()
    assert members(protocol) <= set(getattr(module, "__all__", members(protocol)))


@pytest.mark.parametrize(("noun", "protocol", "promised"), NOUNS, ids=[it[0] for it in NOUNS])
def test_module_has_no_other_name(
    implementation: Implementation, noun: str, protocol: type, promised: ModuleType
) -> None:
    """A module has no names beyond the contract, except for its result types under the contract's names."""
    module = partial.noun(implementation, noun)
    types = {name for name, value in vars(promised).items() if inspect.isclass(value)}
    allowed = members(protocol) | {name for name in types if name not in {"Idioms", "Codec", "Pkcs11", "Protocol"}}
    if noun == "pkcs11":
        allowed |= {*ENUMERATIONS, *FIELDS, *header_constants()}
    assert public(module) <= allowed


@pytest.mark.parametrize("noun", [it[0] for it in NOUNS])
def test_all_is_importable(implementation: Implementation, noun: str) -> None:
    """Every name in ``__all__``, if there is one, exists and is listed once."""
    module: Any = partial.noun(implementation, noun)
    names = list(getattr(module, "__all__", ()))
    assert len(names) == len(set(names))
    for name in names:
        getattr(module, name)


def test_codec_has_every_public_name_of_zlib(codec: Codec) -> None:
    """``codec`` has every public name of this interpreter's ``zlib``."""
    missing = {name for name in public(zlib) if not hasattr(codec, name)}
    assert missing <= set(ZLIB_ONLY)


def test_codec_constants_are_those_of_zlib(codec: Codec) -> None:
    """Integer constants have the values of ``zlib``; only the versions of the engine may differ."""
    for name in public(zlib):
        value = getattr(zlib, name)
        if isinstance(value, int) and name != "DEF_BUF_SIZE":  # PyPy's buffers are larger
            assert getattr(codec, name) == value, name
    assert codec.DEF_BUF_SIZE == 16_384


def test_error_is_an_exception_of_this_binding(codec: Codec) -> None:
    """``error`` is a class of this name, derived from `Exception`, and not that of the standard library."""
    assert issubclass(codec.error, Exception)
    assert codec.error.__name__ == "error"
    assert codec.error is not zlib.error
    assert not issubclass(codec.error, (ArithmeticError, LookupError, OSError, RuntimeError, TypeError, ValueError))


def test_status_error_is_an_exception(idioms: Idioms) -> None:
    """``StatusError`` derives from `Exception`, and from none of the exceptions that other statuses become."""
    assert issubclass(idioms.StatusError, Exception)
    assert not issubclass(idioms.StatusError, (LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError))
