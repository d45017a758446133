# SPDX-License-Identifier: Apache-2.0
"""Outputs: the number of native calls and their buffers, and modules that report a wrong length."""

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
    """Return the room of each call that was made."""
    (argument,) = (a.name for a in FUNCTIONS[name].arguments if a.role in {"bytes-out", "scalars-out"})
    return [note[argument] for note in notes()]


@pytest.mark.parametrize("name", BYTES)
def test_an_output_that_fits_takes_one_call(probe: Any, name: str) -> None:
    """An output that fits the first buffer, from no byte on, is returned in full by one call."""
    values = arguments(FUNCTIONS[name])
    (argument,) = (a.name for a in FUNCTIONS[name].arguments if a.role == "bytes-out")
    room = expected_note(name, values)[argument]
    for length in (0, 1, room):
        script(length=length)
        assert getattr(probe, name)(*values) == expected_result(name, values, length)
        assert rooms(name) == [room]


@pytest.mark.parametrize("name", BYTES)
def test_a_longer_output_takes_a_second_call(probe: Any, native: Native, name: str) -> None:
    """An output that does not fit takes one further call, with exactly the room that the module requested."""
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


def test_room_grows_with_the_input(probe: Any) -> None:
    """For an input of 1 MiB the output has room for 1 MiB and 512 bytes."""
    script(length=2**20 + ROOM)
    data = bytes(2**20)
    assert probe.C_Encrypt(1, data) == filled(2**20 + ROOM)
    assert rooms("C_Encrypt") == [2**20 + ROOM]


@pytest.mark.parametrize("name", [*BYTES, *NUMBERS])
def test_a_module_that_always_wants_more_room_is_an_error(
    implementation: Implementation, probe: Any, name: str
) -> None:
    """``CKR_BUFFER_TOO_SMALL`` with a length that fits, or for the second time, is raised."""
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
    """If the module reports a length beyond the room, `RuntimeError` is raised."""
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
def test_lists_of_any_length_are_complete(probe: Any, name: str) -> None:
    """A list of up to 64 numbers takes one call, a longer one two."""
    for length, calls in ((0, [64]), (64, [64]), (65, [64, 65]), (3000, [64, 3000])):
        script(length=length)
        assert getattr(probe, name)(True if name == "C_GetSlotList" else 1) == [100 + index for index in range(length)]
        assert rooms(name) == calls


def test_find_returns_at_most_the_requested_number(probe: Any) -> None:
    """``C_FindObjects`` returns the objects that were found, up to the requested number."""
    for length, limit in ((0, 10), (10, 10), (9, 10), (50, 10), (3, 0), (1000, 5000)):
        script(length=length)
        assert probe.C_FindObjects(1, limit) == [100 + index for index in range(min(length, limit))]


def test_random_bytes_have_the_requested_length(probe: Any) -> None:
    """``C_GenerateRandom`` returns the requested number of bytes, from none to a million."""
    for nbytes in (0, 1, 16, 1_000_000):
        assert probe.C_GenerateRandom(1, nbytes) == filled(nbytes)


@pytest.mark.crash_prone
def test_more_than_memory_is_refused(probe: Any) -> None:
    """A size that does not fit into memory is `MemoryError` or `OverflowError`, and no call is made."""
    for count in (2**62, 2**63 - 1, 2**63, 2**64 - 1):
        assert outcome(probe.C_GenerateRandom, 1, count) in {"MemoryError", "OverflowError"}
        assert outcome(probe.C_FindObjects, 1, count) in {"MemoryError", "OverflowError"}
        assert outcome(probe.C_AsyncJoin, 1, "C_Sign", 1, count) in {"MemoryError", "OverflowError"}
        assert outcome(probe.C_GetAttributeValue, 1, 1, [(1, count)]) in {"MemoryError", "OverflowError"}
    assert notes() == []


def test_only_the_last_part_of_a_message_has_a_signature(probe: Any) -> None:
    """``C_SignMessageNext`` requests a signature for the last part only, and returns None for the others."""
    assert probe.C_SignMessageNext(1, bytearray(b"parameter"), b"data", False) is None
    assert notes()[0]["pSignature"] == "declined"
    script()
    assert probe.C_SignMessageNext(1, bytearray(b"parameter"), b"data", True) == filled(3)


def test_attributes_are_read_in_one_call(probe: Any) -> None:
    """An attribute that is requested by its type has room for 256 bytes; a pair gives the room."""
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
    """Only the attributes that did not fit are asked for their lengths and then read."""
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
    """If some values cannot be read, the error has all others, also long ones, and None for these."""
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
    """An error that does not concern single attributes is raised at once, without a result."""
    script(rv=0x82)
    error: Any = failure(probe.C_GetAttributeValue, 1, 2, [0])
    assert (error.name, error.result) == ("CKR_OBJECT_HANDLE_INVALID", None)
    assert len(notes()) == 1
    script(attributes=(None,), attribute_rv=0x30)
    error = failure(probe.C_GetAttributeValue, 1, 2, [0])
    assert (error.name, error.result) == ("CKR_DEVICE_ERROR", None)
    assert len(notes()) == 1


def test_an_attribute_with_a_length_beyond_the_room_is_an_error(probe: Any) -> None:
    """An attribute whose length is beyond the room is `RuntimeError`."""
    script(lie=1000)
    assert told(probe.C_GetAttributeValue, 1, 2, [5]) == (
        "RuntimeError",
        "C_GetAttributeValue: the module reports 1003 bytes, there was room for 256",
    )


def test_success_without_a_value_is_none(probe: Any) -> None:
    """An attribute with ``CK_UNAVAILABLE_INFORMATION`` in a successful call is None."""
    script(attributes=(3, None), attribute_rv=0)
    assert probe.C_GetAttributeValue(1, 2, [0, 1]) == [(0, filled(3)), (1, None)]
    assert len(notes()) == 1


def test_templates_are_not_read_as_bytes(implementation: Implementation, probe: Any) -> None:
    """Reading a nested template is `ValueError`, since its bytes would be addresses."""
    pkcs11: Any = implementation.pkcs11
    for key in (pkcs11.CKA_WRAP_TEMPLATE, pkcs11.CKA_UNWRAP_TEMPLATE, pkcs11.CKA_DERIVE_TEMPLATE):
        assert outcome(probe.C_GetAttributeValue, 1, 2, [3, key]) == "ValueError"
    assert notes() == []


def test_wrong_types_of_attributes_are_refused(probe: Any) -> None:
    """An object that is no type of an attribute is refused without a native call."""
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


def test_info_structs_are_named_tuples(implementation: Implementation, probe: Any) -> None:
    """Text fields have no blanks at their end, versions are named tuples, and numbers are ``int``."""
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
