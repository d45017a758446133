# SPDX-License-Identifier: Apache-2.0
"""The questions that ``cside recommend`` asks on a terminal, each with its meaning and its default."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from cside_bench.recommend import profiles
from cside_bench.recommend.profiles import Profile, ProfileError
from cside_bench.recommend.rules import Rules


def on_terminal() -> bool:
    """Whether a user sits at a terminal and can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def words(text: str) -> list[str]:
    """The names in a text, separated by commas or blanks."""
    return text.replace(",", " ").split()


def shares(text: str) -> dict[str, float]:
    """Read ``scalars=0.5, text=0.5`` as names with shares; the share is 1 where none is given. Raises
    :class:`ProfileError` where a share is no number.
    """
    found = {}
    for word in words(text):
        name, equals, value = word.partition("=")
        try:
            found[name] = float(value) if equals else 1.0
        except ValueError:
            raise ProfileError(f"{word!r} is no name with a share; write it as scalars=0.5") from None
    return found


def interpreters_in(text: str) -> tuple[dict[str, float], bool]:
    """Read interpreters, all with shares or none of them, and whether the worst of them decides.

    Raises :class:`ProfileError`.
    """
    return profiles.check_interpreters(shares(text) if "=" in text else words(text))


def ask(rules: Rules, labels: list[str]) -> Profile:
    """Ask all questions. ``labels`` are the interpreters that the run measured."""
    base = profiles.default(rules)
    click.echo(
        "Press Enter to take the value in brackets. Answers are stored only where --save names a file.\n", err=True
    )
    click.echo(
        f"The run measured {', '.join(labels)}. Name one of these, or all of a kind as cpython or pypy.", err=True
    )
    interpreters, worst = _one(
        "Interpreters to support (the worst of them decides; with shares, as pypy=0.8 cpython=0.2, the mean decides)",
        "cpython",
        interpreters_in,
    )
    click.echo("\nKinds of call:", err=True)
    for idiom in rules.idioms.values():
        click.echo(f"  {idiom.name:<17} {idiom.title}", err=True)
    idioms = _one(
        "Kinds used, with their shares of the calls",
        " ".join(f"{name}={share:g}" for name, share in base.idioms.items()),
        lambda text: profiles.check_shares(shares(text), tuple(rules.idioms), "kind of call"),
    )
    numbers = {name: _number(rules, name) for name in rules.numbers}
    platforms = _one(
        "Platforms to release for",
        " ".join(base.platforms),
        lambda text: profiles.check_names(words(text) or None, "platforms"),
    )
    choices = {
        name: _one(
            f"{it.question} ({', '.join(it.values)})",
            it.default,
            partial(_choice, rules, name),
        )
        for name, it in rules.choices.items()
        if not it.asked_with or it.asked_with in idioms
    }
    click.echo("\nWhat maintainers may know beside Python:", err=True)
    for skill in rules.skills.values():
        click.echo(f"  {skill.name:<17} {skill.title}", err=True)
    knows = _one(
        "What they know of that, or none",
        "none",
        lambda text: profiles.check_names(
            [it for it in words(text) if it != "none"], "knows", tuple(rules.skills), "skill"
        ),
    )
    click.echo("", err=True)
    return Profile(
        id=base.id,
        title=base.title,
        text=base.text,
        interpreters=interpreters,
        worst=worst,
        platforms=platforms,
        numbers=numbers,
        choices={**base.choices, **choices},
        idioms=idioms,
        knows=frozenset(knows),
    )


def _choice(rules: Rules, name: str, text: str) -> str:
    return profiles.check_choice(rules, name, text.strip())


def _number(rules: Rules, name: str) -> float:
    spec = rules.numbers[name]

    def read(text: str) -> float:
        try:
            value = float(text.replace(",", ""))
        except ValueError:
            raise ProfileError(f"{text!r} is no number ({spec.unit})") from None
        return profiles.check_number(rules, name, value)

    found: float = _one(spec.question, f"{spec.default:g}", read)
    return found


def _one(question: str, default: str, read: Callable[[str], Any]) -> Any:
    """Ask until the answer can be read; say what is wrong with an answer that cannot."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ProfileError as error:
            raise click.BadParameter(str(error)) from error

    return click.prompt(question, default=default, value_proc=convert, err=True)
