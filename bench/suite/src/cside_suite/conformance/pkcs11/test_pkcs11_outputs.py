# SPDX-License-Identifier: Apache-2.0
"""Room for outputs: how often the module is asked, what it may answer, and what happens when it lies."""

from typing import Any

import pytest

from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import failure, outcome, told
from cside_suite.conformance.pkcs11 import pkcs11_probe
from cside_suite.conformance.pkcs11._pkcs11_table import FUNCTIONS
from cside_suite.conformance.pkcs11.pkcs11_probe import (
    ROOM,
    arguments,
    expected_note,
    expected_result,
    filled,
    is_refusal,
    notes,
    script,
)
from cside_suite.subjects.bindings import Implementation

BYTES = [name for name, function in FUNCTIONS.items() if any(kind == "bytes" for kind, _ in function.results)]
NUMBERS = [name for name, function in FUNCTIONS.items() if any(kind == "ints" for kind, _ in function.results)]
LIMITED = [name for name, function in FUNCTIONS.items() if any(kind == "limited" for kind, _ in function.results)]


@pytest.fixture
def probe(implementation: Implementation) -> Any:
    """A module that notes its arguments."""
    return pkcs11_probe.opened(implementation)


def rooms(name: str) -> list[int]:
    """The room of each call that was made."""
    (argument,) = (a.name for a in FUNCTIONS[name].arguments if a.role in {"bytes-out", "scalars-out"})
    return [note[argument] for note in notes()]


@pytest.mark.parametrize("name", BYTES)
def test_one_call_where_the_output_fits(probe: Any, name: str) -> None:
    """Outputs of no byte up to the whole room come back from the first call, whole."""
    values = arguments(FUNCTIONS[name])
    (argument,) = (a.name for a in FUNCTIONS[name].arguments if a.role == "bytes-out")
    room = expected_note(name, values)[argument]
    for length in (0, 1, room):
        script(length=length)
        assert getattr(probe, name)(*values) == expected_result(name, values, length)
        assert rooms(name) == [room]


@pytest.mark.parametrize("name", BYTES)
def test_a_second_call_where_it_does_not(probe: Any, native: Native, name: str) -> None:
    """A longer output takes one more call, with exactly the room that was asked for."""
    values = arguments(FUNCTIONS[name])
    (argument,) = (a.name for a in FUNCTIONS[name].arguments if a.role == "bytes-out")
    room = expected_note(name, values)[argument]
    for length in (room + 1, 100_000):
        script(length=length)
        result: list[Any] = []
        counted = native.counted(lambda result=result: result.append(getattr(probe, name)(*values)))  # type: ignore[misc]
        assert result == [expected_result(name, values, length)]
        assert rooms(name) == [room, length]
        assert counted == {name: 2}


def test_room_grows_with_what_goes_in(probe: Any) -> None:
    """A megabyte in has room for a megabyte and 512 bytes out."""
    script(length=2**20 + ROOM)
    data = bytes(2**20)
    assert probe.C_Encrypt(1, data) == filled(2**20 + ROOM)
    assert rooms("C_Encrypt") == [2**20 + ROOM]


@pytest.mark.parametrize("name", [*BYTES, *NUMBERS])
def test_a_module_that_is_never_content_is_not_asked_for_ever(
    implementation: Implementation, probe: Any, name: str
) -> None:
    """``CKR_BUFFER_TOO_SMALL`` with a length that was there, or a second time, is the error that it is."""
    values = arguments(FUNCTIONS[name])
    script(shortages=100)
    error: Any = failure(getattr(probe, name), *values)
    assert is_refusal(implementation, error)
    assert (error.name, error.function) == ("CKR_BUFFER_TOO_SMALL", name)
    assert len(notes()) == 1
    script(shortages=100, length=5000)
    error = failure(getattr(probe, name), *values)
    assert (error.name, error.function) == ("CKR_BUFFER_TOO_SMALL", name)
    assert len(notes()) == 2


@pytest.mark.parametrize("name", [*BYTES, *NUMBERS, *LIMITED])
def test_a_length_beyond_the_room_is_an_error(probe: Any, name: str) -> None:
    """A module that claims to have written more than there was room for is caught, and nothing of it is read."""
    values = arguments(FUNCTIONS[name])
    (argument,) = (a for a in FUNCTIONS[name].arguments if a.role in {"bytes-out", "scalars-out", "scalars-limited"})
    note = expected_note(name, values)
    room = note[argument.limit or argument.name]
    unit = "bytes" if argument.role == "bytes-out" else "items"
    for lie in (room, 2**40, 2**64 - 4):
        script(lie=lie)
        reported = (3 + lie) % 2**64
        assert told(getattr(probe, name), *values) == (
            "RuntimeError",
            f"{name}: the module reports {reported} {unit}, there was room for {room}",
        )


