"""Discovery of the installed bindings, by entry point and never by name.

A binding is whatever the entry-point group :data:`GROUP` names in the running interpreter, a partial variant what
:data:`VARIANTS` does; nothing else in this package knows which there are. :func:`discover` imports none of them: an
:class:`Implementation` imports its modules when they are first asked for, so that the cost and the failure of an import
belong to the one who asks.
"""

# SPDX-License-Identifier: Apache-2.0

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import cast

from cside_suite.contract import GROUP, KNOBS, VARIANTS
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms
from cside_suite.contract.pkcs11 import Pkcs11

__all__ = ["BindingError", "Implementation", "discover"]


class BindingError(Exception):
    """A binding cannot be found or imported; the text says which, and what to do about it."""


@dataclass(frozen=True, slots=True, order=True)
class Implementation:
    """A binding or a variant of one: something that has ``idioms``, ``codec`` and ``pkcs11``."""

    name: str
    """Unique: ``<binding>`` or ``<binding>.<variant>``."""
    target: str = field(compare=False)
    """Dotted name of the package behind it."""
    distribution: str = field(default="", compare=False)
    """Name of the installed distribution that declares it; empty if unknown."""
    partial: bool = field(default=False, compare=False)
    """Whether it offers :data:`KNOBS` only."""
    _modules: dict[str, ModuleType] = field(default_factory=dict, compare=False, repr=False)

    @property
    def binding(self) -> str:
        """The part of the name before the dot."""
        return self.name.partition(".")[0]

    @property
    def variant(self) -> str:
        """The part of the name after the dot, or empty."""
        return self.name.partition(".")[2]

    @property
    def unavailable(self) -> str | None:
        """Why a partial variant cannot be had on this interpreter; None where it can."""
        return cast("str | None", self._declared("unavailable")) if self.partial else None

    def offers(self, noun: str) -> frozenset[str] | None:
        """Names of a noun that it offers; None for all of the contract."""
        return KNOBS.get(noun, frozenset()) if self.partial else None

    @property
    def package(self) -> ModuleType:
        """The package that the entry point names. Raises `BindingError`."""
        return self.noun("")

    @property
    def features(self) -> frozenset[str]:
        """What the binding says it offers."""
        return cast("frozenset[str]", self._declared("features"))

    @property
    def gaps(self) -> Mapping[str, str]:
        """What the binding says it lacks, each with its reason."""
        return cast("Mapping[str, str]", self._declared("gaps"))

    @property
    def idioms(self) -> Idioms:
        """The module ``<package>.idioms``. Raises `BindingError`."""
        return cast(Idioms, self.noun("idioms"))

    @property
    def codec(self) -> Codec:
        """The module ``<package>.codec``. Raises `BindingError`."""
        return cast(Codec, self.noun("codec"))

    @property
    def pkcs11(self) -> Pkcs11:
        """The module ``<package>.pkcs11``. Raises `BindingError`."""
        return cast(Pkcs11, self.noun("pkcs11"))

    def noun(self, name: str) -> ModuleType:
        """Import ``<package>.<name>``, once. Raises `BindingError`, with the cause chained to it."""
        if name not in self._modules:
            path = f"{self.target}.{name}" if name else self.target
            try:
                self._modules[name] = importlib.import_module(path)
            except Exception as error:
                raise BindingError(
                    f"binding {self.name!r}: cannot import {path} ({type(error).__name__}: {error}); "
                    f"reinstall {self.distribution or 'the distribution that registers it'}"
                ) from error
        return self._modules[name]

    def _declared(self, what: str) -> object:
        try:
            return getattr(self.package, what)
        except AttributeError as error:
            raise BindingError(f"binding {self.name!r}: package {self.target} does not declare {what!r}") from error


def discover(names: Iterable[str] = (), *, partial: bool = False) -> list[Implementation]:
    """All implementations registered in this interpreter, sorted by name; ``partial`` adds the partial variants.

    ``names`` limits them: each is the full name of one, or of a binding, which selects its variants too.
    Raises `BindingError` for a name that selects nothing and for two entry points of one name.
    """
    found: dict[str, Implementation] = {}
    for group in (GROUP, VARIANTS):
        for point in entry_points(group=group):
            new = _implementation(point, partial=group == VARIANTS)
            old = found.setdefault(new.name, new)
            if old.target != new.target:
                raise BindingError(f"two packages register binding {new.name!r}: {old.target} and {new.target}")
    wanted = list(names)
    known = sorted(found.values())
    for name in wanted:
        if not any(name in (one.name, one.binding) for one in known):
            have = ", ".join(one.name for one in known) or "none"
            raise BindingError(f"no binding {name!r} is installed here; there is: {have}")
    chosen = [one for one in known if not wanted or one.name in wanted or one.binding in wanted]
    return [one for one in chosen if partial or not one.partial]


def _implementation(point: EntryPoint, *, partial: bool) -> Implementation:
    distribution = point.dist.name if point.dist is not None else ""
    return Implementation(name=point.name, target=point.value, distribution=distribution, partial=partial)
