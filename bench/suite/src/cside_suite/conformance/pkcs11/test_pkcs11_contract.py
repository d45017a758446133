# SPDX-License-Identifier: Apache-2.0
"""The names, constants and types of ``pkcs11``, the opening of modules, and the attributes of errors."""

import enum
import os
import re
from pathlib import Path
from typing import Any

import cside_native
import pytest

from cside_suite.conformance import _probe
from cside_suite.conformance.outcome import failure
from cside_suite.conformance.pkcs11 import pkcs11_probe
from cside_suite.conformance.pkcs11._pkcs11_table import ENUMERATIONS, FIELDS, FUNCTIONS
from cside_suite.conformance.pkcs11.pkcs11_probe import is_refusal
from cside_suite.subjects.bindings import Implementation


@pytest.fixture
def pkcs11(implementation: Implementation) -> Any:
    """The implementation's module ``pkcs11``."""
    return implementation.pkcs11


def header_constants() -> dict[str, str]:
    """Return the integer macros of the installed header, as text."""
    text = (cside_native.include_dir() / "cside" / "pkcs11t.h").read_text(encoding="utf-8")
    found = dict(re.findall(r"^#define (CK\w+) +(\S.*?)\s*$", text, re.MULTILINE))
    return {name: value for name, value in found.items() if name not in {"CK_PTR"}}


def test_every_function_of_the_standard_is_a_method(pkcs11: Any) -> None:
    """A module has all 104 functions, whatever the module behind it has, and no other name with ``C_``."""
    assert len(FUNCTIONS) == 104
    assert {name for name in dir(pkcs11.Module) if name.startswith("C_")} == set(FUNCTIONS)


def test_every_constant_of_the_header_is_there_with_its_value(pkcs11: Any) -> None:
    """Every constant of the header is an attribute with the header's value."""
    values: dict[str, int] = {}
    for name, text in header_constants().items():
        expression = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)UL\b", r"\1", text)
        for other in re.findall(r"\bCK\w+", expression):
            expression = expression.replace(other, str(values[other]))
        assert re.fullmatch(r"[0-9a-fA-Fx()|~ ]+", expression), f"{name}: {text}"
        bits = 8 * (8 if os.name == "posix" else 4)
        values[name] = eval(expression, {"__builtins__": {}}) & ((1 << bits) - 1)
    wrong = {
        name: (getattr(pkcs11, name, None), value)
        for name, value in values.items()
        if getattr(pkcs11, name, None) != value
    }
    assert wrong == {}
    assert len(values) > 1000


@pytest.mark.parametrize("prefix", ENUMERATIONS)
def test_constants_are_enumerations_by_prefix(pkcs11: Any, prefix: str) -> None:
    """``CKM.CKM_AES_GCM`` and ``CKM_AES_GCM`` are one and the same `enum.IntEnum` member, as for every such prefix."""
    group = getattr(pkcs11, prefix)
    assert issubclass(group, enum.IntEnum)
    for name, member in group.__members__.items():
        assert name.startswith(f"{prefix}_")
        assert getattr(pkcs11, name) is member


@pytest.mark.parametrize("name", FIELDS)
def test_structs_are_named_tuples(pkcs11: Any, name: str) -> None:
    """Named tuples have the names of their structs, and the structs' fields without lengths."""
    kind = getattr(pkcs11, name)
    assert issubclass(kind, tuple)
    assert kind.__name__ == name
    assert kind._fields == FIELDS[name]


def test_an_error_has_value_name_and_function(pkcs11: Any) -> None:
    """``PKCS11Error`` has the return value, its name, and the name of the function."""
    error = pkcs11.PKCS11Error(0xA0, "C_Login")
    assert (error.rv, error.name, error.function, error.result) == (0xA0, "CKR_PIN_INCORRECT", "C_Login", None)
    assert str(error) == "C_Login: CKR_PIN_INCORRECT (0x000000a0)"
    assert pkcs11.PKCS11Error(0x80000001).name == "CKR_0x80000001"
    assert issubclass(pkcs11.PKCS11Error, Exception)
    assert not issubclass(pkcs11.PKCS11Error, (LookupError, OSError, RuntimeError, TypeError, ValueError))


