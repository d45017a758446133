# SPDX-License-Identifier: Apache-2.0
"""``cside recommend``: recommend a binding for a project, from what a run measured."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cside_bench.cli import recommend_questions
from cside_bench.cli.options import evidence, json_option, named_run_option, project_argument, results_option
from cside_bench.cli.parameters import PROFILE
from cside_bench.recommend import decisions, document, profile_text, profiles, rules
from cside_bench.recommend.profiles import Profile, ProfileError

DECISION = "backtest:"
"""Beginning of the name of a profile that is made of a decision of the back-test."""


def _inputs(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each number and choice of the rules."""
    known = rules.load()
    for choice in reversed(known.choices.values()):
        option = f"--{choice.name.replace('_', '-')}"
        command = click.option(option, choice.name, type=click.Choice(choice.values), help=choice.question)(command)
    for number in reversed(known.numbers.values()):
        option = f"--{number.name.replace('_', '-')}"
        command = click.option(option, number.name, type=float, metavar="NUMBER", help=f"{number.question}.")(command)
    return command


@click.command("recommend")
@click.option(
    "--profile",
    type=PROFILE,
    metavar="FILE|NAME",
    help='A profile.toml, the name of a profile that comes with cside ("cside list profiles"), or backtest:PROJECT.',
)
@click.option("--all", "everything", is_flag=True, help="Answer every profile that comes with cside.")
@named_run_option
@results_option
@click.option(
    "--interpreter",
    multiple=True,
    metavar="NAME",
    help="An interpreter to support (repeatable), as cpython or cpython-3.14t; or with its share, as pypy=0.8.",
)
@click.option(
    "--idiom",
    multiple=True,
    metavar="NAME=SHARE",
    help=f"A kind of call with its share of all calls (repeatable): {', '.join(rules.load().idioms)}.",
)
@_inputs
@click.option(
    "--platform", multiple=True, metavar="NAME", help="A platform to release for, as linux-x86_64 (repeatable)."
)
@click.option(
    "--knows",
    multiple=True,
    metavar="SKILL",
    help=f"What the maintainers know beside Python (repeatable): none, {', '.join(rules.load().skills)}.",
)
@click.option(
    "--weight",
    multiple=True,
    metavar="CRITERION=WEIGHT",
    help=f"The weight of a criterion (repeatable): {', '.join(rules.load().criteria)}.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the answers that were given to a profile.toml.",
)
@click.option(
    "--adr",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.md",
    help="Write the answer, or all with --all, as an architecture decision record in Markdown.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=document.SEED,
    show_default=True,
    help="Seed of the random draws; the same seed gives the same answer.",
)
@json_option()
@project_argument(None)
def command(
    profile: str | None,
    everything: bool,
    run_name: str | None,
    results: Path,
    interpreter: tuple[str, ...],
    idiom: tuple[str, ...],
    platform: tuple[str, ...],
    knows: tuple[str, ...],
    weight: tuple[str, ...],
    save: Path | None,
    adr: Path | None,
    seed: int,
    as_json: bool,
    folder: Path | None,
    **inputs: float | str | None,
) -> None:
    """Recommend a binding, with its evidence.

    What your library is like is asked on the terminal; or it is read from a profile, from options, or from a profile
    that options change. The answer follows from what RUN measured, and says where RUN measured too little. Where this
    machine has no run yet, it comes from a run of another machine that ships with cside, and says so.
    docs/recommend.md says how it is decided and what the probability means.

    DIR is the folder of a project of cside init. It says how many functions are bound and of what kind, and which lines
    are kept; where cside profile has counted the calls of a program, how many there are a second, of which functions,
    with how many bytes. The rest is from --profile or assumed; options change any of it.

    \b
    Examples:
      cside recommend                                          asks
      cside recommend --all                                    answers every profile of cside
      cside recommend --profile hot-inner-loop
      cside recommend --profile hot-inner-loop --run reference
      cside recommend --all --adr decision.md
      cside recommend examples/sqlite3 --interpreter cpython --interpreter pypy
      cside recommend --profile ours.toml --interpreter cpython --interpreter pypy
      cside recommend --calls-per-second 2e6 --functions 40 --idiom scalars=0.7 --idiom structs=0.3
      cside recommend --profile workshop --json | jq '.answers[0].says'

    Exit codes: 0 answered, whatever the answer; 2 wrong usage, no such run, profile or project, or one that cannot be
    read.
    """
    known = rules.load()
    covered = None
    said = {name: value for name, value in inputs.items() if value is not None}
    options = bool(said or interpreter or idiom or platform or knows or weight)
    if everything and (profile or options or save or folder):
        raise click.UsageError("--all answers the profiles of cside as they are; leave out the other inputs")
    if not (everything or profile or options or folder) and not recommend_questions.on_terminal():
        names = ", ".join(profiles.shipped(known))
        raise click.UsageError(
            "this is no terminal to ask on; give the folder of a project, --profile FILE, --profile NAME "
            f"({names}), --all, or options"
        )
    with evidence(results, run_name) as run:
        try:
            if everything:
                asked = None
            else:
                base = _named(profile, known) if profile else profiles.default(known)
                if folder is not None:
                    from cside_bench.cli import recommend_library  # reads headers, which others do not wait for

                    base, covered = recommend_library.asked(folder, base, known)
                elif not profile and not options:
                    base = recommend_questions.ask(known, run.labels)
                asked = _changed(base, known, said, interpreter, idiom, platform, knows, weight)
        except ProfileError as error:
            raise click.UsageError(str(error)) from error
        found = document.answers(run, None if asked is None else [asked], seed=seed)
        if covered is not None:
            recommend_library.tell(found, covered)
    if save is not None and asked is not None:
        _save(save, profile_text.text_of(asked))
    if adr is not None:
        from cside_bench.report.adr import record

        _save(adr, record(found, known))
    if as_json:
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    _show(found, known, overview=everything)


