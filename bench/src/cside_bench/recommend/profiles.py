# SPDX-License-Identifier: Apache-2.0
"""Reads, checks and writes ``profile.toml``, a team's description of its library and its needs."""

import difflib
import math
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

from cside_bench.recommend.rules import Rules

SECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "platform": (
        *("interpreters", "platforms", "compiler_at_build", "compiler_at_install", "cpp_compiler", "wheels"),
        *("new_pythons", "threads", "run_time_code"),
    ),
    "load": ("calls_per_second", "bytes_per_call", "elements_per_loop", "process_seconds", "idioms"),
    "interface": (
        *("library", "language", "declarations", "functions", "changes_per_year"),
        *("kept_lines", "functions_by_hand"),
    ),
    "team": ("maintained_by", "knows", "crashes"),
    "weights": (),
}
"""Tables of the file with their keys; the keys of ``weights`` are the criteria of the rules."""
ORDER: Final = (
    "tiny-stable-api",
    "large-changing-header",
    "pypy-first",
    "hot-inner-loop",
    "bulk-buffers",
    "no-compiler-at-install",
    "hsm-client",
    "workshop",
)
"""Order in which the shipped profiles are shown; profiles that are not listed here follow."""

MOST_LINES: Final = 1_000_000
"""Most lines, and most functions, that a profile may say are kept or written by hand."""

INTERPRETERS: Final = ("cpython", "pypy", "cpython-3.14", "cpython-3.14t", "pypy-3.11")
"""Examples of valid names of interpreters: families, and labels of single interpreters."""


class ProfileError(ValueError):
    """A profile has an invalid value; the message names it and the nearest valid name."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A team's situation. Numbers have the units of ``rules.toml``."""

    id: str
    title: str
    text: str
    interpreters: dict[str, float]
    """Label or family (``cpython``, ``pypy``, ``cpython-3.14t``) -> share of the work; see ``worst``."""
    worst: bool
    """Whether an approach is judged by its worst interpreter, rather than by the mean weighted with the shares."""
    platforms: tuple[str, ...]
    numbers: dict[str, float]
    choices: dict[str, str]
    idioms: dict[str, float]
    """Kind of call -> share of the calls; they sum to 1."""
    knows: frozenset[str]
    weights: dict[str, float] = field(default_factory=dict)
    """Criterion -> weight, for the weights that differ from those of the rules."""
    kept_lines: float | None = None
    """Lines from which all approaches' bindings are generated, so that they alone are kept; None where bindings are
    written."""
    functions_by_hand: float = 0.0
    """With ``kept_lines``: functions that are not generated, and are written by hand with each approach."""

    def with_number(self, name: str, value: float) -> Self:
        """Return a copy of the profile with one number replaced."""
        return replace(self, numbers={**self.numbers, name: value})

    def with_choice(self, name: str, value: str) -> Self:
        """Return a copy of the profile with one choice replaced."""
        return replace(self, choices={**self.choices, name: value})

    def weight_of(self, rules: Rules) -> dict[str, float]:
        """Return the weight of every criterion."""
        return {name: self.weights.get(name, it.weight) for name, it in rules.criteria.items()}

    def plain(self) -> dict[str, Any]:
        """Return the inputs as plain data, with the structure of the file."""
        return {
            "platform": {
                "interpreters": list(self.interpreters) if self.worst else dict(self.interpreters),
                "platforms": list(self.platforms),
                **{name: self.choices[name] for name in SECTIONS["platform"] if name in self.choices},
            },
            "load": {
                **{name: self.numbers[name] for name in SECTIONS["load"] if name in self.numbers},
                "idioms": dict(self.idioms),
            },
            "interface": {
                **{
                    name: self.choices[name] if name in self.choices else self.numbers[name]
                    for name in SECTIONS["interface"]
                    if name in self.choices or name in self.numbers
                },
                **(
                    {}
                    if self.kept_lines is None
                    else {"kept_lines": self.kept_lines, "functions_by_hand": self.functions_by_hand}
                ),
            },
            "team": {
                "maintained_by": self.choices["maintained_by"],
                "knows": sorted(self.knows),
                "crashes": self.choices["crashes"],
            },
            "weights": dict(self.weights),
        }