def test_names_of_return_values(pkcs11: Any) -> None:
    """``rv_name`` returns the names that the standard defines, and None for other values."""
    for member in pkcs11.CKR.__members__.values():
        assert pkcs11.rv_name(member) in pkcs11.CKR.__members__
        assert pkcs11.CKR[pkcs11.rv_name(member)] == member
    assert pkcs11.rv_name(0x80000001) is None
    assert pkcs11.rv_name(0xFFFFFF) is None
    assert isinstance(failure(pkcs11.rv_name, -1), OverflowError)
    assert isinstance(failure(pkcs11.rv_name, "x"), TypeError)


def test_a_module_tells_its_path_and_version(pkcs11: Any) -> None:
    """``path`` is where it was loaded from; ``version`` that of its newest function list."""
    module = pkcs11.load(_probe.__file__)
    assert isinstance(module.path, str)
    assert Path(module.path).samefile(str(_probe.__file__))
    assert module.version == (3, 2)
    assert module.version.major == 3
    for attribute in ("path", "version"):
        assert isinstance(failure(setattr, module, attribute, None), AttributeError)


def test_a_module_is_opened_by_any_kind_of_path(pkcs11: Any) -> None:
    """``str``, ``bytes`` and path objects name a module, as everywhere in Python."""
    path = Path(str(_probe.__file__))
    for way in (str(path), os.fsencode(path), path):
        assert pkcs11.load(way).C_GetInfo().manufacturerID == "manufacturer"


def test_module_is_not_made_by_hand(pkcs11: Any) -> None:
    """Calling the class of a module is `TypeError`."""
    assert isinstance(failure(pkcs11.Module), TypeError)


def test_a_file_that_is_no_module_is_an_os_error(pkcs11: Any, tmp_path: Path) -> None:
    """Opening a file that is not a module is `OSError`, whose text names the path."""
    text = tmp_path / "notes.so"
    text.write_text("not a library")
    for path in (tmp_path / "nowhere.so", text, cside_native.floor_library(), cside_native.library()):
        error = failure(pkcs11.load, path)
        assert type(error) is OSError, repr(error)
        assert str(path) in str(error)


@pytest.mark.parametrize(
    ("path", "kind"), [("", ValueError), ("a\0b", ValueError), (5, TypeError), (b"", ValueError), ([], TypeError)]
)
def test_what_is_no_path_is_refused(pkcs11: Any, path: object, kind: type[Exception]) -> None:
    """An empty path and one with a NUL are `ValueError`, an object that is no path is `TypeError`."""
    error = failure(pkcs11.load, path)
    assert type(error) is kind, repr(error)


def test_interfaces_are_named_tuples(implementation: Implementation) -> None:
    """Interfaces, also those of vendors, are named tuples of name, version and flags."""
    module = pkcs11_probe.opened(implementation)
    assert module.C_GetFunctionList() == (2, 40)
    listed = module.C_GetInterfaceList()
    assert ("Vendor probe", (7, 8), 0) in listed
    assert ("PKCS 11", (3, 2), 1) in listed
    assert module.C_GetInterface(None, None, 0).pInterfaceName == "PKCS 11"
    assert module.C_GetInterface("PKCS 11", (3, 2), 1) == ("PKCS 11", (3, 2), 1)
    assert module.C_GetInterface("Vendor probe", None, 0) == ("Vendor probe", (7, 8), 0)
    error: Any = failure(module.C_GetInterface, "PKCS 11", (9, 9), 0)
    assert (is_refusal(implementation, error), error.name) == (True, "CKR_FUNCTION_FAILED")
    assert isinstance(failure(module.C_GetInterface, "a\0b", None, 0), ValueError)
    assert isinstance(failure(module.C_GetInterface, b"PKCS 11", None, 0), TypeError)
    assert isinstance(failure(module.C_GetInterface, None, (256, 0), 0), OverflowError)
    assert isinstance(failure(module.C_GetInterface, None, 3, 0), TypeError)
