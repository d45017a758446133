# SPDX-License-Identifier: Apache-2.0
"""Parts of ``docs/backtest.md`` that are generated: ``python -m cside_bench.cli.backtest_page [--check | --run RUN]``.

``profiles``  what the facts of each decision became
``answers``   what cside says of each, by a run; written only with ``--run``

Each stands between two comments, as in ``docs/architecture.md``.
"""

from pathlib import Path
from typing import Final

import click

from cside_bench.cli import generated
from cside_bench.recommend import backtest, decisions, document, rules
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.profiles import Profile
from cside_bench.report.backtest import markdown
from cside_bench.results.evidence import Run

PAGE: Final = "docs/backtest.md"
NUMBERS: Final = ("calls_per_second", "bytes_per_call", "elements_per_loop", "functions", "changes_per_year")
CHOICES: Final = (
    *("library", "language", "declarations", "compiler_at_install", "wheels", "new_pythons", "threads"),
    *("maintained_by", "crashes"),
)


def _row(profile: Profile, rules_: rules.Rules) -> str:
    numbers = [f"{profile.numbers[name]:,.10g}" for name in NUMBERS]
    changed = [
        f"{name} = {profile.choices[name]}" for name in CHOICES if profile.choices[name] != rules_.choices[name].default
    ]
    knows = [f"knows {', '.join(sorted(profile.knows))}"] if profile.knows else []
    said = ", ".join([" and ".join(profile.interpreters), *changed, *knows])
    return f"| {profile.title} | {' | '.join(numbers)} | {said} |"


def profiles_table() -> str:
    """Return a row for each decision: its numbers, and the choices that are not the default."""
    known = rules.load()
    head = ["project", *(name.replace("_", " ") for name in NUMBERS), "choices that are not the default"]
    lines = [f"| {' | '.join(head)} |", f"|---|{'--:|' * len(NUMBERS)}---|"]
    return "\n".join([*lines, *(_row(decisions.profile(it, known), known) for it in decisions.shipped())])


def page(root: Path, run: Path | None = None) -> str:
    """The whole page, with its generated parts made anew; the answers only if a run is given."""
    parts = {"profiles": profiles_table()}
    if run is not None:
        found = Run.load(run)
        told = backtest.trials(Advisor(found, rules.load(), document.SEED), decisions.shipped())
        parts["answers"] = f"Run {found.name}, {found.tier} tier, {', '.join(found.labels)}.\n\n{markdown(told)}"
    return generated.filled(root, PAGE, parts)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where the page is not as it would be.")
@click.option(
    "--run", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Answer by this run, and write that."
)
def command(check: bool, run: Path | None) -> None:
    """Write the generated parts of docs/backtest.md."""
    root = generated.root()
    generated.write(root, {root / PAGE: page(root, run)}, check=check)


if __name__ == "__main__":
    command()
