# SPDX-License-Identifier: Apache-2.0
"""Reads decisions that projects made in public, and makes profiles of their facts, by rules that are the same for all.

``decisions.toml`` has the decisions that ship with cside. docs/backtest.md says what each rule is for.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_bench.recommend import profiles
from cside_bench.recommend.profiles import Profile, ProfileError
from cside_bench.recommend.rules import Rules

PLATFORMS: Final = ("linux-x86_64", "linux-aarch64", "macos-arm64", "windows-amd64")
"""What a project releases for whose users are not known: the platforms with the most downloads from PyPI."""
LOOP: Final = 1000.0
"""Elements of an array, where the facts say that loops over arrays are wanted in C and not how long these are."""
GENERATED_FROM: Final = 50
"""Functions from which on declarations are taken to be generated or copied from the header, and not typed."""
MIX: Final = {"scalars": 0.3, "handles": 0.2, "text": 0.2, "bytes-in": 0.1, "bytes-out": 0.1}
"""Shares of kinds of call where the facts do not say otherwise; shares of structs and callbacks are added to it."""
STRUCTS_UNKNOWN, STRUCTS_MOST, CALLBACKS, TABLE = 0.1, 0.4, 0.1, 0.2
"""Shares: structs if the facts do not mention them, and at most; callbacks, and calls through a table, if any."""
SAME: Final = ("calls_per_second", "bytes_per_call", "process_seconds", "functions", "changes_per_year")
"""Facts that are numbers of a profile."""
ALIKE: Final = ("compiler_at_build", "compiler_at_install", "wheels", "threads", "maintained_by", "crashes")
"""Facts that are choices of a profile."""
EITHER: Final = "system or bundled"
"""A value of `library` that no profile has: wheels bring the library along; without wheels it is the system's."""
KEYS: Final = frozenset(
    {
        *("name", "technique_now", "technique_before", "since", "reason", "reason_conf", "facts", "defensible"),
        *("contested", "embarrassing", "must_not_say", "source"),
    }
)
NEEDED: Final = ("name", "technique_now", "facts", "defensible", "embarrassing")
FACTS: Final = frozenset(
    {
        *(*SAME, *ALIKE, "structs", "callbacks", "function_table", "pypy", "pypy_asked", "abi3", "library", "numpy"),
        *("c_loop", "c_plus_plus", "own_c_layer", "knows", "found", "inferred"),
    }
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a project, and what experts would say of other answers."""

    name: str
    now: tuple[str, ...]
    """What it uses."""
    defensible: tuple[str, ...]
    """Answers that experts would accept; the first is the one that they prefer."""
    contested: tuple[str, ...]
    embarrassing: tuple[str, ...]
    """Answers that would come neither first nor in a tie."""
    facts: dict[str, Any]
    reason: str
    must_not_say: str
    source: tuple[str, ...]


def _names(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(it, str) for it in value):
        raise ProfileError(f"{key} is {value!r}; it has to be a list of names")
    return tuple(value)


def _decision(table: Mapping[str, Any]) -> Decision:
    for key in NEEDED:
        if key not in table:
            raise ProfileError(f"{key} is missing; each [[case]] has {', '.join(NEEDED)}")
    profiles.check_names(sorted(table), "key", KEYS, "key")
    facts = table["facts"]
    if not isinstance(facts, dict):
        raise ProfileError(f"facts is {facts!r}; it has to be a table")
    profiles.check_names(sorted(facts), "fact", FACTS, "fact")
    if not _names(table, "defensible"):
        raise ProfileError("defensible is empty; it has to name an answer at least, the preferred one first")
    return Decision(
        name=str(table["name"]),
        now=_names(table, "technique_now"),
        defensible=_names(table, "defensible"),
        contested=tuple(it.split(" ")[0] for it in _names(table, "contested")),
        embarrassing=_names(table, "embarrassing"),
        facts=dict(facts),
        reason=str(table.get("reason", "")),
        must_not_say=str(table.get("must_not_say", "")),
        source=_names(table, "source"),
    )


def parse(text: str, where: str) -> list[Decision]:
    """Return the decisions of a file's text. Raises :class:`ProfileError`, which names ``where`` and the decision."""
    try:
        cases = tomllib.loads(text).get("case", [])
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{where} is not valid TOML: {error}") from error
    if not isinstance(cases, list) or not cases or not all(isinstance(it, dict) for it in cases):
        raise ProfileError(f"{where} has no decisions; each is a table [[case]]")
    found = []
    for number, case in enumerate(cases, 1):
        try:
            found.append(_decision(case))
        except ProfileError as error:
            raise ProfileError(f"{where}: case {number} ({case.get('name', 'without a name')}): {error}") from error
    return found


def shipped() -> list[Decision]:
    """Return the decisions that ship with cside."""
    name = "decisions.toml"
    return parse(files(__package__).joinpath(name).read_text(encoding="utf-8"), name)


def read(path: Path) -> list[Decision]:
    """Read decisions from a file. Raises :class:`ProfileError` if it cannot be read or is not valid."""
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path} cannot be read: {error}") from error


