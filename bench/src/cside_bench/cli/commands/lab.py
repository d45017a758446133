# SPDX-License-Identifier: Apache-2.0
"""``cside lab``: one benchmark on the machines of a lab, and one page of all."""

import contextlib
import json
import shlex
import signal
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from cside_suite.files import write_json

from cside_bench.cli.options import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_LOOK, json_option, results_option
from cside_bench.lab.campaign import ARRIVED, LATEST, Campaign, CampaignError, differing
from cside_bench.machine import checkout as machine_checkout

if TYPE_CHECKING:
    from distributed import Client

    from cside_bench.lab.conductor import Seat

PAGE: Final = "report.html"
MERGED: Final = "merged.json"
"""What :meth:`cside_bench.compare.machines.Merged.plain` says of the runs that arrived."""
CONNECT_S: Final = 15
NOTES: Final = 12
"""That the terminal shows."""
INSTALL: Final = "python -m pip install distributed (nox -s lab brings it along)"


@click.command("lab")
@click.option("--scheduler", metavar="ADDRESS", help="Of the lab's dask scheduler, as tcp://head:8786.")
@click.option(
    "--local",
    type=click.IntRange(min=1),
    metavar="N",
    help="Start N workers on this machine instead, to try it out; they take turns.",
)
@click.option("--worker", "wanted", multiple=True, metavar="NAME", help="Only this worker (repeatable).")
@click.option("--checkout", metavar="PATH", help="The checkout on the workers, where they were not started in it.")
@click.option(
    "--command",
    "program",
    metavar="WORDS",
    help='What workers run in the place of "nox -s bench --"; it is given ARGS and --results FOLDER.',
)
@click.option("--allow-different", is_flag=True, help="Go on where checkouts of workers differ, and say so.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    metavar="[CAMPAIGN]",
    help="Go on with a campaign, the newest or by its stamp: workers whose runs arrived are not asked again.",
)
@click.option("--tls-ca", type=click.Path(exists=True, dir_okay=False), help="Certificate authority of the lab.")
@click.option("--tls-cert", type=click.Path(exists=True, dir_okay=False), help="Certificate of this client.")
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False), help="Its key.")
@json_option("Print the campaign and the merged page's notes as one JSON document; progress goes to standard error.")
@results_option
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS OF nox -s bench]")
def command(
    scheduler: str | None,
    local: int | None,
    wanted: tuple[str, ...],
    checkout: str | None,
    program: str | None,
    allow_different: bool,
    resume: str | None,
    tls_ca: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    as_json: bool,
    results: Path,
    arguments: tuple[str, ...],
) -> None:
    """Measure on the machines of a lab.

    One benchmark goes to every worker of a dask scheduler that offers the resource "cside-bench"; each builds and
    measures for itself, alone on its machine. The runs come back to results/RUN@MACHINE and are drawn on one page,
    results/labs/CAMPAIGN/report.html. docs/lab.md says how to set up scheduler and workers.

    \b
    Examples:
      cside lab --scheduler tcp://head:8786 -- --quick
      cside lab --scheduler tcp://head:8786 --worker bench-a --worker bench-b -- --python 3.14
      cside lab --resume --scheduler tcp://head:8786
      cside lab --local 2 -- --quick --python 3.14 --only idioms.noop

    Exit codes: 0 all runs arrived; 1 all arrived, and one of them has a void cell or no report; 2 wrong usage, or a lab
    that cannot be used as it is; 3 a worker failed or was lost; 130 interrupted, and what had arrived is kept.
    """
    if (scheduler is None) == (local is None):
        raise click.UsageError("name the lab by --scheduler ADDRESS, or try it out by --local N")
    if resume is not None and (arguments or program):
        raise click.UsageError("--resume repeats the arguments and the command of its campaign")
    if find_spec("distributed") is None:
        raise click.UsageError(f"this needs dask's distributed; to install it: {INSTALL}")
    results = results.resolve()
    try:
        if resume is not None:
            campaign = Campaign.load(results, resume)
            campaign.allow_different |= allow_different
        else:
            words = shlex.split(program) if program else None
            campaign = Campaign.new(results, list(arguments), words, allow_different=allow_different)
    except (CampaignError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    with lab(scheduler, local, (tls_ca, tls_cert, tls_key)) as client:
        interrupted = conduct(client, campaign, results, wanted, checkout or default(local), local=local is not None)
    found = finish(campaign, results)
    if as_json:
        click.echo(json.dumps(found, indent=1))
    sys.exit(EXIT_INTERRUPTED if interrupted else exit_code(campaign))


def say(text: str) -> None:
    """A line of progress."""
    click.echo(text, err=True)


def default(local: int | None) -> str | None:
    """Workers of this machine measure in this checkout, whatever folder of it the command was typed in."""
    top = machine_checkout.root() if local is not None else None
    return None if top is None else str(top)


@contextlib.contextmanager
def lab(scheduler: str | None, local: int | None, tls: tuple[str | None, ...]) -> "Iterator[Client]":
    """A client of the lab's scheduler, or of workers that are started here and end with the block.

    Raises `click.UsageError` where nobody answers.
    """
    import dask.config
    from distributed import Client, LocalCluster
    from distributed.security import Security

    from cside_bench.lab.conductor import RESOURCE

    dask.config.set(
        {
            "distributed.worker.profile.enabled": False,  # a sampler of stacks has no place beside a measurement
            "distributed.scheduler.http.routes": [],  # nor is there anything to see or to ask by HTTP
            "distributed.worker.http.routes": [],
        }
    )
    with contextlib.ExitStack() as stack:
        if local is not None:
            with warnings.catch_warnings(), deaf():
                warnings.filterwarnings("ignore", message="Port 8787 is already in use")
                address: Any = stack.enter_context(
                    LocalCluster(  # type: ignore[no-untyped-call]  # dask has no types
                        n_workers=local,
                        threads_per_worker=1,
                        processes=True,
                        host="127.0.0.1",
                        memory_limit=0,
                        resources={RESOURCE: 1},
                        dashboard_address=None,
                        worker_dashboard_address=None,
                        silence_logs="ERROR",
                    )
                )
        else:
            address = scheduler
        ca, cert, key = tls
        secured = any(tls)
        security = (
            Security(  # type: ignore[no-untyped-call]  # dask has no types
                tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True
            )
            if secured
            else None
        )
        try:
            connected = Client(address, timeout=CONNECT_S, security=security)  # type: ignore[no-untyped-call]  # dask has no types
            client = stack.enter_context(connected)
        except (OSError, ValueError) as error:
            raise click.UsageError(f"no scheduler answers at {scheduler}: {error}") from error
        yield client


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """Processes started inside do not hear Ctrl-C, which the terminal sends to all: this one tells them what to do."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def conduct(
    client: "Client",
    campaign: Campaign,
    results: Path,
    wanted: tuple[str, ...],
    checkout: str | None,
    *,
    local: bool,
    lock: str | None = None,
) -> bool:
    """Run the campaign on what is left of it; whether it was interrupted. Raises `click.UsageError`.

    ``lock`` is a file in the place of the machine's own.
    """
    from cside_bench.lab.conductor import Conductor, LabError, survey

    try:
        seats = survey(client, wanted, checkout, campaign.command, local=local)
    except LabError as error:
        raise click.UsageError(str(error)) from error
    check_alike(campaign, seats)
    known = {entry.called for entry in campaign.arrived()}
    for called in sorted(known):
        say(f"{called}: its run has arrived already: {campaign.workers[called].run}")
    left = [seat for seat in seats if seat.called not in known]
    names = ", ".join(seat.called for seat in left) or "nobody"
    words = [*(campaign.command or ("nox", "-s", "bench", "--")), *campaign.arguments]
    say(f"campaign {campaign.name}: {shlex.join(words)} on {names}")
    try:
        Conductor(client, campaign, results, say, checkout=checkout, lock=lock).run(left)
    except KeyboardInterrupt:
        return True
    return False


def check_alike(campaign: Campaign, seats: "list[Seat]") -> None:
    """Raise `click.UsageError` where checkouts differ and that was not allowed; say so where it was."""
    described = {seat.called: seat.described for seat in seats}
    described |= {
        it.called: {"commit": it.commit, "library": it.library, "sources": it.sources} for it in campaign.arrived()
    }
    found = differing(described)
    if not found:
        return
    listed = "\n".join(f"  {line}" for line in found)
    if not campaign.allow_different:
        raise click.UsageError(
            f"the workers would not measure the same:\n{listed}\nbring their checkouts to one commit, or take what is "
            "there with --allow-different"
        )
    say(f"the workers do not measure the same, as allowed:\n{listed}")


def finish(campaign: Campaign, results: Path) -> dict[str, Any]:
    """Draw the merged page of what has arrived, and tell how each worker did."""
    from cside_bench.compare.machines import merge
    from cside_bench.report.page.draw import draw
    from cside_bench.results.evidence import Run, RunError

    for entry in campaign.workers.values():
        say(": ".join(it for it in (entry.called, entry.outcome, entry.run, entry.says) if it))
    runs = []
    for entry in campaign.arrived():
        try:
            runs.append(Run.load(results / str(entry.run)))
        except RunError as error:
            say(f"{entry.called}: not on the page: {error}")
    found: dict[str, Any] = {
        "campaign": campaign.name,
        "workers": [{"called": it.called, "outcome": it.outcome, "run": it.run} for it in campaign.workers.values()],
        "page": None,
        "merged": None,
    }
    say(f"record: {shown(campaign.folder / 'lab.json')}")
    if not runs:
        return found
    merged = merge(runs)
    for note in merged.notes[:NOTES]:
        say(f"note: {note.says}")
    if len(merged.notes) > NOTES:
        say(f"note: and {len(merged.notes) - NOTES} more, in {MERGED}")
    for label, counts in merged.counts().items():
        told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        say(f"{label}: {sum(counts.values())} cells with verdicts on several machines: {told}")
    write_json(campaign.folder / MERGED, merged.plain(), indent=1)
    page = draw(runs, campaign.folder / PAGE)
    say(f"page: {shown(page)}")
    return found | {"page": str(page), "merged": merged.plain()}


def shown(path: Path) -> str:
    """A path as the user would type it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def exit_code(campaign: Campaign) -> int:
    """How the campaign went."""
    entries = campaign.workers.values()
    if not entries or any(entry.outcome != ARRIVED for entry in entries):
        return EXIT_FAILED
    return EXIT_LOOK if any(entry.void or entry.says for entry in entries) else 0
