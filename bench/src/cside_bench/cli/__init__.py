# SPDX-License-Identifier: Apache-2.0
"""The ``cside`` command: the list of all commands, each of which is imported when it is used."""

from importlib.metadata import EntryPoint, entry_points

import click
import cloup

from cside_bench.cli.group import Later, Program

OWN = {
    "Measure": {
        "doctor": "Find out what this machine lacks, and how to install it.",
        "bench": "Build what has changed, measure all bindings, report.",
        "run": "Measure, and report.",
        "verify": "Measure cells of a finished run again, each alone, and say whether RUN was right.",
        "drill": "Change the headers, and see which binding notices.",
        "hazards": "Make classic mistakes with each approach, and see what happens.",
        "lab": "Measure on the machines of a lab.",
        "selftest": "Test the statistics on simulated runs.",
    },
    "Decide": {
        "report": "Draw the report of a run again, or several runs on one page.",
        "claims": "Judge what is said of bindings by a run.",
        "predict": "Price one C function with every approach, from its prototype, or all functions of a project.",
        "recommend": "Recommend a binding, with its evidence.",
        "backtest": "Try the recommendation on decisions that projects made in public.",
        "compare": "Show what changed from run BASE to run OTHER.",
        "targets": "Compare the bindings with what good ones reach, for developers of cside.",
        "export": "Write a run for pyperf or pytest-benchmark.",
        "reference": "Make the reference run from a run, for developers of cside.",
    },
    "Your library": {
        "init": "Read the header of a C library, and draft how to bind it.",
        "review": "Ask what the drafts leave open, and write the answers as rules.",
        "try": "Call every bound function once, each in a process of its own.",
        "build": "Write a package of your library for each technique, build them, and install them.",
        "test": "Test that the packages of all techniques do the same.",
        "profile": "Measure which functions of a library a program calls, and where its time goes.",
    },
    "Look around": {
        "list": "List what there is on this machine.",
        "source": "Show where a function stands, in C and in each binding.",
        "completion": "Print a script by which a shell completes `cside`.",
    },
}
"""The commands of this package by section, each with the first sentence of its help. ``commands/NAME.py`` has its code.
"""


def _added(point: EntryPoint) -> Later:
    """A command that another package adds, as ``headers``; the package's summary is its short help."""
    summary = point.dist.metadata["Summary"] if point.dist is not None else ""
    return Later(point.name, summary or "", point.load)


SECTIONS = [cloup.Section(title, [Later(*one) for one in table.items()]) for title, table in OWN.items()]
for point in sorted(entry_points(group="cside.commands"), key=lambda point: point.name):
    SECTIONS[-1].add_command(_added(point))


@click.command(
    cls=Program,
    sections=SECTIONS,
    align_sections=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
def main() -> None:
    """cside: which way to bind a C library to Python, measured on this machine.

    \b
    Examples, from the question to a decision:
      cside doctor                      is everything installed, and is the machine quiet?
      cside bench --quick               numbers in minutes; without --quick, verdicts
      cside report --open               look at the newest run again
      cside claims                      what is said of bindings, judged by it
      cside recommend                   which binding, why, and what would change the answer
      cside predict "int f(int a)"      what a call of your function costs with each
      cside drill                       which binding notices that a header has changed
      cside hazards                     what each approach lets you do wrong

    \b
    Without an installed cside, from the top of a checkout:
      nox -s bench -- --quick           the same as cside bench --quick
      nox -s cside -- recommend         any command of this program

    \b
    Exit codes:
      0    done
      1    done, with something to look at: void cells, a check that failed, a limit exceeded
      2    wrong usage, or an input that is not there or cannot be read
      3    a process failed
      130  interrupted
    """
