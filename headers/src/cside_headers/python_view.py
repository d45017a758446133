# SPDX-License-Identifier: Apache-2.0
"""The Python view of a model: methods with parameters and results, named tuples.

This module replaces the conventions of C: a pointer and its length become a byte string, output arguments become
results, and reserved arguments are dropped. The contract of the bindings' ``pkcs11`` describes each kind of parameter
and result; the templates render code for each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cside_headers.model import Argument, Field, Function, Model, Role, Struct

__all__ = ["SPECIAL", "Method", "Parameter", "Result", "Tuple", "TupleField", "methods", "tuples"]

SPECIAL = frozenset(
    {
        "C_Initialize",
        "C_Finalize",
        "C_GetFunctionList",
        "C_GetInterfaceList",
        "C_GetInterface",
        "C_OpenSession",
        "C_CloseSession",
        "C_CloseAllSessions",
        "C_GetAttributeValue",
        "C_AsyncComplete",
    }
)
"""Functions that are written by hand in each binding, because they do more than convert: they keep callbacks alive,
repeat calls, or follow pointers."""

PARAMETERS: Mapping[str, Mapping[str, str | None]] = {
    "CK_RSA_PKCS_OAEP_PARAMS": {},
    "CK_RSA_PKCS_PSS_PARAMS": {},
    "CK_ECDH1_DERIVE_PARAMS": {},
    "CK_AES_CBC_ENCRYPT_DATA_PARAMS": {},
    "CK_KEY_DERIVATION_STRING_DATA": {},
    "CK_AES_CTR_PARAMS": {},
    "CK_GCM_PARAMS": {},
    "CK_CCM_PARAMS": {},
    "CK_EDDSA_PARAMS": {},
    "CK_HKDF_PARAMS": {},
    "CK_GCM_MESSAGE_PARAMS": {"pIv": None, "pTag": "ulTagBits"},
}
"""Parameter structs that bindings build from named tuples, each with the fields that a function may write into. The
value of such a field is None, or for a pointer without a length the name of the field that has its size in bits."""

INIT_ARGS = "CK_C_INITIALIZE_ARGS"

_SCALARS = {"CK_BYTE", "CK_CHAR", "CK_UTF8CHAR", "CK_BBOOL", "CK_ULONG", "CK_LONG"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method.

    `kind` is one of int, bool, bytes, text, cstring, padded, mechanism, version, template, types, parameter, callback,
    init-args, count (the number of bytes or items to request) and want (whether an output is requested).
    """

    name: str
    kind: str
    annotation: str
    argument: Argument
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a method.

    `kind` is one of int, bytes, filled, ints, limited, tuple, tuples, pointer and attributes.
    """

    kind: str
    annotation: str
    argument: Argument


@dataclass(frozen=True, slots=True)
class Method:
    """A function as a Python method. All parameters are positional only."""

    function: Function
    parameters: tuple[Parameter, ...]
    results: tuple[Result, ...]

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.name

    @property
    def special(self) -> bool:
        """Whether each binding has its body written by hand."""
        return self.name in SPECIAL

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the byte strings from whose sizes the room for the first call is computed."""
        return tuple(p.name for p in self.parameters if p.kind == "bytes")

    @property
    def signature(self) -> str:
        """The parameters, as ``hSession: int, pData: Buffer | None, /``; empty if there are none."""
        parts = [f"{p.name}: {p.annotation}" + (f" = {p.default}" if p.default else "") for p in self.parameters]
        return ", ".join([*parts, "/"]) if parts else ""

    @property
    def annotation(self) -> str:
        """The type of the result: ``None``, one type, or a tuple of several."""
        if not self.results:
            return "None"
        if len(self.results) == 1:
            return self.results[0].annotation
        return f"tuple[{', '.join(r.annotation for r in self.results)}]"

    def parameter(self, argument: str) -> Parameter | None:
        """The parameter for the C argument of this name; None if there is none."""
        return next((p for p in self.parameters if p.argument.name == argument), None)


@dataclass(frozen=True, slots=True)
class TupleField:
    """A field of a named tuple.

    `kind` is one of int, bool, text (padded with blanks), bytes (an array of fixed size), tuple (a nested struct),
    buffer (a pointer and its length), writable (a buffer that the module writes to), callback and pointer.
    """

    name: str
    kind: str
    annotation: str
    field: Field
    bits: str | None = None
    """For a writable pointer without a length, the field that has its size in bits."""


@dataclass(frozen=True, slots=True)
class Tuple:
    """A struct as a named tuple of the same name. `direction` is in or out."""

    struct: Struct
    fields: tuple[TupleField, ...]
    direction: str

    @property
    def name(self) -> str:
        """Name of the struct."""
        return self.struct.name