def default(rules: Rules) -> Profile:
    """Return the profile with the default of every input."""
    return Profile(
        id="profile",
        title="Your library",
        text="",
        interpreters={"cpython": 1.0},
        worst=True,
        platforms=("linux-x86_64",),
        numbers={name: it.default for name, it in rules.numbers.items()},
        choices={name: it.default for name, it in rules.choices.items()},
        idioms={"scalars": 0.5, "text": 0.25, "bytes-in": 0.25},
        knows=frozenset(),
    )


def _nearest(name: str, valid: Collection[str]) -> str:
    near = difflib.get_close_matches(name, valid, n=1, cutoff=0.5) or [it for it in valid if it.startswith(name)]
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}valid: {', '.join(valid)}"


def _known(name: str, valid: Collection[str], what: str) -> None:
    if name not in valid:
        raise ProfileError(f"there is no {what} {name!r}; {_nearest(name, valid)}")


def check_number(rules: Rules, name: str, value: object) -> float:
    """Return a number that is in its range, else raise :class:`ProfileError`."""
    spec = rules.numbers[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ProfileError(f"{name} is {value!r}; it has to be a number ({spec.unit})")
    if not spec.least <= value <= spec.most:
        raise ProfileError(f"{name} is {value:g}; it has to be from {spec.least:g} to {spec.most:g} ({spec.unit})")
    return float(value)


def check_choice(rules: Rules, name: str, value: object) -> str:
    """Return a value of a choice, a boolean as yes or no. Raises :class:`ProfileError` for an invalid value."""
    values = rules.choices[name].values
    if isinstance(value, bool) and set(values) == {"yes", "no"}:
        value = "yes" if value else "no"
    if not isinstance(value, str) or value not in values:
        raise ProfileError(f"{name} is {value!r}; {_nearest(str(value), values)}")
    return value


def check_shares(value: object, valid: Collection[str] | None, what: str) -> dict[str, float]:
    """Return names with shares, scaled to the sum 1; a list gives equal shares. Raises :class:`ProfileError`."""
    plural = f"{what}s" if " " not in what else what.replace(" ", "s ", 1)
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        value = dict.fromkeys(value, 1.0)
    if not isinstance(value, dict) or not value:
        raise ProfileError(f"{plural} are {value!r}; they have to be a table of names and shares, or a list of names")
    for name, share in value.items():
        if valid is not None:
            _known(name, valid, what)
        number = isinstance(share, int | float) and not isinstance(share, bool)
        if not number or not math.isfinite(share) or share < 0:
            raise ProfileError(f"the share of the {what} {name!r} is {share!r}; it has to be a number from 0 on")
    total = sum(value.values())
    if not total > 0:
        raise ProfileError(f"all shares of {plural} are 0; one has to be more")
    return {name: share / total for name, share in value.items() if share > 0}


def check_interpreters(value: object) -> tuple[dict[str, float], bool]:
    """Return interpreters with shares, and whether the worst of them counts. Raises :class:`ProfileError`."""
    shares = check_shares(value, None, "interpreter")
    for name in shares:
        family, dash, version = name.partition("-")
        digits = version.removesuffix("t").replace(".", "")
        if family not in ("cpython", "pypy") or (dash and not digits.isdigit()):
            raise ProfileError(f"there is no interpreter {name!r}; {_nearest(name, INTERPRETERS)}, and other versions")
    return shares, isinstance(value, list)


def check_names(value: object, what: str, valid: Collection[str] | None = None, one: str = "") -> tuple[str, ...]:
    """Return a list of names without duplicates; ``one`` is the noun for a name. Raises :class:`ProfileError`."""
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise ProfileError(f"{what} is {value!r}; it has to be a list of names")
    for name in value:
        if valid is not None:
            _known(name, valid, one)
    return tuple(dict.fromkeys(value))


def parse(table: Mapping[str, Any], rules: Rules, name: str) -> Profile:
    """Return a profile from the tables of its file. Raises :class:`ProfileError` with the nearest valid name."""
    for key in table:
        _known(key, ("title", "text", *SECTIONS), "key")
    said: dict[str, Any] = {}
    for section, keys in SECTIONS.items():
        inner = table.get(section, {})
        if not isinstance(inner, dict):
            raise ProfileError(f"{section} is {inner!r}; it has to be a table")
        for key in inner:
            _known(key, keys or tuple(rules.criteria), f"key of [{section}]")
        if section != "weights":
            said |= inner
    found = default(rules)
    numbers = {**found.numbers, **{n: check_number(rules, n, said[n]) for n in rules.numbers if n in said}}
    choices = {**found.choices, **{n: check_choice(rules, n, said[n]) for n in rules.choices if n in said}}
    interpreters, worst = check_interpreters(said.get("interpreters", list(found.interpreters)))
    platforms = check_names(said.get("platforms", list(found.platforms)), "platforms")
    if not platforms:
        raise ProfileError("platforms is empty; it has to name one at least")
    weights = {}
    for key, value in table.get("weights", {}).items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
            raise ProfileError(f"the weight of {key} is {value!r}; it has to be a number from 0 to 100")
        weights[key] = float(value)
    for key in ("kept_lines", "functions_by_hand"):
        value = said.get(key, 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_LINES:
            raise ProfileError(f"{key} is {value!r}; it has to be a number from 0 to {MOST_LINES:,}")
    for key in ("title", "text"):
        if not isinstance(table.get(key, ""), str):
            raise ProfileError(f"{key} is {table[key]!r}; it has to be text")
    profile = Profile(
        id=name,
        title=table.get("title", name),
        text=table.get("text", ""),
        interpreters=interpreters,
        worst=worst,
        platforms=platforms,
        numbers=numbers,
        choices=choices,
        idioms=check_shares(said.get("idioms", dict(found.idioms)), tuple(rules.idioms), "kind of call"),
        knows=frozenset(check_names(said.get("knows", []), "knows", tuple(rules.skills), "skill")),
        weights=weights,
        kept_lines=float(said["kept_lines"]) if "kept_lines" in said else None,
        functions_by_hand=float(said.get("functions_by_hand", 0.0)),
    )
    if not any(profile.weight_of(rules).values()):
        raise ProfileError("all weights are 0; one has to be more")
    return profile


def read(path: Path, rules: Rules) -> Profile:
    """Read a profile from a file. Raises :class:`ProfileError` if the file cannot be read or is no valid profile."""
    try:
        text = path.read_text(encoding="utf-8")
        return parse(tomllib.loads(text), rules, path.stem)
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{path} is not valid TOML: {error}") from error
    except ProfileError as error:
        raise ProfileError(f"{path}: {error}") from error


def shipped(rules: Rules) -> dict[str, Profile]:
    """Return the shipped profiles by name, in the order in which they are shown."""
    folder = files(__package__).joinpath("profiles")
    texts = {it.name.removesuffix(".toml"): it.read_text(encoding="utf-8") for it in folder.iterdir()}
    order = [*(name for name in ORDER if name in texts), *sorted(texts.keys() - set(ORDER))]
    return {name: parse(tomllib.loads(texts[name]), rules, name) for name in order}


def find(name: str, rules: Rules) -> Profile:
    """Return a shipped profile by its name, or a profile from a file. Raises :class:`ProfileError`."""
    known = shipped(rules)
    if name in known:
        return known[name]
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        return read(path, rules)
    raise ProfileError(f"there is no profile {name!r} and no such file; {_nearest(name, tuple(known))}")
