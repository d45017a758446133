# SPDX-License-Identifier: Apache-2.0
"""Counts the wheels that a release needs, by the tags of built wheels or by the technique, and by where the library is.

An approach may have two forms: its own wheels, and one wheel for the stable ABI (PEP 384) where the run measured a
variant that is built for it. The second form is slower by the price that the variant's cells show.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules, Technique
from cside_bench.results.evidence import Run

STABLE: Final = "abi3"
"""Part of a wheel's tag, and of a technique's ``binary``, that stands for the stable ABI."""

LAYER: Final = "cpp"
"""The skill that it takes to write functions in C in front of an interface in C++."""


def base_of(subject: str) -> str:
    """Return the binding of a variant."""
    return subject.partition(".")[0]


def free_threaded(label: str) -> bool:
    """Return whether a label names a build without the GIL."""
    return label.endswith("t")


def with_gil(label: str) -> bool:
    """Return whether a label names a CPython with the GIL, which alone has a stable ABI."""
    return label.startswith("cpython-") and not free_threaded(label)


def too_old(label: str, technique: Technique) -> bool:
    """Return whether a CPython with the GIL is older than what a wheel of the technique for the stable ABI serves."""
    version = tuple(int(part) for part in label.partition("-")[2].split(".")) if with_gil(label) else ()
    return with_gil(label) and version < technique.one_binary_from


def matches(wanted: str, label: str) -> bool:
    """Return whether a name is the label of an interpreter or its family; builds without the GIL have no family."""
    return label == wanted or ("-" not in wanted and label.startswith(f"{wanted}-") and not free_threaded(label))


def needs_layer(technique: Technique, profile: Profile) -> bool:
    """Return whether functions in C have to be written and compiled first, since the technique cannot call C++."""
    return profile.choices["language"] == "c++" and not technique.calls_c_plus_plus


def skills_of(technique: Technique, profile: Profile) -> tuple[str, ...]:
    """Return the skills that a technique needs, with that of C++ where a layer in front of it has to be written."""
    return tuple(dict.fromkeys([*technique.skills, *([LAYER] if needs_layer(technique, profile) else [])]))


def from_sources(profile: Profile) -> bool:
    """Return whether a release may be sources alone, since all users have a compiler."""
    return profile.choices["compiler_at_install"] == "yes"


@dataclass(frozen=True, slots=True)
class Wheels:
    """The wheels that a release needs for the interpreters asked for."""

    per_platform: int
    """Wheels of one platform for one family of interpreters, the largest number over the families."""
    total: int
    """Wheels over all platforms."""
    platforms: int
    """Platforms on which anything is built: the binding, a layer in C, or a bundled library."""
    compiled: bool
    """Whether the binding is compiled, or a layer in C that it needs; a bundled library is not counted here."""
    per_version: bool
    """Whether each version of CPython needs a wheel of its own, so that one that comes later has none."""
    lacking: dict[str, str]
    """Interpreter without a wheel -> the reason."""
    measured: bool
    """Whether the numbers come from the tags of built wheels, rather than from the properties of the technique."""


class Releases:
    """Looks up the wheels of all approaches of a run. ``bindings`` are the costs of each binding."""

    def __init__(self, run: Run, rules: Rules, bindings: Mapping[str, dict[str, Any]]) -> None:
        self.run, self.rules, self._bindings = run, rules, bindings
        self._found: dict[tuple[object, ...], Wheels] = {}
        self._prices: dict[tuple[str, str], tuple[float, int]] = {}

    def _rows(self, subject: str) -> list[dict[str, Any]] | None:
        """Return the coverage of a subject's wheels; None if the technique's properties have to be used instead."""
        if subject != base_of(subject) and self.rules.technique(subject).known:
            return None
        coverage = self._bindings.get(base_of(subject), {}).get("coverage")
        return coverage["rows"] if coverage else None

    def _known_labels(self) -> list[str]:
        for it in self._bindings.values():
            if it["coverage"]:
                return [row["interpreter"] for row in it["coverage"]["rows"]]
        return self.run.labels

    def served(self, profile: Profile) -> list[str]:
        """Return the interpreters that a release is built for: all known ones that the profile asks for."""
        known = self._known_labels()
        found = [label for label in known if any(matches(wanted, label) for wanted in profile.interpreters)]
        free = [label for label in known if free_threaded(label)]
        if profile.choices["threads"] == "free-threaded" and free and not any(map(free_threaded, found)):
            found.append(free[-1])  # the newest version
        return found

    def has_stable(self, subject: str) -> bool:
        """Return whether the run measured a variant of the approach that is built for the stable ABI."""
        variant = self.rules.technique(subject).one_binary_variant
        return bool(variant) and variant in self.run.variants

    def price(self, label: str, subject: str) -> tuple[float, int]:
        """Return what calls take with the variant for the stable ABI, as a factor, and the number of cells behind it.

        The factor is the geometric mean over all cells that both have on an interpreter; 1 without any such cell, as
        on PyPy, which has no stable ABI and takes a wheel of its own.
        """
        if (label, subject) not in self._prices:
            variant = self.rules.technique(subject).one_binary_variant
            logs = []
            for workload in self.run.workloads(label) if variant and with_gil(label) else ():
                one, two = (self.run.ratios(label, workload, name) for name in (variant, subject))
                if len(one) and len(one) == len(two) and np.isfinite(one * two).any():
                    logs.append(float(np.nanmean(np.log(one / two))))
            self._prices[label, subject] = (float(np.exp(np.mean(logs))) if logs else 1.0, len(logs))
        return self._prices[label, subject]

    def wheels(self, subject: str, profile: Profile, *, stable: bool = False) -> Wheels:
        """Return the wheels of a release of a subject; ``stable`` asks for its form for the stable ABI."""
        choices = tuple(profile.choices[name] for name in ("library", "language", "threads"))
        key = (subject, stable, tuple(profile.interpreters), profile.platforms, choices)
        if key not in self._found:
            self._found[key] = self._release(subject, profile, stable=stable)
        return self._found[key]

    def _release(self, subject: str, profile: Profile, *, stable: bool) -> Wheels:
        served, technique = self.served(profile), self.rules.technique(subject)
        rows = self._rows(subject)
        if rows is not None:
            tags = {row["interpreter"]: (row["wheel"], row["evidence"]) for row in rows}
            names = {label: tags[label][0] for label in served if label in tags}
            lacking = {label: tags[label][1] for label, name in names.items() if name is None}
        else:
            names = {label: self._by_technique(technique.binary, label) for label in served}
            lacking = {
                label: "the technique does not support it"
                for label in served
                if free_threaded(label) and not technique.free_threading
            }
        old = {label for label in names if stable and too_old(label, technique)}
        if stable:
            now = {label for label, name in names.items() if with_gil(label) and name is not None and label not in old}
            names |= dict.fromkeys(now, STABLE)
        present = {label: name for label, name in names.items() if name is not None and label not in lacking}
        kinds = set(present.values())
        pure = {name for name in kinds if name.endswith("-any")}
        families: dict[str, set[str]] = {}
        for label, name in present.items():
            if name not in pure:
                families.setdefault(label.partition("-")[0] + "t" * free_threaded(label), set()).add(name)
        own = len(kinds - pure)
        # What is not compiled is one wheel for all platforms, or one for each with the library or a layer in it.
        layer = needs_layer(technique, profile)
        bundled = profile.choices["library"] != "system" or layer
        anywhere = len(pure) * (len(profile.platforms) if bundled else 1)
        return Wheels(
            per_platform=max(map(len, families.values()), default=0),
            total=own * len(profile.platforms) + anywhere,
            platforms=len(profile.platforms) if own or bundled else 0,
            compiled=own > 0 or layer,
            per_version=any(
                with_gil(it) and STABLE not in name and name not in pure and it not in old
                for it, name in present.items()
            ),
            lacking=lacking,
            measured=rows is not None,
        )

    @staticmethod
    def _by_technique(binary: str, label: str) -> str:
        if binary == "pure":
            return "py3-none-any"
        return STABLE if binary == STABLE and with_gil(label) else label