def _named(name: str, known: rules.Rules) -> Profile:
    """The profile of a name, a file, or a decision of the back-test. Raises :class:`ProfileError`."""
    if not name.startswith(DECISION):
        return profiles.find(name, known)
    part = name.removeprefix(DECISION)
    found = decisions.named(decisions.shipped(), [part])
    if len(found) > 1:
        raise ProfileError(f"{part!r} is in the names of several decisions: {', '.join(it.name for it in found)}")
    return decisions.profile(found[0], known)


def _changed(
    base: Profile,
    known: rules.Rules,
    said: dict[str, float | str],
    interpreter: tuple[str, ...],
    idiom: tuple[str, ...],
    platform: tuple[str, ...],
    knows: tuple[str, ...],
    weight: tuple[str, ...],
) -> Profile:
    """The profile, changed by the options. Raises :class:`ProfileError`."""
    changed = base
    for name, value in said.items():
        if name in known.numbers:
            changed = changed.with_number(name, profiles.check_number(known, name, value))
        else:
            changed = changed.with_choice(name, profiles.check_choice(known, name, value))
    if interpreter:
        shares, worst = recommend_questions.interpreters_in(" ".join(interpreter))
        changed = replace(changed, interpreters=shares, worst=worst)
    if idiom:
        wanted = recommend_questions.shares(" ".join(idiom))
        changed = replace(changed, idioms=profiles.check_shares(wanted, tuple(known.idioms), "kind of call"))
    if platform:
        changed = replace(changed, platforms=profiles.check_names(list(platform), "platforms"))
    if knows:
        names = [name for name in knows if name != "none"]
        changed = replace(changed, knows=frozenset(profiles.check_names(names, "knows", tuple(known.skills), "skill")))
    if weight:
        table = {
            **profile_text.plain_tables(changed),
            "weights": {**changed.weights, **recommend_questions.shares(" ".join(weight))},
        }
        changed = profiles.parse(table, known, changed.id)
    return changed


def _save(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error}") from error
    click.echo(f"saved: {path}", err=True)


def _show(found: dict[str, Any], known: rules.Rules, *, overview: bool) -> None:
    from cside_bench.cli.console import (
        PLAIN_WIDTH,  # rich, which --json does not need
        make_console,
    )
    from cside_bench.report.recommend import Shown

    shown = Shown(make_console(), known)
    if found["another_machine"]:
        shown.banner(found["another_machine"])
    if overview:
        shown.overview(found)
    for answer in found["answers"]:
        shown.answer(answer)
    shown.console.print(
        f"run {found['run']} ({found['tier']} tier) on {found['machine']}; {found['draws']:,} draws, "
        f"seed {found['seed']}",
        width=min(PLAIN_WIDTH, shown.console.width),
        highlight=False,
    )
