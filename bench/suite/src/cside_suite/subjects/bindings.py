# SPDX-License-Identifier: Apache-2.0
"""Discovery of the installed bindings, by entry point and never by name.

The bindings are the entry points of the group :data:`GROUP` in the running interpreter, the partial variants those of
:data:`VARIANTS`; nothing else in this package knows which there are. :func:`discover` imports none of them. An
:class:`Implementation` imports its modules when they are first used, so that the caller who needs a module pays for its
import and gets the error if it fails.
"""

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import cast

from cside_suite.contract import GROUP, KNOBS, NOUNS, VARIANTS
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms
from cside_suite.contract.pkcs11 import Pkcs11

__all__ = ["BindingError", "Implementation", "discover"]


class BindingError(Exception):
    """A binding cannot be found or imported; the text says which one, and what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Implementation:
    """An installed binding or variant, which has the modules that :attr:`nouns` names."""

    name: str
    """The unique name, ``<binding>`` or ``<binding>.<variant>``."""
    target: str = field(compare=False)
    """The dotted name of its package."""
    distribution: str = field(default="", compare=False)
    """The name of the installed distribution that declares it; empty if unknown."""
    partial: bool = field(default=False, compare=False)
    """Whether it is a partial variant, which offers :data:`KNOBS` only."""
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
    def nouns(self) -> tuple[str, ...]:
        """The modules of the package that it offers: those of the contract without the ones that it declares missing.

        Raises `BindingError` if the package of a whole binding, which declares them, cannot be imported.
        """
        if self.partial:
            return tuple(noun for noun in NOUNS if noun in KNOBS)
        return tuple(noun for noun in NOUNS if noun not in self.gaps)

    def lacks(self, noun: str) -> str | None:
        """Return the reason that a whole binding declares for a noun that it does not have; None if it has it."""
        return None if self.partial or noun not in NOUNS else self.gaps.get(noun)

    @property
    def unavailable(self) -> str | None:
        """Why a partial variant cannot be used on this interpreter; None if it can."""
        return cast("str | None", self._declared("unavailable")) if self.partial else None

    def offers(self, noun: str) -> frozenset[str] | None:
        """Return the names of a noun that it offers, or None if it offers all of the contract."""
        return KNOBS.get(noun, frozenset()) if self.partial else None

    @property
    def package(self) -> ModuleType:
        """The package that the entry point names. Raises `BindingError` if it cannot be imported."""
        return self.noun("")

    @property
    def features(self) -> frozenset[str]:
        """The features that the binding declares."""
        return cast("frozenset[str]", self._declared("features"))

    @property
    def gaps(self) -> Mapping[str, str]:
        """The features that the binding declares missing, each with the reason."""
        return cast("Mapping[str, str]", self._declared("gaps"))

    @property
    def idioms(self) -> Idioms:
        """The module ``<package>.idioms``. Raises `BindingError` if it cannot be imported."""
        return cast(Idioms, self.noun("idioms"))

    @property
    def codec(self) -> Codec:
        """The module ``<package>.codec``. Raises `BindingError` if it cannot be imported."""
        return cast(Codec, self.noun("codec"))

    @property
    def pkcs11(self) -> Pkcs11:
        """The module ``<package>.pkcs11``. Raises `BindingError` if it cannot be imported, or is declared missing."""
        return cast(Pkcs11, self.noun("pkcs11"))

    def noun(self, name: str) -> ModuleType:
        """Return the module ``<package>.<name>``, imported once; an empty name gives the package.

        Raises `BindingError`, chained to its cause, if the import fails, and for a noun that the binding declares
        missing, whether or not there is such a module.
        """
        if name not in self._modules:
            if (reason := self.lacks(name)) is not None:
                raise BindingError(f"binding {self.name!r} has no {name}: {reason}")
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
    """Return the implementations registered in this interpreter, sorted by name.

    ``names`` selects some of them: each is the full name of one, or the name of a binding, which selects its variants
    too. ``partial`` adds the partial variants. Raises `BindingError` for a name that selects nothing and for two entry
    points with the same name.
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
