# SPDX-License-Identifier: Apache-2.0
"""The open questions, grouped: one answer settles all places that look alike."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from cside_wrap.roles.rules import FOR_RESULTS, NEEDS
from cside_wrap.roles.vocabulary import RETURN, Argument, Described

__all__ = ["Place", "Question", "functions_of", "questions"]

Place = tuple[str, str]
"""A function and one of its arguments."""


@dataclass(frozen=True)
class Question:
    """Places that one answer settles. The drafts of all are alike; `draft` is the first."""

    id: str
    """Four hexadecimal digits, the same as long as topic, type and draft are."""
    places: tuple[Place, ...]
    draft: Argument
    declaration: str
    comment: str
    settles: int
    """Functions of which this is the only open question, so that they are bound after the answer."""

    @property
    def complete(self) -> bool:
        """Whether the draft has all that its role needs, so that yes is an answer."""
        needed = NEEDS.get(self.draft.role)
        suits = self.draft.name != RETURN or self.draft.role in FOR_RESULTS
        if self.draft.topic.startswith("struct ") and not self.draft.attributes.get("buffers"):
            return False
        return suits and (needed is None or bool(self.draft.get(needed)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments, each once."""
        return tuple(dict.fromkeys(name for _, name in self.places))


def questions(described: Mapping[str, Described]) -> list[Question]:
    """The open questions, those that settle most functions first, then those with most places."""
    groups: dict[tuple[str, ...], list[tuple[Described, Argument]]] = {}
    for one in described.values():
        if one.refused:
            continue
        for argument in one.open:
            its = sorted((name, str(value)) for name, value in argument.attributes.items())
            key: tuple[str, ...] = (argument.topic, argument.name, argument.type.written, argument.role, repr(its))
            groups.setdefault(key, []).append((one, argument))
    made = []
    for key, members in groups.items():
        mine = {(one.function.name, argument.name) for one, argument in members}
        settled = [
            one
            for one in {each.function.name: each for each, _ in members}.values()
            if all((one.function.name, each.name) in mine for each in one.open)
        ]
        example, draft = members[0]
        made.append(
            Question(
                hashlib.sha256("\0".join(key).encode()).hexdigest()[:4],
                tuple((one.function.name, argument.name) for one, argument in members),
                draft,
                example.function.declaration,
                example.function.comment,
                len(settled),
            )
        )
    made.sort(key=lambda one: (-one.settles, -len(one.places), one.places))
    return _distinct(made)


def _distinct(made: list[Question]) -> list[Question]:
    """The questions with ids that differ."""
    seen: set[str] = set()
    found = []
    for one in made:
        name, number = one.id, 0
        while name in seen:
            number += 1
            name = hashlib.sha256(f"{one.id}{number}{one.places[0]}".encode()).hexdigest()[:4]
        seen.add(name)
        found.append(Question(name, one.places, one.draft, one.declaration, one.comment, one.settles))
    return found


def functions_of(places: Iterable[Place], described: Mapping[str, Described], written: str) -> str | list[str]:
    """A pattern that meets exactly these functions, of all that have such an argument; else the list of their names."""
    asked = list(places)
    wanted = {function for function, _ in asked}
    argument = asked[0][1]
    if len(wanted) == 1:
        return next(iter(wanted))
    alike = {
        name
        for name, one in described.items()
        if not one.refused and (its := one.named(argument)) is not None and its.type.written == written
    }
    start = _common(sorted(wanted))
    if start and {name for name in alike if fnmatchcase(name, f"{start}*")} == wanted:
        return f"{start}*"
    return sorted(wanted)


def _common(names: list[str]) -> str:
    """The beginning that all names share, up to an underscore or a change to upper case, else all of it."""
    first, last = names[0], names[-1]
    count = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    start = first[:count]
    cut = start.rfind("_") + 1
    return start[:cut] if cut else start