def _parameter(function: Function, argument: Argument) -> Parameter | None:
    def made(kind: str, annotation: str, default: str | None = None, name: str | None = None) -> Parameter:
        return Parameter(name or argument.name, kind, annotation, argument, default)

    match argument.role:
        case Role.SCALAR_IN:
            return made("bool", "object") if argument.type == "CK_BBOOL" else made("int", "SupportsIndex")
        case Role.BYTES_IN:
            return made("bytes", "Buffer | None")
        case Role.TEXT_IN:
            if argument.length is None:
                return made("cstring", "str | None")
            return made("text", "str | Buffer | None")
        case Role.PADDED_IN:
            return made("padded", "str | Buffer")
        case Role.STRUCT_IN if argument.target == "CK_VERSION":
            return made("version", "tuple[int, int] | None")
        case Role.STRUCT_IN:
            return made("mechanism", "Mechanism | None")
        case Role.STRUCTS_IN:
            return made("template", "Template")
        case Role.STRUCTS_INOUT:
            return made("types", "Iterable[int | tuple[int, int]]")
        case Role.PARAMETER:
            return made("parameter", "MechanismParameter")
        case Role.CALLBACK:
            return made("callback", "Notify | None", "None")
        case Role.INIT_ARGS:
            return made("init-args", f"{INIT_ARGS} | None", "None")
        case Role.BYTES_FILLED:
            return made("count", "SupportsIndex", name=argument.length)
        case Role.SCALARS_LIMITED:
            return made("count", "SupportsIndex", name=argument.limit)
        case Role.BYTES_OUT if argument.optional:
            return made("want", "object")
        case _:
            return None


def _result(argument: Argument) -> Result | None:
    match argument.role:
        case Role.SCALAR_OUT:
            return Result("int", "int", argument)
        case Role.BYTES_OUT:
            return Result("bytes", "bytes | None" if argument.optional else "bytes", argument)
        case Role.BYTES_FILLED:
            return Result("filled", "bytes", argument)
        case Role.SCALARS_OUT:
            return Result("ints", "list[int]", argument)
        case Role.SCALARS_LIMITED:
            return Result("limited", "list[int]", argument)
        case Role.STRUCT_OUT:
            return Result("tuple", str(argument.target), argument)
        case Role.STRUCTS_OUT:
            return Result("tuples", f"list[{argument.target}]", argument)
        case Role.STRUCTS_INOUT:
            return Result("attributes", "list[tuple[int, bytes | None]]", argument)
        case Role.POINTER_OUT:
            interface = "INTERFACE" in argument.type
            return Result("pointer", "CK_INTERFACE" if interface else "CK_VERSION", argument)
        case _:
            return None


def methods(model: Model) -> list[Method]:
    """Every function of the model as a method, in the order of the function list."""
    return [
        Method(
            function,
            tuple(p for a in function.arguments if (p := _parameter(function, a)) is not None),
            tuple(r for a in function.arguments if (r := _result(a)) is not None),
        )
        for function in model.functions
    ]


def _field(model: Model, field: Field, writable: Mapping[str, str | None]) -> TupleField:
    structs = {struct.name for struct in model.structs}
    typedefs = {typedef.name: typedef for typedef in model.typedefs}
    callbacks = {callback.name for callback in model.callbacks}
    if field.name in writable:
        return TupleField(field.name, "writable", "Buffer", field, writable[field.name])
    if field.type in callbacks:
        return TupleField(field.name, "callback", "Callable[..., object] | None", field)
    if field.count is not None:
        text = field.type in ("CK_UTF8CHAR", "CK_CHAR")
        return TupleField(field.name, "text" if text else "bytes", "str" if text else "bytes", field)
    if field.type in structs:
        return TupleField(field.name, "tuple", field.type, field)
    if field.type in typedefs and typedefs[field.type].pointers:
        kind = "buffer" if field.length is not None else "pointer"
        return TupleField(field.name, kind, "Buffer | None", field)
    if field.type == "CK_BBOOL":
        return TupleField(field.name, "bool", "bool", field)
    return TupleField(field.name, "int", "int", field)


def _tuple(model: Model, struct: Struct, direction: str, writable: Mapping[str, str | None]) -> Tuple:
    lengths = {field.length for field in struct.fields if field.length is not None}
    fields = tuple(_field(model, field, writable) for field in struct.fields if field.name not in lengths)
    return Tuple(struct, fields, direction)


def tuples(model: Model) -> list[Tuple]:
    """Named tuples for the structs that functions return, ``CK_VERSION`` first, then for :data:`PARAMETERS`.

    Structs that the model does not have are left out. ``CK_INTERFACE``, ``CK_ASYNC_DATA`` and ``CK_C_INITIALIZE_ARGS``
    contain pointers that have no meaning in Python; their tuples are written by hand in the template.
    """
    by_name = {struct.name: struct for struct in model.structs}
    byhand = {"CK_INTERFACE", "CK_ASYNC_DATA", INIT_ARGS}
    targets = [a.target for f in model.functions for a in f.arguments if a.role is Role.STRUCT_OUT]
    outs = dict.fromkeys(["CK_VERSION", *(t for t in targets if t is not None and t not in byhand)])
    made = [_tuple(model, by_name[name], "out", {}) for name in outs if name in by_name]
    made += [_tuple(model, by_name[name], "in", w) for name, w in PARAMETERS.items() if name in by_name]
    return made
