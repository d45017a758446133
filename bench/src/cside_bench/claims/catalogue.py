# SPDX-License-Identifier: Apache-2.0
"""Reads and checks the claims of ``claims.toml``.

All errors of a file are reported together, each with its entry and with what is allowed there.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_bench.claims.fields import COMMON, KINDS, Checker, Wrong, text, texts, together

SHIPPED: Final = "claims.toml"
IDENTIFIER: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TO_RUN: Final = "nox -s bench"
"""The command that makes an untestable claim testable, unless the claim names another."""
AT: Final = "@"
"""The character before the name of a set, where patterns of workloads are expected."""


class CatalogueError(ValueError):
    """Some entries cannot be read; the message has a line for each error."""


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a claim."""

    title: str
    where: str
    """An address that can be opened, and the place within it."""


@dataclass(frozen=True, slots=True)
class Workloads:
    """A set of workloads that several claims share, so that no claim chooses its own."""

    says: str
    patterns: tuple[str, ...]
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim. ``rule`` has every field of its kind of hypothesis (:data:`.fields.KINDS`), checked."""

    id: str
    title: str
    text: str
    source: Source
    kind: str
    rule: Mapping[str, Any]
    run: str


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The claims in their order, and the sets of workloads that they name."""

    claims: tuple[Claim, ...]
    sets: Mapping[str, Workloads]
    sources: Mapping[str, Source]

    @classmethod
    def shipped(cls) -> "Catalogue":
        """Return the catalogue that is shipped with cside."""
        found = files("cside_bench.claims").joinpath(SHIPPED).read_text(encoding="utf-8")
        return cls.parse(found, SHIPPED)

    @classmethod
    def parse(cls, content: str, name: str, before: "Catalogue | None" = None) -> "Catalogue":
        """Read a catalogue from TOML.

        ``name`` is the name of the file, for messages. The claims of ``before`` come first, and its sets and sources
        may be used.

        Raises :class:`CatalogueError`.
        """
        try:
            document = tomllib.loads(content)
        except tomllib.TOMLDecodeError as error:
            raise CatalogueError(f"{name} is not valid TOML: {error}") from error
        return _Reader(name, before).catalogue(document)

    def and_file(self, path: Path) -> "Catalogue":
        """Return this catalogue with the claims of a file added. Raises :class:`CatalogueError`."""
        try:
            content = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CatalogueError(f"{path} cannot be read: {error}") from error
        return Catalogue.parse(content, str(path), self)

    def only(self, ids: Sequence[str]) -> "Catalogue":
        """Return the claims of these names; all if none is given. Raises :class:`CatalogueError` for unknown names."""
        known = [claim.id for claim in self.claims]
        for wanted in ids:
            if wanted not in known:
                raise CatalogueError(f"no claim is called {wanted}{_near(wanted, known)}; all of them: --list")
        return Catalogue(tuple(it for it in self.claims if not ids or it.id in ids), self.sets, self.sources)


