# SPDX-License-Identifier: Apache-2.0
"""The model of the project's own headers is compared with facts of the standard."""

import pytest
from cside_headers import compiler_check, model_json
from cside_headers.model import Argument, Function, Role
from cside_headers.parse import Headers


def function(headers: Headers, name: str) -> Function:
    """A function by name."""
    return next(f for f in headers.model.functions if f.name == name)


def argument(headers: Headers, owner: str, name: str) -> Argument:
    """An argument by its function and name."""
    return next(a for a in function(headers, owner).arguments if a.name == name)


def test_function_counts(own: Headers) -> None:
    """68 functions in the list of 2.40, 92 in that of 3.0, 104 in that of 3.2."""
    assert len(own.model.functions) == 104
    assert {tag: len(members) for tag, members in own.lists.items()} == {
        "CK_FUNCTION_LIST": 68,
        "CK_FUNCTION_LIST_3_0": 92,
        "CK_FUNCTION_LIST_3_2": 104,
    }
    assert own.model.version == (3, 2)


@pytest.mark.parametrize(
    ("index", "name", "version"),
    [
        (0, "C_Initialize", (2, 40)),
        (3, "C_GetFunctionList", (2, 40)),
        (42, "C_SignInit", (2, 40)),
        (67, "C_WaitForSlotEvent", (2, 40)),
        (68, "C_GetInterfaceList", (3, 0)),
        (91, "C_MessageVerifyFinal", (3, 0)),
        (92, "C_EncapsulateKey", (3, 2)),
        (103, "C_UnwrapKeyAuthenticated", (3, 2)),
    ],
)
def test_order_of_the_function_list(own: Headers, index: int, name: str, version: tuple[int, int]) -> None:
    """A function's place in the list is part of the binary interface."""
    assert own.model.functions[index].name == name
    assert own.model.functions[index].version == version


@pytest.mark.parametrize(
    ("owner", "name", "role", "facts"),
    [
        ("C_Initialize", "pInitArgs", Role.INIT_ARGS, {}),
        ("C_Finalize", "pReserved", Role.RESERVED, {}),
        ("C_GetInfo", "pInfo", Role.STRUCT_OUT, {"target": "CK_INFO"}),
        ("C_GetFunctionList", "ppFunctionList", Role.POINTER_OUT, {"target": "CK_FUNCTION_LIST_PTR"}),
        ("C_GetSlotList", "pSlotList", Role.SCALARS_OUT, {"length": "pulCount", "target": "CK_SLOT_ID"}),
        ("C_GetSlotList", "pulCount", Role.LENGTH, {"target": "CK_ULONG"}),
        ("C_InitToken", "pLabel", Role.PADDED_IN, {"width": 32}),
        ("C_SetPIN", "pOldPin", Role.TEXT_IN, {"length": "ulOldLen"}),
        ("C_OpenSession", "Notify", Role.CALLBACK, {}),
        ("C_OpenSession", "pApplication", Role.USER_DATA, {}),
        ("C_OpenSession", "phSession", Role.SCALAR_OUT, {"target": "CK_SESSION_HANDLE"}),
        ("C_GetAttributeValue", "pTemplate", Role.STRUCTS_INOUT, {"length": "ulCount"}),
        ("C_FindObjects", "phObject", Role.SCALARS_LIMITED, {"limit": "ulMaxObjectCount", "length": "pulObjectCount"}),
        ("C_Sign", "pData", Role.BYTES_IN, {"length": "ulDataLen"}),
        ("C_Sign", "pSignature", Role.BYTES_OUT, {"length": "pulSignatureLen", "optional": False}),
        ("C_GenerateRandom", "RandomData", Role.BYTES_FILLED, {"length": "ulRandomLen"}),
        ("C_GetInterfaceList", "pInterfacesList", Role.STRUCTS_OUT, {"length": "pulCount"}),
        ("C_GetInterface", "pInterfaceName", Role.TEXT_IN, {"length": None}),
        ("C_GetInterface", "pVersion", Role.STRUCT_IN, {}),
        ("C_EncryptMessage", "pParameter", Role.PARAMETER, {"length": "ulParameterLen"}),
        ("C_SignMessageNext", "pSignature", Role.BYTES_OUT, {"optional": True}),
        ("C_AsyncJoin", "pData", Role.BYTES_FILLED, {"length": "ulData"}),
    ],
)
def test_roles(own: Headers, owner: str, name: str, role: Role, facts: dict[str, object]) -> None:
    """Roles and counts are those that the text of the standard describes."""
    found = argument(own, owner, name)
    assert found.role is role
    assert {key: getattr(found, key) for key in facts} == facts


def test_every_argument_is_a_count_or_has_its_own(own: Headers) -> None:
    """Every count belongs to exactly one argument, and every argument that needs a count has one."""
    needing = {
        Role.BYTES_IN, Role.BYTES_OUT, Role.BYTES_FILLED, Role.STRUCTS_IN, Role.STRUCTS_INOUT, Role.STRUCTS_OUT,
        Role.SCALARS_OUT, Role.SCALARS_LIMITED, Role.PARAMETER,
    }  # fmt: skip
    for f in own.model.functions:
        named = [name for a in f.arguments for name in (a.length, a.limit) if name is not None]
        assert sorted(named) == sorted(a.name for a in f.arguments if a.role is Role.LENGTH), f.name
        assert all(a.length is not None for a in f.arguments if a.role in needing), f.name


@pytest.mark.parametrize(
    ("owner", "field", "length"),
    [
        ("CK_ATTRIBUTE", "pValue", "ulValueLen"),
        ("CK_GCM_PARAMS", "pAAD", "ulAADLen"),
        ("CK_GCM_MESSAGE_PARAMS", "pTag", None),
        ("CK_CCM_PARAMS", "pNonce", "ulNonceLen"),
        ("CK_ECDH1_DERIVE_PARAMS", "pPublicData", "ulPublicDataLen"),
        ("CK_ECDH2_DERIVE_PARAMS", "pPublicData2", "ulPublicDataLen2"),
        ("CK_KEY_DERIVATION_STRING_DATA", "pData", "ulLen"),
        ("CK_AES_CBC_ENCRYPT_DATA_PARAMS", "pData", "length"),
        ("CK_TLS_KDF_PARAMS", "pLabel", "ulLabelLength"),
        ("CK_SKIPJACK_PRIVATE_WRAP_PARAMS", "pBaseG", "ulPAndGLen"),
    ],
)
def test_counts_of_fields(own: Headers, owner: str, field: str, length: str | None) -> None:
    """Pointers in structs name the field that has their count, also if its name is irregular."""
    struct = next(s for s in own.model.structs if s.name == owner)
    assert next(f for f in struct.fields if f.name == field).length == length


def test_comments_become_docs(own: Headers) -> None:
    """The comment above a function becomes its documentation."""
    assert function(own, "C_Sign").doc == "Sign one piece of data, and end."


def test_json_round_trip(own: Headers) -> None:
    """The JSON form contains the whole model."""
    assert model_json.loads(model_json.dumps(own.model)) == own.model
    with pytest.raises(ValueError, match="format 1"):
        model_json.loads('{"format": 99}')


@pytest.mark.usefixtures("compiled")
def test_proved_by_the_compiler(own: Headers) -> None:
    """The compiler confirms every size, offset, constant and prototype in three layouts."""
    proofs = compiler_check.prove(own)
    assert [proof.mismatches for proof in proofs] == [[], [], []]
    assert proofs[0].counts["constants"] == len(own.model.constants) > 1000
    assert proofs[0].counts["function lists"] == 3
    assert proofs[2].data.long == 4
