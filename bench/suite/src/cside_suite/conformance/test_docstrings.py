# SPDX-License-Identifier: Apache-2.0
"""Docstrings and signatures: ``help()`` and ``inspect.signature`` say what the contract says, in every binding."""

import ctypes
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from cside_suite.conformance import _probe, partial
from cside_suite.contract import codec, idioms, pkcs11
from cside_suite.subjects.bindings import Implementation

MODULES: Final = {"idioms": idioms.Idioms, "codec": codec.Codec, "pkcs11": pkcs11.Pkcs11}
CLASSES: Final[dict[str, dict[str, type]]] = {
    "idioms": {
        "StatusError": idioms.StatusError,
        "TraceRecord": idioms.TraceRecord,
        "Counter": idioms.CounterObject,
    },
    "codec": {
        "Compress": codec.Compress,
        "Decompress": codec.Decompress,
        "_ZlibDecompressor": codec.ZlibDecompressor,
    },
    "pkcs11": {"PKCS11Error": pkcs11.PKCS11Error, "Module": pkcs11.OpenModule},
}
"""The protocols of objects, by the names of their classes."""
MADE: Final[dict[str, Callable[[Any], object]]] = {
    "TraceRecord": lambda module: module.trace_read(0),
    "Compress": lambda module: module.compressobj(),
    "Decompress": lambda module: module.decompressobj(),
}
"""What makes an object of a class that need not be public."""

ALIASES: Final = frozenset({"idioms.noop", "idioms.f32_add", "idioms.f64_add", "idioms.tls_get"})
"""Functions that may be the technique's own object for the C function, which has a docstring of its own or none.

They are the ones that need no conversion of ours: a wrapper would add a fifth to the time of the call and do nothing.
"""


class _Struct(ctypes.Structure):
    _fields_ = [("field", ctypes.c_int)]


UNDESCRIBED: Final[tuple[type, ...]] = () if _Struct.field.__doc__ else (type(_Struct.field),)
"""The type of a field of a struct of ctypes where it has no docstring and cannot be given one, which is so on PyPy."""

TEXT_SIGNATURES: Final = bool(getattr(_probe.notes, "__text_signature__", None))
"""Whether this interpreter reads the signature in the docstring of a compiled function, which ours has."""


def described(noun: str) -> Iterator[tuple[str, Any]]:
    """The path of each function, class, method and property of a module, and what the contract has for it."""
    own = vars(MODULES[noun])
    for name, member in own.items():
        if name not in CLASSES[noun] and has_text(member):
            yield name, member
    for name, protocol in CLASSES[noun].items():
        yield name, own[name] if inspect.isfunction(own.get(name)) else protocol
        for base in reversed(protocol.__mro__[:-1]):
            for method, member in vars(base).items():
                if base.__module__.startswith("cside_suite.") and has_text(member):
                    yield f"{name}.{method}", member


def has_text(value: object) -> bool:
    """Whether a member of a protocol has a docstring that somebody wrote."""
    return isinstance(value, types.FunctionType | property) and bool(value.__doc__)


def offered(module: Any, path: str) -> Any:
    """What a binding has for a path; a property itself, and not its value."""
    name, _, method = path.partition(".")
    found = type(MADE[name](module)) if name in MADE else getattr(module, name)
    return inspect.getattr_static(found, method) if method else found


def is_alias(noun: str, path: str, value: object) -> bool:
    """Whether a function is an object of the technique: no function of Python, nor bound to a module or to nothing."""
    bound = type(getattr(value, "__self__", value))
    defined = inspect.isfunction(value) or bound is type(None) or issubclass(bound, types.ModuleType)
    return f"{noun}.{path}" in ALIASES and not defined


