# SPDX-License-Identifier: Apache-2.0
"""Every argument of every function of ``pkcs11`` reaches the module as the contract says."""

import array
from collections.abc import Iterator
from typing import Any

import pytest

from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import failure, outcome
from cside_suite.conformance.pkcs11 import pkcs11_probe
from cside_suite.conformance.pkcs11._pkcs11_table import FUNCTIONS
from cside_suite.conformance.pkcs11.pkcs11_probe import (
    REGULAR,
    arguments,
    expected_note,
    expected_result,
    is_refusal,
    notes,
    script,
)
from cside_suite.subjects.bindings import Implementation

ULONG_MAX = 2**64 - 1


@pytest.fixture
def probe(implementation: Implementation) -> Any:
    """A module that notes its arguments."""
    return pkcs11_probe.opened(implementation)


def positions(*kinds: str) -> Iterator[tuple[str, int]]:
    """Yield the function and the position of every parameter of these kinds."""
    for name, function in REGULAR.items():
        for position, (_, kind) in enumerate(function.parameters):
            if kind in kinds:
                yield name, position


def call(probe: Any, name: str, position: int, value: object) -> Any:
    """Call a function with ``value`` in one position and valid arguments in all others."""
    values = arguments(FUNCTIONS[name])
    values[position] = value
    return getattr(probe, name)(*values)


@pytest.mark.parametrize("name", REGULAR)
def test_every_argument_arrives_and_every_result_comes_back(probe: Any, name: str) -> None:
    """A call passes every argument and returns every result, with its exact type."""
    values = arguments(FUNCTIONS[name])
    result = getattr(probe, name)(*values)
    told = [note for note in notes() if note["function"] == name]
    assert told == [expected_note(name, values)]
    expected = expected_result(name, values)
    assert result == expected
    if isinstance(expected, int | bytes | list) or expected is None:
        assert type(result) is type(expected)


