# SPDX-License-Identifier: Apache-2.0
"""``cside review``: ask what the drafts leave open, and write the answers as rules."""

import json
import sys
from pathlib import Path
from typing import Any

import click
from cside_wrap.errors import WrapError
from cside_wrap.project import overrides, reading
from cside_wrap.review.answers import HELP, rule_of, suggestion
from cside_wrap.review.questions import Question, questions
from cside_wrap.roles.vocabulary import State

from cside_bench.cli.options import json_option, project_argument


@click.command("review")
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="ID=ANSWER",
    help="Answer one question: yes, refuse, or role=…,room=… (repeatable).",
)
@click.option("--list", "listing", is_flag=True, help="Print the questions, also on a terminal, and ask nothing.")
@click.option("--roles", "pattern", metavar="NAME", help="Print the roles of this function's arguments, with reasons.")
@json_option("Print the questions as one JSON document.")
@project_argument()
def command(answers: tuple[str, ...], listing: bool, pattern: str | None, as_json: bool, folder: Path) -> None:
    """Ask what the drafts leave open, and write the answers as rules.

    Alike questions are asked once: an answer settles all functions that it names. On a terminal each is asked in turn;
    elsewhere they are printed, and `--answer` or an edited overrides.toml answers them. A function with an output
    buffer or an ownership that nobody confirmed is not bound.

    \b
    Examples:
      cside review zstd
      cside review zstd --list
      cside review zstd --answer 3fa0=yes --answer 91bc=role=bytes-in,size={prefix}_KEYBYTES
      cside review zstd --roles ZSTD_compress

    Exit codes: 0 nothing is open; 1 questions are open; 2 wrong usage or an answer that is none.
    """
    try:
        found = reading.read(folder)
        for line in reading.check_lock(found):
            click.echo(f"since cside init: {line}", err=True)
        if pattern is not None:
            _roles(found, pattern)
            return
        if answers:
            found = _answered(found, answers)
        asked = questions(found.described)
        if as_json:
            click.echo(json.dumps([_plain(one) for one in asked], indent=1, ensure_ascii=False))
        elif sys.stdin.isatty() and sys.stdout.isatty() and not listing and not answers:
            found = _ask(found, asked)
            asked = questions(found.described)
        else:
            for one in asked:
                click.echo(_shown(one) + "\n")
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    if not as_json:
        for note in found.notes:
            click.echo(f"note: {note}")
        states = found.states()
        click.echo(
            f"{len(asked)} questions; {states[State.BOUND]} of {sum(states.values())} functions bound, "
            f"{states[State.ASKED]} asked, {states[State.REFUSED]} refused; "
            f"{len(found.overrides.rules)} rules on {found.overrides.lines} lines"
        )
        if asked and not sys.stdin.isatty():
            click.echo(f"{HELP}.\nTo answer: cside review {folder} --answer {asked[0].id}=…")
    sys.exit(1 if asked else 0)


def _shown(one: Question) -> str:
    """A question as text."""
    functions = ", ".join(dict.fromkeys(function for function, _ in one.places[:4]))
    more = f" and {len(one.places) - 4} more" if len(one.places) > 4 else ""
    comment = [f"    {line}" for line in one.comment.splitlines() if line.strip()][:4]
    settled = f"{len(one.places)} places; {one.settles} functions are bound after it"
    return "\n".join(
        [
            f"[{one.id}] {one.draft.type.written} {one.draft.name}: {one.draft.reason}",
            f"    {one.declaration}",
            *comment,
            f"    draft: {suggestion(one)}{'' if one.complete else '   (incomplete: yes is no answer)'}",
            f"    {settled}: {functions}{more}",
        ]
    )


def _plain(one: Question) -> dict[str, Any]:
    return {
        "id": one.id,
        "type": one.draft.type.written,
        "argument": one.draft.name,
        "reason": one.draft.reason,
        "draft": suggestion(one),
        "complete": one.complete,
        "settles": one.settles,
        "places": [list(place) for place in one.places],
    }


def _answered(found: reading.Project, answers: tuple[str, ...]) -> reading.Project:
    """Write the answers' rules, and read the project again. Nothing is written where one is wrong."""
    known = {one.id: one for one in questions(found.described)}
    rules = []
    for each in answers:
        name, equals, text = each.partition("=")
        if not equals or name not in known:
            raise click.UsageError(f"there is no open question {name}; cside review --list prints them")
        rule = rule_of(known[name], text, found.described)
        if rule is not None:
            rules.append(rule)
    return _with(found, rules)


def _with(found: reading.Project, rules: list[dict[str, Any]]) -> reading.Project:
    """The project with these rules too. The file is restored where they cannot be applied."""
    path = found.folder / overrides.NAME
    before = path.read_bytes() if path.exists() else None
    overrides.add(path, rules)
    try:
        return reading.read(found.folder, found.settings)
    except WrapError:
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)
        raise


def _ask(found: reading.Project, asked: list[Question]) -> reading.Project:
    """Ask each question on the terminal. Each answer is written at once."""
    click.echo(f"{len(asked)} questions. {HELP}; quit ends.\n")
    for number, one in enumerate(asked, 1):
        click.echo(f"{number} of {len(asked)}")
        click.echo(_shown(one))
        while True:
            answer = click.prompt("answer", default="skip")
            if answer.strip() in ("q", "quit"):
                return found
            try:
                rule = rule_of(one, answer, found.described)
                if rule is not None:
                    found = _with(found, [rule])
                break
            except WrapError as error:
                click.echo(str(error))
        click.echo()
    return found


def _roles(found: reading.Project, name: str) -> None:
    """Print what each argument of a function is for, how sure that is, and why."""
    one = found.described.get(name)
    if one is None:
        raise click.UsageError(f"there is no function {name} in {found.settings.name}")
    click.echo(f"{one.function.declaration}\n{one.state}{': ' + one.refused if one.refused else ''}")
    for each in (*one.arguments, one.result):
        its = ", ".join(f"{key}={value}" for key, value in each.attributes.items())
        click.echo(f"  {each.name}: {each.role}{' (' + its + ')' if its else ''}; {each.confidence}: {each.reason}")