@pytest.mark.parametrize("noun", MODULES)
def test_docstrings_are_those_of_the_contract(implementation: Implementation, noun: str) -> None:
    """Every function, class, method and property has the contract's text, which names each exception that it raises."""
    module: Any = partial.noun(implementation, noun)
    wrong = {}
    for path, wanted in described(noun):
        value = offered(module, path)
        same = inspect.cleandoc(value.__doc__ or "") == inspect.cleandoc(wanted.__doc__)
        if not same and not is_alias(noun, path, value):
            wrong[path] = value.__doc__
    assert wrong == {}


@pytest.mark.parametrize("noun", MODULES)
def test_signatures_are_those_of_the_contract(implementation: Implementation, noun: str) -> None:
    """Every function and method has the contract's parameters: names, kinds and defaults."""
    module: Any = partial.noun(implementation, noun)
    wrong = {}
    for path, wanted in described(noun):
        value = offered(module, path)
        if isinstance(wanted, types.FunctionType) and (TEXT_SIGNATURES or inspect.isfunction(value)):
            try:
                found: Any = parameters(value, bound="." not in path)
            except ValueError as none:
                found = none
            if found != parameters(wanted, bound=False) and not is_alias(noun, path, value):
                wrong[path] = found
    assert wrong == {}


def parameters(function: Any, *, bound: bool) -> list[tuple[str, str, object]]:
    """Name, kind and default of each parameter but the first, which is the object or module, unless it is bound."""
    if inspect.isclass(function) and function.__text_signature__:  # inspect of PyPy 3.11 does not look there
        function = eval(f"lambda {function.__text_signature__[1:-1]}: None")
    found = list(inspect.signature(function).parameters.values())[0 if bound else 1 :]
    return [(it.name, it.kind.name, it.default) for it in found]


def shown(module: Any) -> Iterator[tuple[str, Any]]:
    """The path of each function and class that a module offers, and of each method and property of such a class.

    Whether the contract has it is not asked: tools add methods of their own to classes, and ``help()`` shows them too.
    What ``cside_native`` or Python itself defines is left out.
    """
    package = module.__name__.partition(".")[0]
    names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
    for name in names:
        value = getattr(module, name)
        if not callable(value) or (getattr(value, "__module__", None) or package).partition(".")[0] != package:
            continue
        yield name, value
        for member in dir(value) if inspect.isclass(value) else ():
            owners = [base for base in inspect.getmro(value) if member in vars(base)]
            if not member.startswith("_") and owners and owners[0].__module__ not in ("builtins", "_ctypes"):
                found = vars(owners[0])[member]
                if callable(found) or hasattr(found, "__get__"):
                    yield f"{name}.{member}", found


@pytest.mark.parametrize("noun", MODULES)
def test_whatever_help_shows_is_described(implementation: Implementation, noun: str) -> None:
    """Every function, class, method and property has a docstring, also those that the contract does not have.

    It speaks of the function: neither of the tool that made the wrapper, nor to the authors of bindings, as comments of
    the C header do.
    """
    module: Any = partial.noun(implementation, noun)
    tool = implementation.name.partition(".")[0]
    wrong = {}
    for path, value in shown(module):
        text = value.__doc__ or ""
        misplaced = "Binding:" in text or tool in text.lower()
        described = text.strip() or isinstance(value, UNDESCRIBED)
        if (misplaced or not described) and not is_alias(noun, path, value):
            wrong[path] = value.__doc__
    assert wrong == {}


@pytest.mark.skipif(not TEXT_SIGNATURES, reason="this interpreter reads no signatures of compiled functions")
@pytest.mark.parametrize("noun", MODULES)
def test_whatever_can_be_called_has_a_signature(implementation: Implementation, noun: str) -> None:
    """`inspect.signature` reads every function and method, and every class that is called to make an object."""
    module: Any = partial.noun(implementation, noun)
    made = {name for name, member in vars(MODULES[noun]).items() if inspect.isfunction(member)}
    wrong = {}
    for path, value in shown(module):
        if callable(value) and not (inspect.isclass(value) and path not in made) and not is_alias(noun, path, value):
            try:
                parameters(value, bound=True)
            except ValueError as none:
                wrong[path] = str(none)
    assert wrong == {}