@pytest.mark.parametrize("name", [name for name in REGULAR if name not in {"C_GetFunctionList"}])
def test_every_function_raises_what_the_module_returns(implementation: Implementation, probe: Any, name: str) -> None:
    """A return value, also a vendor's, is raised as ``PKCS11Error`` with the function's name."""
    for rv, title in ((0x30, "CKR_DEVICE_ERROR"), (0x80000123, "CKR_0x80000123")):
        script(rv=rv)
        error: Any = failure(getattr(probe, name), *arguments(FUNCTIONS[name]))
        assert is_refusal(implementation, error)
        assert (error.rv, error.name, error.function) == (rv, title, name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_number_of_arguments_is_a_type_error(probe: Any, name: str) -> None:
    """One argument too many, no arguments, and keyword arguments are `TypeError`."""
    function = FUNCTIONS[name]
    optional = {"init-args", "callback"}
    too_many = [pkcs11_probe.valid(p, kind, 0) if kind != "types" else [] for p, kind in function.parameters] + [0]
    assert isinstance(failure(getattr(probe, name), *too_many), TypeError)
    required = [kind for _, kind in function.parameters if kind not in optional]
    if required:
        assert isinstance(failure(getattr(probe, name)), TypeError)
        assert isinstance(failure(lambda: getattr(probe, name)(**{p: 1 for p, _ in function.parameters})), TypeError)
    assert notes() == []


def test_integers_are_converted_in_every_function(probe: Any) -> None:
    """An object that is no integer is `TypeError`, one that does not fit ``CK_ULONG`` `OverflowError`."""
    wrong = {}
    for name, position in positions("int", "count"):
        told = [outcome(call, probe, name, position, value) for value in ("1", 1.0, None, -1, ULONG_MAX + 1)]
        if told != ["TypeError", "TypeError", "TypeError", "OverflowError", "OverflowError"]:
            wrong[name, position] = told
    assert wrong == {}
    assert notes() == []


def test_integers_of_the_full_width_arrive(probe: Any) -> None:
    """The largest ``CK_ULONG`` and any object with ``__index__`` reach the module."""

    class Index:
        def __index__(self) -> int:
            return ULONG_MAX

    for name, position in positions("int"):
        script()
        parameter = FUNCTIONS[name].parameters[position][0]
        for value in (ULONG_MAX, Index()):
            call(probe, name, position, value)
        assert [note[parameter] for note in notes() if note["function"] == name] == [ULONG_MAX] * 2, name


def test_byte_strings_are_any_buffer(probe: Any) -> None:
    """``bytes``, ``bytearray``, views and arrays arrive as bytes; None is NULL, an empty buffer is not."""
    ways: list[tuple[Any, str | None]] = [
        (b"abc", "616263"),
        (bytearray(b"abc"), "616263"),
        (memoryview(b"xabcx")[1:4], "616263"),
        (array.array("B", b"abc"), "616263"),
        (b"", ""),
        (bytearray(), ""),
        (memoryview(b""), ""),
        (array.array("B"), ""),
        (None, None),
    ]
    for name, position in positions("bytes"):
        script()
        for value, _ in ways:
            call(probe, name, position, value)
        parameter = FUNCTIONS[name].parameters[position][0]
        told = [note[parameter] for note in notes() if note["function"] == name]
        assert told == [hexadecimal for _, hexadecimal in ways], name


def test_objects_that_are_no_byte_string_are_refused(probe: Any) -> None:
    """Text and numbers are `TypeError`, a view that is not contiguous is `BufferError`."""
    wrong = {}
    for name, position in positions("bytes"):
        told = [outcome(call, probe, name, position, value) for value in ("text", 5, [1], memoryview(b"abcd")[::2])]
        if told != ["TypeError", "TypeError", "TypeError", "BufferError"]:
            wrong[name, position] = told
    assert wrong == {}
    assert notes() == []


def test_text_is_utf8_or_bytes(probe: Any) -> None:
    """PINs and user names are a ``str``, passed as UTF-8 with its NULs, or bytes, passed unchanged; None is NULL."""
    for name, position in positions("text"):
        script()
        parameter = FUNCTIONS[name].parameters[position][0]
        for value in ("né\0x", b"\xff\x00", bytearray(b"1"), "", None):
            call(probe, name, position, value)
        told = [note[parameter] for note in notes() if note["function"] == name]
        assert told == ["né\0x".encode().hex(), "ff00", "31", "", None], name
        script()
        assert outcome(call, probe, name, position, "\ud800") == "UnicodeEncodeError"
        assert outcome(call, probe, name, position, 5) == "TypeError"
        assert notes() == []


def test_labels_are_padded_and_never_cut(probe: Any) -> None:
    """A label is padded to 32 bytes; a longer one is `ValueError`."""
    for label in ("", "a", "é" * 16, b"x" * 32, bytearray(b"y")):
        script()
        probe.C_InitToken(1, b"pin", label)
        raw = label.encode() if isinstance(label, str) else bytes(label)
        assert notes()[0]["pLabel"] == raw.ljust(32).hex()
    script()
    refused: list[tuple[Any, str]] = [
        ("é" * 16 + "x", "ValueError"),
        (b"x" * 33, "ValueError"),
        (None, "TypeError"),
        (5, "TypeError"),
        ("\ud800", "UnicodeEncodeError"),
    ]
    for value, kind in refused:
        assert outcome(probe.C_InitToken, 1, b"pin", value) == kind
    assert notes() == []


def test_terminated_text_has_no_nul(probe: Any) -> None:
    """A NUL in a text that becomes a C string is `ValueError`, and None is NULL."""
    for name, position in positions("cstring"):
        assert outcome(call, probe, name, position, "a\0b") == "ValueError"
        assert outcome(call, probe, name, position, b"ab") == "TypeError"
        assert outcome(call, probe, name, position, "\ud800") == "UnicodeEncodeError"
        script()
        call(probe, name, position, None)
        assert notes()[0][FUNCTIONS[name].parameters[position][0]] is None
        script()


def test_truth_values_are_those_of_any_object(probe: Any) -> None:
    """``CK_BBOOL`` takes the truth value of any object; an exception of ``__bool__`` is raised."""

    class Undecided:
        def __bool__(self) -> bool:
            raise KeyError("undecided")

    for value, expected in ((True, 1), (0, 0), ("x", 1), ([], 0), (None, 0)):
        script()
        probe.C_GetSlotList(value)
        assert notes()[0]["tokenPresent"] == expected
    assert outcome(probe.C_GetSlotList, Undecided()) == "KeyError"


def test_mechanisms_are_numbers_or_pairs(implementation: Implementation, probe: Any) -> None:
    """A mechanism is a number, a pair with a parameter, or None; a parameter is bytes, a number, or a named tuple."""
    pkcs11: Any = implementation.pkcs11
    gcm = pkcs11.CK_GCM_PARAMS(pIv=b"iv", ulIvBits=16, pAAD=bytearray(b"aad"), ulTagBits=128)
    ways: list[tuple[Any, Any]] = [
        (5, [5, None]),
        (pkcs11.CKM_AES_CBC, [0x1082, None]),
        ((5, None), [5, None]),
        ((5, b""), [5, ""]),
        ((5, b"iv"), [5, "6976"]),
        ((5, bytearray(b"iv")), [5, "6976"]),
        ((5, 7), [5, (7).to_bytes(8, "little").hex()]),
        ((ULONG_MAX, b"x"), [ULONG_MAX, "78"]),
        (None, None),
    ]
    for value, expected in ways:
        script()
        probe.C_DigestInit(1, value)
        assert notes()[0]["pMechanism"] == expected, value
    script()
    probe.C_EncryptInit(1, (pkcs11.CKM_AES_GCM, gcm), 2)
    told = notes()[0]["pMechanism"]
    assert (told[0], told[2:]) == (0x1087, ["6976", 16, "616164", 128])
    assert len(told[1]) == 2 * 6 * 8
    script()
    bad: list[tuple[Any, str]] = [
        ("5", "TypeError"),
        (-1, "OverflowError"),
        ((5,), "TypeError"),
        ([5, b"iv"], "TypeError"),
        ((5, 1, 2), "TypeError"),
        ((5, "text"), "TypeError"),
        ((5, -1), "OverflowError"),
        ((5, gcm._replace(ulTagBits=-1)), "OverflowError"),
        ((5, gcm._replace(pIv="text")), "TypeError"),
        ((5, pkcs11.CK_AES_CTR_PARAMS(128, b"short")), "ValueError"),
        ((5, (1, 2, 3)), "TypeError"),
    ]
    wrong = {str(value): told for value, kind in bad if (told := outcome(probe.C_DigestInit, 1, value)) != kind}
    assert wrong == {}
    assert notes() == []


def test_parameter_structs_have_the_layout_of_c(implementation: Implementation, probe: Any) -> None:
    """The bytes and sizes of parameter structs are those of the C compiler."""
    pkcs11: Any = implementation.pkcs11

    def word(number: int) -> bytes:
        return number.to_bytes(8, "little")

    ways = [
        (pkcs11.CK_RSA_PKCS_PSS_PARAMS(0x250, 2, 32), word(0x250) + word(2) + word(32)),
        (pkcs11.CK_AES_CTR_PARAMS(128, b"0123456789abcdef"), word(128) + b"0123456789abcdef"),
    ]
    for value, raw in ways:
        script()
        probe.C_SignInit(1, (13, value), 1)
        assert notes()[0]["pMechanism"] == [13, raw.hex()]
    sizes = {
        pkcs11.CK_RSA_PKCS_OAEP_PARAMS(0x250, 2, 1, b"label"): 40,
        pkcs11.CK_ECDH1_DERIVE_PARAMS(1, None, b"point"): 40,
        pkcs11.CK_AES_CBC_ENCRYPT_DATA_PARAMS(b"0123456789abcdef", b"data"): 32,
        pkcs11.CK_KEY_DERIVATION_STRING_DATA(b"data"): 16,
        pkcs11.CK_CCM_PARAMS(10, b"nonce", b"aad", 16): 48,
        pkcs11.CK_EDDSA_PARAMS(True, b"context"): 24,
        pkcs11.CK_HKDF_PARAMS(True, False, 0x250, 2, b"salt", 0, b"info"): 64,
    }
    for value, nbytes in sizes.items():
        script()
        probe.C_SignInit(1, (13, value), 1)
        assert len(notes()[0]["pMechanism"][1]) == 2 * nbytes, value


def test_message_parameters_are_written_through(implementation: Implementation, probe: Any) -> None:
    """The module may write the IV and the tag of a message; read-only ones and short tags are refused."""
    pkcs11: Any = implementation.pkcs11
    parameter = pkcs11.CK_GCM_MESSAGE_PARAMS(bytearray(12), 96, 0, bytearray(16), 128)
    assert probe.C_EncryptMessage(1, parameter, None, b"data") == pkcs11_probe.filled(3)
    assert len(notes()[0]["pParameter"]) == 2 * 48
    assert outcome(probe.C_EncryptMessage, 1, parameter._replace(pTag=bytearray(15)), None, b"") == "ValueError"
    for value in (parameter._replace(pIv=b"x" * 12), b"read-only"):
        assert outcome(probe.C_EncryptMessage, 1, value, None, b"") in {"BufferError", "TypeError"}


TEMPLATE_VALUES: list[tuple[Any, Any]] = [
    (None, None),
    (True, "01"),
    (False, "00"),
    (0, "00" * 8),
    (258, "0201" + "00" * 6),
    (ULONG_MAX, "ff" * 8),
    ("é", "c3a9"),
    ("", ""),
    (b"", ""),
    (b"\0\1", "0001"),
    (bytearray(b"a"), "61"),
    (memoryview(b"ab"), "6162"),
    (array.array("B", b"c"), "63"),
    ([], ""),
    ([1, 2], "01" + "00" * 7 + "02" + "00" * 7),
    ((3,), "03" + "00" * 7),
]


def test_template_values_arrive_by_their_kind(probe: Any) -> None:
    """None, truth values, numbers, text, bytes and lists in a template become what C programs pass."""
    values = [(index, value) for index, (value, _) in enumerate(TEMPLATE_VALUES)]
    for template in (values, tuple(values), iter(values), (item for item in values)):
        script()
        probe.C_FindObjectsInit(1, template)
        assert notes()[0]["pTemplate"] == [[index, raw] for index, (_, raw) in enumerate(TEMPLATE_VALUES)]


def test_templates_may_contain_templates(implementation: Implementation, probe: Any) -> None:
    """The value of an attribute such as ``CKA_WRAP_TEMPLATE`` is a template, which may be nested several times."""
    pkcs11: Any = implementation.pkcs11
    inner = [(pkcs11.CKA_WRAP_TEMPLATE, [(3, b"deep")]), (1, True)]
    probe.C_CreateObject(1, [(pkcs11.CKA_WRAP_TEMPLATE, inner), (3, "x")])
    told = notes()[0]["pTemplate"]
    wrap = int(pkcs11.CKA_WRAP_TEMPLATE)
    assert told == [[wrap, [[wrap, [[3, b"deep".hex()]]], [1, "01"]]], [3, "78"]]


@pytest.mark.crash_prone
def test_templates_without_end_are_refused(probe: Any) -> None:
    """A template that contains itself, or is nested too deep for the stack, is `RecursionError`."""
    endless: list[Any] = []
    endless.append((0x40000211, endless))
    assert outcome(probe.C_FindObjectsInit, 1, endless) == "RecursionError"
    deep: list[Any] = []
    for _ in range(200_000):
        deep = [(0x40000211, deep)]
    assert outcome(probe.C_FindObjectsInit, 1, deep) == "RecursionError"
    assert notes() == []


def test_templates_are_converted_in_every_function(probe: Any) -> None:
    """An empty template is NULL; an object that is no template is refused without a native call."""
    wrong = {}
    for name, position in positions("template"):
        script()
        parameter = FUNCTIONS[name].parameters[position][0]
        call(probe, name, position, [])
        if notes()[0][parameter] is not None:
            wrong[name, parameter, "empty"] = str(notes()[0][parameter])
        script()
        bad: list[Any] = [
            5,
            None,
            "ab",
            b"ab",
            [1],
            [(1,)],
            [[1, b""]],
            [(1, 2, 3)],
            [("1", b"")],
            [(1, 1.5)],
            [(1, object())],
            {"a": 1},
            [(1, [[]])],
            [(1, ["x"])],
        ]
        for value in bad:
            if (told := outcome(call, probe, name, position, value)) != "TypeError":
                wrong[name, parameter, str(value)] = told
        wide: list[Any] = [[(-1, b"")], [(ULONG_MAX + 1, b"")], [(1, -1)], [(1, ULONG_MAX + 1)], [(1, [-1])]]
        for value in wide:
            if (told := outcome(call, probe, name, position, value)) != "OverflowError":
                wrong[name, parameter, str(value)] = told
        if notes():
            wrong[name, parameter, "called"] = str(notes())
    assert wrong == {}


def test_large_templates_arrive(probe: Any) -> None:
    """A template with ten thousand attributes arrives in full."""
    probe.C_FindObjectsInit(1, [(index, index) for index in range(10_000)])
    told = notes()[0]["pTemplate"]
    assert len(told) == 10_000
    assert told[-1] == [9_999, (9_999).to_bytes(8, "little").hex()]


def test_a_template_that_changes_while_it_is_read_is_harmless(probe: Any) -> None:
    """If the conversion of an item changes the template, the call returns or raises, but never crashes."""
    template: list[Any] = []

    class Saboteur:
        def __index__(self) -> int:
            template.clear()
            return 5

    template.extend([(1, b"x" * 1000), (Saboteur(), bytearray(b"y")), (3, b"z")])
    outcome(probe.C_FindObjectsInit, 1, template)


def test_conversion_errors_are_the_caller_s_own(probe: Any) -> None:
    """An exception of ``__index__`` is raised unchanged."""

    class Broken:
        def __index__(self) -> int:
            raise KeyError("mine")

    for call_it in (
        lambda: probe.C_CloseSession(Broken()),
        lambda: probe.C_FindObjectsInit(1, [(1, Broken())]),
        lambda: probe.C_FindObjectsInit(1, [(Broken(), 1)]),
        lambda: probe.C_DigestInit(1, Broken()),
        lambda: probe.C_DigestInit(1, (1, Broken())),
        lambda: probe.C_GetAttributeValue(1, 1, [Broken()]),
    ):
        assert outcome(call_it) == "KeyError"


def test_every_function_makes_one_native_call(probe: Any, native: Native) -> None:
    """The shim counts exactly one call of the function, and no other, if one suffices."""
    for name, function in REGULAR.items():
        if name in {"C_OpenSession"}:
            continue
        values = arguments(function)
        assert native.counted(lambda name=name, values=values: getattr(probe, name)(*values)) == {name: 1}  # type: ignore[misc]
