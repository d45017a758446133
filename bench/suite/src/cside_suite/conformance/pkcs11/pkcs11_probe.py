# SPDX-License-Identifier: Apache-2.0
"""The probe, a module that notes its arguments (``_probe.c``), and what it notes and returns for valid arguments."""

import json
from typing import Any, Final

from cside_suite.conformance import _probe
from cside_suite.conformance.pkcs11._pkcs11_table import FILLED, FUNCTIONS, Function
from cside_suite.subjects.bindings import Implementation

CKA_LABEL: Final = 0x3
CKA_TOKEN: Final = 0x1
CKM_AES_CBC: Final = 0x1082
ROOM: Final = 512
"""The room for a byte string as an output, in addition to the sizes of the inputs."""

script = _probe.script

SPECIAL: Final = {"C_GetInterfaceList", "C_GetInterface", "C_GetFunctionList", "C_Initialize", "C_GetAttributeValue"}
"""Functions that have tests of their own."""

REGULAR: Final = {name: function for name, function in FUNCTIONS.items() if name not in SPECIAL}
"""All other functions."""


def opened(implementation: Implementation) -> Any:
    """Open the probe by a binding, without notes and orders."""
    assert _probe.__file__ is not None
    module = implementation.pkcs11.load(_probe.__file__)
    script()
    return module


def is_refusal(implementation: Implementation, error: object) -> bool:
    """Return whether the type of an error is the binding's ``PKCS11Error`` itself."""
    return type(error) is implementation.pkcs11.PKCS11Error


def notes() -> list[dict[str, Any]]:
    """Return the calls since the last ``script()``, in order."""
    return [json.loads(line) for line in _probe.notes()]


def valid(name: str, kind: str, position: int) -> Any:
    """Return a valid value for a parameter, which differs between positions."""
    match kind:
        case "int":
            return 5 + position
        case "bool" | "want":
            return True
        case "bytes":
            return b"%s %d" % (name.encode(), position)
        case "parameter":  # the module may write to it
            return bytearray(b"%s %d" % (name.encode(), position))
        case "text":
            return f"{name} é {position}"
        case "cstring":
            return f"{name} é"
        case "padded":
            return "Étiquette"
        case "version":
            return (2, 40)
        case "mechanism":
            return (CKM_AES_CBC, b"\x01\x02%d" % position)
        case "template":
            return [(CKA_LABEL, f"é {position}"), (CKA_TOKEN, True)]
        case "count":
            return 40 + position
        case "callback" | "init-args":
            return None
    raise AssertionError(f"kind {kind!r} is not known")


def arguments(function: Function) -> list[Any]:
    """Return valid arguments of a function."""
    return [valid(name, kind, position) for position, (name, kind) in enumerate(function.parameters)]


def noted(kind: str, value: Any) -> Any:
    """Return what the probe notes for a value."""
    match kind:
        case "bool":
            return int(value)
        case "bytes" | "parameter":
            return None if value is None else bytes(value).hex()
        case "text" | "cstring":
            return None if value is None else value.encode().hex()
        case "padded":
            return value.encode().ljust(32).hex()
        case "version":
            return None if value is None else list(value)
        case "mechanism":
            return None if value is None else [value[0], value[1].hex()]
        case "template":
            return [[key, ("01" if item is True else item.encode().hex())] for key, item in value]
        case _:
            return value


def expected_note(name: str, values: list[Any]) -> dict[str, Any]:
    """Return what the probe notes of one call with these arguments."""
    function = FUNCTIONS[name]
    given = {p: (kind, value) for (p, kind), value in zip(function.parameters, values, strict=True)}
    inputs = sum(len(value) for kind, value in given.values() if kind == "bytes" and value is not None)
    note: dict[str, Any] = {"function": name}
    for argument in function.arguments:
        match argument.role:
            case "bytes-out":
                declined = argument.name in given and not given[argument.name][1]
                note[argument.name] = "declined" if declined else inputs + ROOM
            case "scalars-out":
                note[argument.name] = 64
            case "bytes-filled":
                assert argument.length is not None
                note[argument.length] = given[argument.length][1]
            case "scalars-limited":
                assert argument.limit is not None
                note[argument.limit] = given[argument.limit][1]
            case "reserved" | "callback":
                note[argument.name] = None
            case _ if argument.name in given:
                kind, value = given[argument.name]
                note[argument.name] = noted(kind, value)
    return note


def filled(nbytes: int) -> bytes:
    """Return the bytes that the probe writes."""
    return bytes((index * 7 + 1) % 256 for index in range(nbytes))


def expected_result(name: str, values: list[Any], length: int = 3) -> Any:
    """Return the result of a function of the probe with these arguments."""
    function = FUNCTIONS[name]
    given = {p: value for (p, _), value in zip(function.parameters, values, strict=True)}
    results: list[Any] = []
    for kind, position in function.results:
        argument = next((a for a in function.arguments if a.limit is not None or a.role == "bytes-filled"), None)
        match kind:
            case "int":
                results.append(1000 + position if name != "C_OpenSession" else 77)
            case "bytes":
                results.append(filled(length))
            case "filled":
                assert argument is not None and argument.length is not None
                results.append(filled(given[argument.length]))
            case "ints":
                results.append([100 + index for index in range(length)])
            case "limited":
                assert argument is not None and argument.limit is not None
                results.append([100 + index for index in range(min(length, given[argument.limit]))])
            case "CK_ASYNC_DATA":
                results.append((501, filled(3), 504, 505))
            case _:
                results.append(FILLED[kind])
    if not results:
        return None
    return results[0] if len(results) == 1 else tuple(results)
