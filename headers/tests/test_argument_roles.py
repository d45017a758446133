# SPDX-License-Identifier: Apache-2.0
"""Roles that follow from the conventions, roles that do not, and overrides for those."""

import pytest
from conftest import Written
from cside_headers.argument_roles import belongs, plain
from cside_headers.errors import HeaderError
from cside_headers.model import Argument, Role

TYPES = """
typedef CK_ULONG CK_OBJECT_HANDLE;
typedef CK_OBJECT_HANDLE *CK_OBJECT_HANDLE_PTR;
typedef struct CK_VENDOR_INFO { CK_ULONG ulKind; } CK_VENDOR_INFO;
typedef struct CK_VENDOR { CK_ULONG ulKind; } CK_VENDOR;
"""


def declared(written: Written, arguments: str, **more: str) -> list[Argument]:
    """The arguments of a function with these."""
    headers = written(f"{TYPES}\nCK_PKCS11_FUNCTION_INFO(C_Vendor)({arguments});", **more)
    return list(headers.model.functions[0].arguments)


@pytest.mark.parametrize(
    ("count", "pointer", "answer"),
    [
        ("ulPinLen", "pPin", True),
        ("pulSignatureLen", "pSignature", True),
        ("ulOldLen", "pOldPin", True),
        ("ulRandomLen", "RandomData", True),
        ("pulCount", "pSlotList", True),
        ("ulMaxObjectCount", "phObject", True),
        ("ulPublicKeyAttributeCount", "pPublicKeyTemplate", True),
        ("attribute_count", "templ", True),
        ("encrypted_data_len", "encrypted_data", True),
        ("usPinLen", "pPin", True),
        ("ulNewLen", "pOldPin", False),
        ("pulID", "pFunctionName", False),
        ("ulKeyBits", "pKey", False),
        ("ulDataLen", "pSignature", False),
    ],
)
def test_counts_belong_by_name(count: str, pointer: str, answer: bool) -> None:
    """A count after a pointer belongs to it only if the names agree."""
    assert belongs(count, pointer) is answer


def test_plain_names() -> None:
    """The spellings of a name in both conventions compare equal; a prefix is removed only before a capital letter."""
    assert plain("pulEncryptedDataLen") == plain("encrypted_data_len") == "encrypteddatalen"
    assert plain("phKey") == plain("hKey") == plain("key") == "key"
    assert plain("payload") == "payload"


