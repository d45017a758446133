# SPDX-License-Identifier: Apache-2.0
"""No mechanism of the token is without known answers."""

from typing import Any

from answered_mechanisms import ANSWERED
from cside_suite.subjects.pkcs11_modules import Station


def test_all_are_answered(token: Station, p11: Any) -> None:
    """The token's list has what the tests of this folder prove, and mechanisms that generate keys."""
    generating = p11.CKF_GENERATE | p11.CKF_GENERATE_KEY_PAIR
    listed = token.module.C_GetMechanismList(token.slot)
    flags = {each: token.module.C_GetMechanismInfo(token.slot, each).flags for each in listed}
    answered = {getattr(p11, f"CKM_{name}") for name in ANSWERED}
    assert {each for each in listed if not flags[each] & generating} == answered
    assert len(listed) == len(set(listed))
