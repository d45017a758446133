# SPDX-License-Identifier: Apache-2.0
"""A binding's package: what it declares, and that its modules have the contract's names and no others."""

import contextlib
import inspect
import re
import typing
import zlib
from importlib import metadata, resources
from types import ModuleType
from typing import Any

import pytest

from cside_suite.conformance.pkcs11._pkcs11_table import ENUMERATIONS, FIELDS
from cside_suite.contract import FEATURES, pkcs11
from cside_suite.contract import codec as contract_codec
from cside_suite.contract import idioms as contract_idioms
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms
from cside_suite.contract.pkcs11 import Pkcs11
from cside_suite.subjects.bindings import Implementation

NOUNS = [("idioms", Idioms, contract_idioms), ("codec", Codec, contract_codec), ("pkcs11", Pkcs11, pkcs11)]

ZLIB_ONLY = {
    "BadPythonModule": "not of zlib; kept out of the way should a module leak it",
    "zlib_version": "of PyPy's zlib only, an alias of ZLIB_VERSION",
    "ZLIBNG_VERSION": "of CPython 3.14 with zlib-ng underneath; the engine here is zlib",
}
"""Public names of some interpreter's ``zlib`` that ``codec`` does not have, and why."""


def members(protocol: type) -> set[str]:
    """Public names that a protocol asks for."""
    names = set(typing.get_type_hints(protocol)) | set(vars(protocol))
    return {name for name in names if not name.startswith("_")}


def public(module: ModuleType) -> set[str]:
    """Names that the module offers: its ``__all__``, or without one all that it does not merely import."""
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


def test_features_and_gaps_cover_the_catalogue(implementation: Implementation) -> None:
    """Every feature of the contract is either offered or declared missing."""
    assert isinstance(implementation.features, frozenset)
    assert implementation.features | set(implementation.gaps) == set(FEATURES)
    assert not implementation.features & set(implementation.gaps)


def test_each_gap_has_a_reason(implementation: Implementation) -> None:
    """What is missing is explained in a sentence, not with a word."""
    for feature, reason in implementation.gaps.items():
        assert isinstance(reason, str) and len(reason.split()) >= 3, f"{feature}: {reason!r}"


def test_version_is_that_of_the_distribution(implementation: Implementation) -> None:
    """``__version__`` tells which release is installed."""
    version = implementation.package.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", version)
    assert metadata.version(implementation.distribution) == version


def test_package_is_typed(implementation: Implementation) -> None:
    """Type checkers read the package: it carries ``py.typed``, at its top at least."""
    top = implementation.target.partition(".")[0]
    assert resources.files(top).joinpath("py.typed").is_file()


def test_package_has_a_docstring_and_only_what_is_declared(implementation: Implementation) -> None:
    """The package explains itself and exports nothing but ``features`` and ``gaps``."""
    package = implementation.package
    assert package.__doc__
    assert public(package) - {"__version__"} == {"features", "gaps"}


@pytest.mark.parametrize(("noun", "protocol"), [it[:2] for it in NOUNS], ids=[it[0] for it in NOUNS])
def test_module_has_every_name_of_the_contract(implementation: Implementation, noun: str, protocol: type) -> None:
    """Nothing that the contract names is missing, not even what a feature lets a binding refuse."""
    module: Any = implementation.noun(noun)
    assert {name for name in members(protocol) if not hasattr(module, name)} == set()
    assert members(protocol) <= set(getattr(module, "__all__", members(protocol)))


@pytest.mark.parametrize(("noun", "protocol", "contract"), NOUNS, ids=[it[0] for it in NOUNS])
def test_module_has_no_other_name(
    implementation: Implementation, noun: str, protocol: type, contract: ModuleType
) -> None:
    """Equal contract: no binding offers more than another. Result types may be public by the contract's own names."""
    module = implementation.noun(noun)
    types = {name for name, value in vars(contract).items() if inspect.isclass(value)}
    allowed = members(protocol) | {name for name in types if name not in {"Idioms", "Codec", "Pkcs11", "Protocol"}}
    if noun == "pkcs11":
        allowed |= {*ENUMERATIONS, *FIELDS}
        allowed |= {name for prefix in ENUMERATIONS for name in getattr(module, prefix).__members__}
    assert public(module) <= allowed


@pytest.mark.parametrize("noun", [it[0] for it in NOUNS])
def test_all_is_importable(implementation: Implementation, noun: str) -> None:
    """``__all__``, where there is one, names what exists, once."""
    module: Any = implementation.noun(noun)
    names = list(getattr(module, "__all__", ()))
    assert len(names) == len(set(names))
    for name in names:
        getattr(module, name)


def test_codec_has_every_public_name_of_zlib(codec: Codec) -> None:
    """Code written for this interpreter's ``zlib`` finds its names in ``codec``."""
    missing = {name for name in public(zlib) if not hasattr(codec, name)}
    assert missing <= set(ZLIB_ONLY)


def test_codec_constants_are_those_of_zlib(codec: Codec) -> None:
    """Constants have the numbers of ``zlib``; only versions may differ, which are those of the engine loaded."""
    for name in public(zlib):
        value = getattr(zlib, name)
        if isinstance(value, int) and name != "DEF_BUF_SIZE":  # PyPy's buffers are larger
            assert getattr(codec, name) == value, name
    assert codec.DEF_BUF_SIZE == 16_384


def test_error_is_an_exception_of_this_binding(codec: Codec) -> None:
    """``error`` is a class named so, derived from `Exception`, and not the standard library's."""
    assert issubclass(codec.error, Exception)
    assert codec.error.__name__ == "error"
    assert codec.error is not zlib.error
    assert not issubclass(codec.error, (ArithmeticError, LookupError, OSError, RuntimeError, TypeError, ValueError))


def test_status_error_is_an_exception(idioms: Idioms) -> None:
    """``StatusError`` derives from `Exception` and from none of the exceptions that statuses of their own have."""
    assert issubclass(idioms.StatusError, Exception)
    assert not issubclass(idioms.StatusError, (LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError))


@pytest.mark.parametrize("noun", [it[0] for it in NOUNS])
def test_functions_have_docstrings_or_signatures_that_load(implementation: Implementation, noun: str) -> None:
    """``help()`` works on the module: no docstring or signature in it is broken."""
    module: Any = implementation.noun(noun)
    for name in public(module):
        value = getattr(module, name)
        if callable(value):
            inspect.getdoc(value)
            with contextlib.suppress(ValueError, TypeError):  # a compiled function need not have one
                inspect.signature(value)