@pytest.mark.parametrize(
    ("arguments", "roles"),
    [
        ("CK_BYTE_PTR pIn, CK_ULONG ulInLen, CK_BYTE_PTR pOut, CK_ULONG_PTR pulOutLen",
         "bytes-in length bytes-out length"),
        ("CK_UTF8CHAR_PTR pName, CK_ULONG ulNameLen", "text-in length"),
        ("const CK_BYTE *pIn, CK_ULONG ulInLen", "bytes-in length"),
        ("CK_OBJECT_HANDLE_PTR phFirst, CK_OBJECT_HANDLE_PTR phSecond", "scalar-out scalar-out"),
        ("CK_OBJECT_HANDLE_PTR phObject, CK_ULONG_PTR pulCount", "scalars-out length"),
        ("CK_OBJECT_HANDLE_PTR phObject, CK_ULONG ulMaxObjectCount, CK_ULONG_PTR pulObjectCount",
         "scalars-limited length length"),
        ("CK_VENDOR_INFO *pInfo", "struct-out"),
        ("const CK_VENDOR *pVendor", "struct-in"),
        ("CK_VENDOR *pVendors, CK_ULONG ulCount", "structs-in length"),
        ("CK_VENDOR *pVendors, CK_ULONG_PTR pulCount", "structs-out length"),
        ("CK_VENDOR **ppVendor", "pointer-out"),
        ("CK_VOID_PTR pParameter, CK_ULONG ulParameterLen", "parameter length"),
        ("CK_VOID_PTR pReserved", "reserved"),
        ("CK_BBOOL *pbFlag", "scalar-out"),
        ("CK_ULONG_PTR pulSize", "scalar-out"),
        ("void", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_conventions(written: Written, arguments: str, roles: str) -> None:
    """Roles that follow from the conventions alone, for a function that is not in the standard."""
    assert [a.role.value for a in declared(written, arguments)] == roles.split()


@pytest.mark.parametrize(
    ("arguments", "name", "tried"),
    [
        ("CK_BYTE_PTR pBlob", "pBlob", "bytes need a count"),
        (
            "CK_BYTE_PTR pBlob, CK_ULONG ulOther",
            "pBlob",
            "ulOther after it, whose name is not that of a count of pBlob",
        ),
        ("CK_VOID_PTR pThing", "pThing", "a void pointer is known by its name"),
        ("CK_VENDOR *pVendor", "pVendor", "only const, CK_MECHANISM (in) and CK_..._INFO (out)"),
        ("CK_OBJECT_HANDLE_PTR phKeys, CK_ULONG ulCount", "phKeys", "in neither direction"),
        ("const CK_ULONG *pulOne", "pulOne", "a pointer to one constant integer"),
        ("CK_VENDOR vendor", "vendor", "a struct by value has no role"),
    ],
)
def test_open_questions_are_asked(written: Written, arguments: str, name: str, tried: str) -> None:
    """A role that cannot be inferred is an error with place, function, argument, what was tried, and the TOML to fill
    in.
    """
    with pytest.raises(HeaderError) as caught:
        declared(written, f"CK_SESSION_HANDLE hSession, {arguments}")
    text = str(caught.value)
    assert caught.value.place is not None and caught.value.place.column > 30
    assert f"C_Vendor: what {name} (" in text
    assert tried in text
    assert f'[C_Vendor.{name}]\n    role = "..."' in text


def test_types_of_other_headers_are_asked_for(written: Written) -> None:
    """A type that the headers do not declare is an error."""
    with pytest.raises(HeaderError, match="the type CK_NOWHERE_PTR of pThing is not in these headers"):
        declared(written, "CK_NOWHERE_PTR pThing")


def test_the_printed_snippet_answers(written: Written) -> None:
    """The TOML of the error, filled in, works as an overrides file."""
    arguments = "CK_BYTE_PTR pBlob, CK_ULONG ulOther"
    with pytest.raises(HeaderError) as caught:
        declared(written, arguments)
    snippet = caught.value.advice[caught.value.advice.index("[") :]
    filled = snippet.replace('"..."', '"bytes-in"').replace('# length = "ulItsCount"', 'length = "ulOther" #')
    assert [a.role.value for a in declared(written, arguments, overrides=filled)] == ["bytes-in", "length"]


def test_overrides_of_the_user_come_first(written: Written) -> None:
    """A file of the user overrides the file of the package."""
    text = "CK_PKCS11_FUNCTION_INFO(C_GenerateRandom)(CK_BYTE_PTR RandomData, CK_ULONG ulRandomLen);"
    assert written(text).model.functions[0].arguments[0].role is Role.BYTES_FILLED
    other = '[C_GenerateRandom.RandomData]\nrole = "bytes-in"\nlength = "ulRandomLen"'
    assert written(text, overrides=other).model.functions[0].arguments[0].role is Role.BYTES_IN


def test_overrides_for_fields(written: Written) -> None:
    """An override names the field that has the count of another."""
    struct = "typedef struct CK_BOX { CK_BYTE_PTR pIn; CK_ULONG ulRoom; } CK_BOX;"
    assert written(struct).model.structs[-1].fields[0].length is None
    given = '[CK_BOX.pIn]\nlength = "ulRoom"'
    assert written(struct, overrides=given).model.structs[-1].fields[0].length == "ulRoom"


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ("[C_Vendor.pBlob\n", "overrides.toml: "),
        ('[C_Vendor.pBlob]\nrole = "bytes-inn"', "no role 'bytes-inn'; the roles are scalar-in"),
        ("[C_Vendor.pBlob]\nrolle = 1", "rolle = 1: known are role"),
        ('C_Vendor = "bytes-in"', "expected a table such as"),
        ('[C_Vendro.pBlob]\nrole = "bytes-in"', "no function, callback or struct C_Vendro"),
        ('[C_Vendor.pBlub]\nrole = "bytes-in"', "C_Vendor has pBlob, ulBlobLen"),
        ('[C_Vendor.pBlob]\nrole = "bytes-in"\nlength = "ulNothing"', "C_Vendor.ulNothing, which is not there"),
    ],
)
def test_mistakes_in_overrides_are_told(written: Written, overrides: str, message: str) -> None:
    """A mistake in an overrides file is an error."""
    with pytest.raises(HeaderError) as caught:
        declared(written, "CK_BYTE_PTR pBlob, CK_ULONG ulBlobLen", overrides=overrides)
    assert message in str(caught.value)


def test_redeclaration_with_other_arguments(written: Written) -> None:
    """Two declarations of one function must have the same arguments."""
    with pytest.raises(HeaderError, match="C_X is declared before, with other arguments"):
        written("CK_RV C_X(CK_ULONG ulA);\nCK_RV C_X(CK_ULONG ulA, CK_ULONG ulB);")
    assert len(written("CK_RV C_X(CK_ULONG ulA);\nCK_RV C_X(CK_ULONG ulA);").model.functions) == 1


def test_two_arguments_of_one_name(written: Written) -> None:
    """Two arguments of one name are an error, as in C."""
    with pytest.raises(HeaderError, match="C_Vendor has two arguments ulA"):
        declared(written, "CK_ULONG ulA, CK_ULONG ulA")
