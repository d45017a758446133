# SPDX-License-Identifier: Apache-2.0
"""The ``cside`` command: what there is, each imported only when it is run."""

from importlib.metadata import entry_points

import click

from cside_bench.cli.group import Entry, LazyGroup

SECTIONS = {
    "Measure": {
        "doctor": Entry("cside_bench.cli.commands.doctor", "Tell what this machine lacks, and how to install it."),
        "bench": Entry("cside_bench.cli.commands.bench", "Build what has changed, measure all bindings, report."),
        "run": Entry("cside_bench.cli.commands.run", "Measure, and report."),
        "drill": Entry("cside_bench.cli.commands.drill", "Change the headers, and see which binding notices."),
        "lab": Entry("cside_bench.cli.commands.lab", "Measure on the machines of a lab."),
        "selftest": Entry("cside_bench.cli.commands.selftest", "Test the statistics on simulated runs."),
    },
    "Decide": {
        "report": Entry(
            "cside_bench.cli.commands.report", "Draw the report of a run again, or several runs on one page."
        ),
        "claims": Entry("cside_bench.cli.commands.claims", "Judge what is said of bindings by a run."),
        "recommend": Entry("cside_bench.cli.commands.recommend", "Recommend a binding, with its evidence."),
        "compare": Entry("cside_bench.cli.commands.compare", "Tell what changed from run BASE to run OTHER."),
        "export": Entry("cside_bench.cli.commands.export", "Write a run for pyperf or pytest-benchmark."),
    },
    "Look around": {
        "list": Entry("cside_bench.cli.commands.list", "Tell what there is on this machine."),
        "source": Entry("cside_bench.cli.commands.source", "Tell where a function stands, in C and in each binding."),
        "completion": Entry(
            "cside_bench.cli.commands.completion", "Print a script for the shell that completes `cside`."
        ),
        "profile": Entry(
            "cside_bench.cli.commands.profile", "Tell where a program that uses PKCS #11 spends its time."
        ),
    },
}
"""Commands of this package, in the order of ``--help``; those of other packages, as `headers`, follow."""


@click.command(
    cls=LazyGroup,
    sections=SECTIONS,
    points=sorted(entry_points(group="cside.commands"), key=lambda point: point.name),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
def main() -> None:
    """cside: which way to bind a C library to Python, measured on this machine.

    \b
    Examples, from the question to a decision:
      cside doctor                      is the machine ready, and is it quiet?
      cside bench --quick               numbers in minutes; without --quick, verdicts
      cside report --open               look at the newest run again
      cside claims                      what is said of bindings, judged by it
      cside recommend                   which binding, why, and what would change the answer
      cside drill                       which binding notices that a header has changed

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
