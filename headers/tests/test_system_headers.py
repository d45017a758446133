# SPDX-License-Identifier: Apache-2.0
"""Headers of other projects, NSS, p11-kit, OASIS and OpenSC, are parsed without changes, and compared with our own."""

from pathlib import Path

import pytest
from conftest import OWN, P11_KIT
from cside_headers import compiler_check
from cside_headers.argument_roles import plain
from cside_headers.diff import Kind, compare
from cside_headers.model import Role
from cside_headers.parse import Headers, parse

OTHERS = ["nss", "p11_kit", "oasis", "single"]

P11_KIT_SLIPS = {
    "CKR_EXCEEDED_MAX_ITERATIONS",
    "CKR_FIPS_SELF_TEST_FAILED",
    "CKR_LIBRARY_LOAD_FAILED",
    "CKR_PIN_TOO_WEAK",
    "CKR_PUBLIC_KEY_INVALID",
}
"""Return values that p11-kit 0.24 defines from 0x1c0 on, and the standard from 0x1b5 on."""

NSS_OWN = ("CKA_TRUST_",)
"""Names to which NSS gave vendor values before the standard defined them with other values."""


@pytest.fixture(params=OTHERS)
def other(request: pytest.FixtureRequest) -> Headers:
    """Each header of another project in turn."""
    headers: Headers = request.getfixturevalue(request.param)
    return headers


def test_function_counts(nss: Headers, p11_kit: Headers) -> None:
    """NSS follows 3.0, p11-kit 2.40."""
    assert (len(nss.model.functions), nss.model.version) == (92, (3, 0))
    assert (len(p11_kit.model.functions), p11_kit.model.version) == (68, (2, 40))


def test_oasis_says_what_we_say(own: Headers, oasis: Headers) -> None:
    """Our headers have exactly the contents of the standard's own headers."""
    assert compare(oasis.model, own.model) == []


def test_single_header_of_types_by_macros(own: Headers, single: Headers) -> None:
    """The single header of 3.2 has all functions of the standard, and types that its macros declare."""
    assert (len(single.model.functions), single.model.version) == (104, (3, 2))
    typedefs = {t.name: (t.target, t.pointers) for t in single.model.typedefs}
    assert typedefs["CK_ATTRIBUTE_TYPE"] == ("CK_ULONG", 0)
    assert typedefs["CK_ATTRIBUTE_TYPE_PTR"] == ("CK_ATTRIBUTE_TYPE", 1)
    assert [[a.name for a in f.arguments] for f in single.model.functions] == [
        [a.name for a in f.arguments] for f in own.model.functions
    ]


def test_diff_with_the_single_header(own: Headers, single: Headers) -> None:
    """A comparison finds no function, struct or value changed, apart from names that one of the two lacks."""
    kinds = {change.kind for change in compare(single.model, own.model)}
    changed = {
        Kind.STRUCT_LAYOUT,
        Kind.CONSTANT_CHANGED,
        Kind.FUNCTION_REMOVED,
        Kind.FUNCTION_ADDED,
        Kind.FUNCTION_MOVED,
    }
    assert kinds & changed == set()
    assert Kind.CONSTANT_ADDED in kinds  # deprecated ones, which the single header has only on request


def test_values_agree(own: Headers, other: Headers) -> None:
    """Constants have the same values in all headers, except the known differences."""
    ours = {c.name: c.value for c in own.model.constants}
    excused = P11_KIT_SLIPS if other.model.version == (2, 40) else set()
    wrong = {
        c.name
        for c in other.model.constants
        if c.name in ours and ours[c.name] != c.value and not c.name.startswith(("CRYPTOKI_", *NSS_OWN))
    }
    assert wrong <= excused
    assert len(ours.keys() & {c.name for c in other.model.constants}) > 600


def test_functions_agree(own: Headers, other: Headers) -> None:
    """Order, version, and role of each argument are the same in every header."""
    ours = {f.name: (index, f) for index, f in enumerate(own.model.functions)}
    for index, function in enumerate(other.model.functions):
        place, known = ours[function.name]
        assert (index, function.version) == (place, known.version)
        assert [(a.role, plain(a.length or "")) for a in function.arguments] == [
            (a.role, plain(a.length or "")) for a in known.arguments
        ], function.name


@pytest.mark.usefixtures("compiled")
def test_proved_by_the_compiler(other: Headers) -> None:
    """The compiler confirms every size, offset, constant and prototype in three layouts."""
    assert [proof.mismatches for proof in compiler_check.prove(other)] == [[], [], []]


def test_vendor_file_merges(nss: Headers) -> None:
    """pkcs11n.h is merged: constants that use others, structs, and callbacks that do not return CK_RV."""
    values = {c.name: c.value for c in nss.model.constants}
    assert values["CKO_NSS_TRUST"] == 0x80000000 | 0x4E534350 | 3
    assert "CK_NSS_GCM_PARAMS" in {s.name for s in nss.model.structs}
    assert {c.name: c.returns for c in nss.model.callbacks}["CK_NSS_ModuleDBFunc"] == "char **"


def test_vendor_struct_addition(own: Headers, nss: Headers) -> None:
    """NSS adds a field to CK_C_INITIALIZE_ARGS."""
    changed = {change.name for change in compare(own.model, nss.model) if change.kind is Kind.STRUCT_LAYOUT}
    assert changed == {"CK_C_INITIALIZE_ARGS"}


def test_single_header_in_the_standards_words(p11_kit: Headers) -> None:
    """If ``#define`` renames struct tags and fields, the model has the names of the standard."""
    struct = next(s for s in p11_kit.model.structs if s.name == "CK_TOKEN_INFO")
    assert [field.name for field in struct.fields][4:6] == ["flags", "ulMaxSessionCount"]
    login = next(f for f in p11_kit.model.functions if f.name == "C_Login")
    assert [a.role for a in login.arguments] == [Role.SCALAR_IN, Role.SCALAR_IN, Role.TEXT_IN, Role.LENGTH]
    assert login.arguments[2].length == "pin_len"


@pytest.mark.usefixtures("compiled")
def test_single_header_under_its_own_names(p11_kit: Headers) -> None:
    """With CRYPTOKI_GNU the same header renames nothing, and gives the same model under its own names."""
    headers = parse([P11_KIT], define={"CRYPTOKI_GNU": "1"})
    gnu = headers.model
    assert [f.name for f in gnu.functions] == [f.name for f in p11_kit.model.functions]
    assert [[a.role for a in f.arguments] for f in gnu.functions] == [
        [a.role for a in f.arguments] for f in p11_kit.model.functions
    ]
    assert "ck_token_info" in {s.name for s in gnu.structs}
    assert [proof.mismatches for proof in compiler_check.prove(headers)] == [[], [], []]


def test_second_vendor_file(p11_kit: Headers) -> None:
    """pkcs11x.h goes with pkcs11.h, in either order."""
    extra = P11_KIT.with_name("pkcs11x.h")
    both = parse([extra, P11_KIT]).model
    assert {c.name for c in both.constants} > {c.name for c in p11_kit.model.constants}
    assert next(c.value for c in both.constants if c.name == "CKA_X_DISTRUSTED") == 0x80000000 | 0x58444700 + 100


def test_any_order(tmp_path: Path, own: Headers) -> None:
    """The order in which the three files are named makes no difference."""
    files = [OWN.with_name(name) for name in ("pkcs11f.h", "pkcs11t.h", "pkcs11.h")]
    assert parse(files).model == own.model