@pytest.mark.parametrize("name", NUMBERS)
def test_lists_of_any_length(probe: Any, name: str) -> None:
    """Up to 64 numbers take one call, more take two."""
    for length, calls in ((0, [64]), (64, [64]), (65, [64, 65]), (3000, [64, 3000])):
        script(length=length)
        assert getattr(probe, name)(True if name == "C_GetSlotList" else 1) == [100 + index for index in range(length)]
        assert rooms(name) == calls


def test_find_gives_at_most_what_was_asked_for(probe: Any) -> None:
    """No object, some, as many as asked for."""
    for length, limit in ((0, 10), (10, 10), (9, 10), (50, 10), (3, 0), (1000, 5000)):
        script(length=length)
        assert probe.C_FindObjects(1, limit) == [100 + index for index in range(min(length, limit))]


def test_random_bytes_come_as_many_as_asked_for(probe: Any) -> None:
    """None at all, some, a million."""
    for nbytes in (0, 1, 16, 1_000_000):
        assert probe.C_GenerateRandom(1, nbytes) == filled(nbytes)


@pytest.mark.crash_prone
def test_more_than_memory_is_refused(probe: Any) -> None:
    """A count that no memory can hold is `MemoryError` or `OverflowError`, and no call is made."""
    for count in (2**62, 2**63 - 1, 2**63, 2**64 - 1):
        assert outcome(probe.C_GenerateRandom, 1, count) in {"MemoryError", "OverflowError"}
        assert outcome(probe.C_FindObjects, 1, count) in {"MemoryError", "OverflowError"}
        assert outcome(probe.C_AsyncJoin, 1, "C_Sign", 1, count) in {"MemoryError", "OverflowError"}
        assert outcome(probe.C_GetAttributeValue, 1, 1, [(1, count)]) in {"MemoryError", "OverflowError"}
    assert notes() == []


def test_the_last_part_of_a_message_has_a_signature(probe: Any) -> None:
    """Only where it is asked for: otherwise the module is told that more is to come."""
    assert probe.C_SignMessageNext(1, bytearray(b"parameter"), b"data", False) is None
    assert notes()[0]["pSignature"] == "declined"
    script()
    assert probe.C_SignMessageNext(1, bytearray(b"parameter"), b"data", True) == filled(3)


def test_attributes_are_read_in_one_call(probe: Any) -> None:
    """Types alone have room for 256 bytes each; a pair says how much there is to be."""
    script(attributes=(0, 1, 256, 10))
    assert probe.C_GetAttributeValue(1, 2, [0, 1, 2, (3, 10), 77]) == [
        (0, b""),
        (1, filled(1)),
        (2, filled(256)),
        (3, filled(10)),
        (77, filled(3)),
    ]
    assert notes() == [
        {
            "function": "C_GetAttributeValue",
            "hSession": 1,
            "hObject": 2,
            "pTemplate": [[0, 256], [1, 256], [2, 256], [3, 10], [77, 256]],
        }
    ]
    script()
    assert probe.C_GetAttributeValue(1, 2, []) == []
    assert len(notes()) == 1


def test_longer_attributes_take_two_more_calls(probe: Any, native: Native) -> None:
    """Those that did not fit, and no others, are asked for their lengths and then read."""
    script(attributes=(300, 1, 5000, 11))
    result: list[Any] = []
    counted = native.counted(lambda: result.append(probe.C_GetAttributeValue(1, 2, iter([0, 1, 2, (3, 10)]))))
    assert result == [[(0, filled(300)), (1, filled(1)), (2, filled(5000)), (3, filled(11))]]
    assert [note["pTemplate"] for note in notes()] == [
        [[0, 256], [1, 256], [2, 256], [3, 10]],
        [[0, None], [2, None], [3, None]],
        [[0, 300], [2, 5000], [3, 11]],
    ]
    assert counted == {"C_GetAttributeValue": 3}


