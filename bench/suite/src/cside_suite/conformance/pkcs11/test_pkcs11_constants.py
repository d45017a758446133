# SPDX-License-Identifier: Apache-2.0
"""The names that constants of ``pkcs11`` print."""

import enum
from typing import Any

import pytest

from cside_suite.conformance.pkcs11._pkcs11_table import ENUMERATIONS, SYNONYMS
from cside_suite.conformance.pkcs11.test_pkcs11_contract import header_constants
from cside_suite.subjects.bindings import Implementation


@pytest.fixture
def pkcs11(implementation: Implementation) -> Any:
    """The implementation's module ``pkcs11``."""
    return implementation.pkcs11


def same_names() -> dict[str, tuple[str, ...]]:
    """Every name that has synonyms in the standard, with all of them."""
    return {name: names for names in SYNONYMS for name in names}


def test_a_constant_prints_its_own_name_or_is_a_plain_integer(pkcs11: Any) -> None:
    """``repr`` of a constant is its name, or the recommended one of two in the standard, or its number."""
    synonyms = same_names()
    wrong = {}
    for name in header_constants():
        constant = getattr(pkcs11, name)
        if isinstance(constant, enum.Enum):
            printed = repr(constant).rpartition(".")[2]
            if printed != synonyms.get(name, (name,))[0] or constant.name != printed:
                wrong[name] = repr(constant)
        elif type(constant) is not int:
            wrong[name] = repr(constant)
    assert wrong == {}


def test_only_synonyms_of_the_standard_share_a_value(pkcs11: Any) -> None:
    """Two names of one enumeration have the same value only where the standard has two names for one thing."""
    synonyms = same_names()
    shared = []
    for prefix in ENUMERATIONS:
        first: dict[int, str] = {}
        for name, member in getattr(pkcs11, prefix).__members__.items():
            other = first.setdefault(int(member), name)
            if other != name and other not in synonyms.get(name, ()):
                shared.append((other, name))
    assert shared == []


def test_synonyms_are_equal(pkcs11: Any) -> None:
    """The names that are listed as synonyms are one member of one enumeration."""
    assert SYNONYMS
    for recommended, *others in SYNONYMS:
        for other in others:
            assert getattr(pkcs11, other) is getattr(pkcs11, recommended)


def test_constants_that_a_program_prints_most_are_enumerations(pkcs11: Any) -> None:
    """Return values, mechanisms, attributes, keys, objects, certificates and users print by name."""
    for name in ("CKR_OK", "CKM_AES_GCM", "CKA_LABEL", "CKK_AES", "CKO_SECRET_KEY", "CKC_X_509", "CKU_USER"):
        assert repr(getattr(pkcs11, name)).rpartition(".")[2] == name


def test_flags_and_mixed_prefixes_are_plain_integers(pkcs11: Any) -> None:
    """A value of a prefix with several meanings does not print one of them."""
    for name in (
        "CKF_SERIAL_SESSION",
        "CKF_RW_SESSION",
        "CK_INVALID_HANDLE",
        "CK_TRUE",
        "CKP_ML_KEM_512",
        "CKS_RO_USER_FUNCTIONS",
    ):
        assert type(getattr(pkcs11, name)) is int
    assert repr(pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION) == "6"
