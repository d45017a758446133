# SPDX-License-Identifier: Apache-2.0
"""The division of constants into enumerations and plain integers."""

import pytest
from cside_headers.domains import Domain, divide, listed
from cside_headers.errors import HeaderError
from cside_headers.model import Constant
from cside_headers.parse import Headers


def constants(**values: int | str) -> list[Constant]:
    """Constants with these names and values."""
    return [Constant(name, value, str(value)) for name, value in values.items()]


def test_a_listed_prefix_is_an_enumeration_and_others_are_plain() -> None:
    """The order of the headers is kept; strings and ``CRYPTOKI_`` are no constants of Python."""
    given = constants(CKF_B=1, CKX_TWO=2, CKF_A=1, CKX_ONE=1, CK_TEXT="text", CRYPTOKI_VERSION_MAJOR=3)
    divided = divide(given, {"CKX": Domain("things")})
    assert [c.name for c in divided.plain] == ["CKF_B", "CKF_A"]
    assert {prefix: [c.name for c in members] for prefix, members in divided.enums.items()} == {
        "CKX": ["CKX_TWO", "CKX_ONE"]
    }


def test_the_recommended_synonym_is_first() -> None:
    """So it is the member of the enumeration, and the others are its aliases."""
    domain = Domain("things", (("CKX_NEW", "CKX_OLD", "CKX_OLDER"), ("CKX_FUTURE", "CKX_OTHER")))
    divided = divide(constants(CKX_OLD=1, CKX_OTHER=2, CKX_NEW=1), {"CKX": domain})
    assert [c.name for c in divided.enums["CKX"]] == ["CKX_NEW", "CKX_OLD", "CKX_OTHER"]
    assert divided.synonyms == (("CKX_NEW", "CKX_OLD"),)


def test_an_unlisted_equality_is_an_error() -> None:
    """It names both constants and the file in which to list them."""
    with pytest.raises(HeaderError, match=r"CKX_A and CKX_B have the same value, 1.*\n.*domains\.toml"):
        divide(constants(CKX_A=1, CKX_B=1), {"CKX": Domain("things")})


def test_synonyms_that_differ_are_an_error() -> None:
    """A list of synonyms that the headers contradict is not ignored."""
    with pytest.raises(HeaderError, match="CKX_A and CKX_B as synonyms, but their values differ"):
        divide(constants(CKX_A=1, CKX_B=2), {"CKX": Domain("things", (("CKX_A", "CKX_B"),))})


def test_the_own_headers_have_every_listed_name(own: Headers) -> None:
    """domains.toml lists no prefix or synonym that the standard's newest headers lack."""
    divided = divide(own.model.constants)
    assert set(divided.enums) == set(listed())
    assert set(divided.synonyms) == {names for domain in listed().values() for names in domain.synonyms}
    assert {c.prefix for c in divided.plain} == {"CK", "CKF", "CKS", "CKP", "CKH", "CKG", "CKZ", "CKV"}