def _near(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


class _Reader:
    """Reads one file and collects its errors."""

    def __init__(self, name: str, before: Catalogue | None) -> None:
        self.name = name
        self.claims: list[Claim] = [] if before is None else list(before.claims)
        self.sets: dict[str, Workloads] = {} if before is None else dict(before.sets)
        self.sources: dict[str, Source] = {} if before is None else dict(before.sources)
        self.problems: list[str] = []

    def catalogue(self, document: Mapping[str, Any]) -> Catalogue:
        self.known("the file", document, ("sets", "sources", "claim"))
        for name, table in self.table(document, "sets").items():
            self.read_set(name, table)
        for name, table in self.table(document, "sources").items():
            found = self.read_source(f"sources.{name}", table)
            if found is not None:
                self.sources[name] = found
        entries = document.get("claim", [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.wrong("the file", "claims are written as [[claim]] tables")
            entries = []
        for number, entry in enumerate(entries, 1):
            self.read_claim(number, entry)
        if self.problems:
            raise CatalogueError("\n".join(self.problems))
        return Catalogue(tuple(self.claims), self.sets, self.sources)

    def wrong(self, place: str, what: str) -> None:
        self.problems.append(f"{self.name}: {place}: {what}")

    def known(self, place: str, table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        """Report keys that have no meaning."""
        names = list(allowed)
        for key in table:
            if key not in names:
                self.wrong(place, f"{key} is no field of it{_near(key, names)}; allowed: {', '.join(names)}")

    def table(self, document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        found = document.get(name, {})
        if isinstance(found, dict):
            return found
        self.wrong("the file", f"{name} is a table of tables, as [{name}.NAME]")
        return {}

    def value(self, place: str, table: Mapping[str, Any], key: str, check: Checker) -> Any:
        """Return a checked value; None if it is missing or wrong, which is reported."""
        if key not in table:
            self.wrong(place, f"{key} is missing")
            return None
        return self.checked(place, key, table[key], check)

    def checked(self, place: str, key: str, value: Any, check: Checker) -> Any:
        try:
            return check(value)
        except Wrong as error:
            self.wrong(place, f"{key} is {value!r}; {error}")
            return None

    def read_set(self, name: str, table: Any) -> None:
        place = f"sets.{name}"
        if not isinstance(table, dict):
            self.wrong(place, "a table with says and workloads is needed")
            return
        self.known(place, table, ("says", "workloads", "except"))
        says = self.value(place, table, "says", text)
        patterns = self.value(place, table, "workloads", texts)
        without = self.checked(place, "except", table["except"], texts) if "except" in table else ()
        if name in self.sets:
            self.wrong(place, "there is a set of this name already")
        if says and patterns and without is not None:
            self.sets[name] = Workloads(says, patterns, without)

    def read_source(self, place: str, table: Any) -> Source | None:
        if not isinstance(table, dict):
            self.wrong(place, "a table with title and where is needed")
            return None
        self.known(place, table, ("title", "where"))
        title, where = self.value(place, table, "title", text), self.value(place, table, "where", text)
        return Source(title, where) if title and where else None

    def source(self, place: str, value: Any) -> Source | None:
        """Return a source that is named or written out."""
        if not isinstance(value, str):
            return self.read_source(f"{place}, source", value)
        if value not in self.sources:
            close = _near(value, self.sources)
            self.wrong(place, f"source {value!r} is not under [sources]{close}; known: {', '.join(self.sources)}")
        return self.sources.get(value)

    def read_claim(self, number: int, entry: Mapping[str, Any]) -> None:
        name = entry.get("id")
        place = f"claim {number} ({name})" if name else f"claim {number}"
        before = len(self.problems)
        self.known(place, entry, ("id", "title", "text", "source", "run", "hypothesis"))
        if self.value(place, entry, "id", text) and not (isinstance(name, str) and IDENTIFIER.fullmatch(name)):
            self.wrong(place, f"id is {name!r}; small letters, digits and single hyphens are allowed")
        if name in {claim.id for claim in self.claims}:
            self.wrong(place, "there is a claim of this id already")
        title, says = self.value(place, entry, "title", text), self.value(place, entry, "text", text)
        run = self.checked(place, "run", entry.get("run", TO_RUN), text)
        source = self.source(place, entry["source"]) if "source" in entry else None
        if "source" not in entry:
            self.wrong(place, "source is missing: a name under [sources], or { title = …, where = … }")
        hypothesis = entry.get("hypothesis")
        if not isinstance(hypothesis, dict):
            self.wrong(place, "hypothesis is missing: a table [claim.hypothesis] after the claim's own fields")
            return
        kind = self.kind(place, hypothesis)
        rule = self.rule(place, kind, hypothesis) if kind else {}
        if len(self.problems) == before and source is not None:
            self.claims.append(Claim(str(name), title, says, source, str(kind), rule, run))

    def kind(self, place: str, hypothesis: Mapping[str, Any]) -> str | None:
        found = hypothesis.get("kind")
        if found in KINDS:
            return str(found)
        said = "is missing" if found is None else f"is {found!r}"
        self.wrong(place, f"hypothesis.kind {said}; allowed: {', '.join(KINDS)}")
        return None

    def rule(self, place: str, kind: str, hypothesis: Mapping[str, Any]) -> dict[str, Any]:
        """Return every field of the kind, with defaults for fields that are not given."""
        fields = {**KINDS[kind], **COMMON}
        here = f"{place}, hypothesis"
        before = len(self.problems)
        self.known(f"{here} of kind {kind}", hypothesis, ("kind", *fields))
        found: dict[str, Any] = {}
        for name, field in fields.items():
            if name in hypothesis:
                found[name] = self.checked(here, name, hypothesis[name], field.check)
            else:
                found[name] = field.default
                if field.needed:
                    self.wrong(here, f"{name} is missing: a hypothesis of kind {kind} needs it")
        for name in ("workloads", "except"):
            self.sets_named(here, name, found.get(name) or ())
        if len(self.problems) == before:
            for problem in together(kind, found):
                self.wrong(here, problem)
        return found

    def sets_named(self, place: str, field: str, patterns: Sequence[str]) -> None:
        for pattern in patterns:
            if pattern.startswith(AT) and pattern.removeprefix(AT) not in self.sets:
                known = ", ".join(f"{AT}{name}" for name in self.sets)
                self.wrong(place, f"{field} names {pattern}, which is no set; known: {known}")