def named(known: list[Decision], parts: Sequence[str]) -> list[Decision]:
    """Return the decisions whose names have one of ``parts`` in them; all of them without any.

    Raises :class:`ProfileError` for a part that no name has.
    """
    for part in parts:
        if not any(part.lower() in it.name.lower() for it in known):
            raise ProfileError(f"there is no decision {part!r}; there are: {', '.join(it.name for it in known)}")
    return [it for it in known if not parts or any(part.lower() in it.name.lower() for part in parts)]


def idioms(facts: Mapping[str, Any]) -> dict[str, float]:
    """Return the kinds of call with shares, not scaled."""
    functions = float(facts.get("functions", 1))
    mix = dict(MIX)
    structs = facts.get("structs")
    if structs is None:
        mix["structs"] = STRUCTS_UNKNOWN
    elif isinstance(structs, int | float) and structs:
        mix["structs"] = min(STRUCTS_MOST, structs / functions)
    if facts.get("callbacks"):
        mix["callbacks"] = CALLBACKS
    if facts.get("function_table"):
        mix["table"] = TABLE
    return mix


def profile(decision: Decision, rules: Rules) -> Profile:
    """Return the profile of a decision's facts; what these do not mention has the default of the rules.

    Raises :class:`ProfileError` if a fact has no valid value.
    """
    facts = decision.facts
    layer = bool(facts.get("own_c_layer"))
    library = facts.get("library")
    interface: dict[str, Any] = {
        "declarations": "generated" if facts.get("functions", 0) >= GENERATED_FROM else "written",
        "language": ("c-layer" if layer else "c++") if facts.get("c_plus_plus") else "c",
    }
    if layer:
        interface["library"] = "same-repository"
    elif library is not None:
        either = "system" if facts.get("wheels") == "none" else "bundled"
        interface["library"] = either if library == EITHER else library
    platform: dict[str, Any] = {
        "interpreters": ["cpython", "pypy"] if facts.get("pypy") else ["cpython"],
        "platforms": list(PLATFORMS),
        "new_pythons": "work" if facts.get("abi3") else "wait",
    }
    load: dict[str, Any] = {"idioms": idioms(facts), "elements_per_loop": LOOP if facts.get("c_loop") else 1.0}
    team: dict[str, Any] = {"knows": [*facts.get("knows", []), *(["c"] if layer else [])]}
    tables = {"platform": platform, "load": load, "interface": interface, "team": team}
    for section, keys in profiles.SECTIONS.items():
        for key in keys:
            if key in facts and key in (*SAME, *ALIKE):
                tables[section][key] = facts[key]
    try:
        return profiles.parse({"title": decision.name, **tables}, rules, decision.name)
    except ProfileError as error:
        raise ProfileError(f"{decision.name}: {error}") from error