@pytest.mark.parametrize(("rv", "name"), [(0x11, "CKR_ATTRIBUTE_SENSITIVE"), (0x12, "CKR_ATTRIBUTE_TYPE_INVALID")])
def test_what_cannot_be_read_is_an_error_with_the_rest(
    implementation: Implementation, probe: Any, rv: int, name: str
) -> None:
    """The error has what could be read, and None for what could not; a long one beside a secret one is not lost."""
    script(attributes=(3, None, 300), attribute_rv=rv)
    error: Any = failure(probe.C_GetAttributeValue, 1, 2, [0, 1, 2])
    assert is_refusal(implementation, error)
    assert (error.rv, error.name, error.function) == (rv, name, "C_GetAttributeValue")
    assert error.result == [(0, filled(3)), (1, None), (2, filled(300))]
    assert [note["pTemplate"] for note in notes()] == [
        [[0, 256], [1, 256], [2, 256]],
        [[1, None], [2, None]],
        [[2, 300]],
    ]
    script(attributes=(3, None), attribute_rv=rv)
    error = failure(probe.C_GetAttributeValue, 1, 2, [0, 1])
    assert error.result == [(0, filled(3)), (1, None)]
    assert len(notes()) == 2


def test_other_failures_of_reading_have_no_result(probe: Any) -> None:
    """An error that says nothing about single attributes is raised at once."""
    script(rv=0x82)
    error: Any = failure(probe.C_GetAttributeValue, 1, 2, [0])
    assert (error.name, error.result) == ("CKR_OBJECT_HANDLE_INVALID", None)
    assert len(notes()) == 1
    script(attributes=(None,), attribute_rv=0x30)
    error = failure(probe.C_GetAttributeValue, 1, 2, [0])
    assert (error.name, error.result) == ("CKR_DEVICE_ERROR", None)
    assert len(notes()) == 1


def test_an_attribute_that_lies_about_its_length(probe: Any) -> None:
    """A length beyond the room is never read."""
    script(lie=1000)
    assert told(probe.C_GetAttributeValue, 1, 2, [5]) == (
        "RuntimeError",
        "C_GetAttributeValue: the module reports 1003 bytes, there was room for 256",
    )


def test_success_without_a_value(probe: Any) -> None:
    """``CK_UNAVAILABLE_INFORMATION`` with success is a value that is not to be had: None."""
    script(attributes=(3, None), attribute_rv=0)
    assert probe.C_GetAttributeValue(1, 2, [0, 1]) == [(0, filled(3)), (1, None)]
    assert len(notes()) == 1


def test_templates_are_not_read_as_bytes(implementation: Implementation, probe: Any) -> None:
    """The bytes of a nested template would be addresses: reading one is refused."""
    pkcs11: Any = implementation.pkcs11
    for key in (pkcs11.CKA_WRAP_TEMPLATE, pkcs11.CKA_UNWRAP_TEMPLATE, pkcs11.CKA_DERIVE_TEMPLATE):
        assert outcome(probe.C_GetAttributeValue, 1, 2, [3, key]) == "ValueError"
    assert notes() == []


def test_wrong_types_of_attributes(probe: Any) -> None:
    """What is no type is refused before the call."""
    for value, kind in (
        (5, "TypeError"),
        (None, "TypeError"),
        (["x"], "TypeError"),
        ([(1,)], "TypeError"),
        ([[1, 2]], "TypeError"),
        ([(1, 2, 3)], "TypeError"),
        ([(1, "x")], "TypeError"),
        ([-1], "OverflowError"),
        ([2**64], "OverflowError"),
        ([(1, -1)], "OverflowError"),
    ):
        assert outcome(probe.C_GetAttributeValue, 1, 2, value) == kind, value
    assert notes() == []


def test_text_of_info_structs(implementation: Implementation, probe: Any) -> None:
    """Fields are text without the blanks at their end, nested versions named tuples, numbers ``int``."""
    pkcs11: Any = implementation.pkcs11
    info = probe.C_GetInfo()
    assert type(info) is pkcs11.CK_INFO
    assert type(info.cryptokiVersion) is pkcs11.CK_VERSION
    assert (info.cryptokiVersion.major, info.libraryDescription, info.flags) == (1, "libraryDescr", 503)
    assert type(info.flags) is int
    assert hash(info) == hash(tuple(info)) == hash(probe.C_GetInfo())
    assert repr(info).startswith(
        "CK_INFO(cryptokiVersion=CK_VERSION(major=1, minor=101), manufacturerID='manufacturer'"
    )
