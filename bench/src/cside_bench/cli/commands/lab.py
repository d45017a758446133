# SPDX-License-Identifier: Apache-2.0
"""``cside lab``: run one benchmark on the machines of a lab, and draw one page of all runs."""

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

from cside_bench.cli.console import shown
from cside_bench.cli.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_LOOK
from cside_bench.cli.options import json_option, results_option
from cside_bench.cli.parameters import CAMPAIGN
from cside_bench.lab.campaign import ARRIVED, LATEST, Campaign, CampaignError, differing
from cside_bench.machine import checkout as machine_checkout

if TYPE_CHECKING:
    from distributed import Client

    from cside_bench.lab.conductor import Seat

PAGE: Final = "report.html"
MERGED: Final = "merged.json"
"""The file in which the runs that arrived are merged, as :meth:`cside_bench.compare.machines.Merged.plain` has them."""
CONNECT_S: Final = 15
"""Time for the scheduler to answer."""
NOTES: Final = 12
"""How many notes the terminal shows."""
INSTALL: Final = "python -m pip install distributed (nox -s lab installs it by itself)"


@click.command("lab")
@click.option("--scheduler", metavar="ADDRESS", help="The address of the lab's dask scheduler, as tcp://head:8786.")
@click.option(
    "--local",
    type=click.IntRange(min=1),
    metavar="N",
    help="Start N workers on this machine instead, to try it out. They measure one after the other.",
)
@click.option("--worker", "wanted", multiple=True, metavar="NAME", help="Only this worker (repeatable).")
@click.option("--checkout", metavar="PATH", help="The checkout on the workers; without it, where they were started.")
@click.option(
    "--command",
    "program",
    metavar="WORDS",
    help='The command that workers run instead of "nox -s bench --"; ARGS and --results FOLDER are appended.',
)
@click.option("--allow-different", is_flag=True, help="Go on where the checkouts of the workers differ.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    type=CAMPAIGN,
    metavar="[CAMPAIGN]",
    help="Go on with the newest campaign, or with CAMPAIGN; workers whose runs have arrived do not measure again.",
)
@click.option("--tls-ca", type=click.Path(exists=True, dir_okay=False), help="Certificate authority of the lab.")
@click.option("--tls-cert", type=click.Path(exists=True, dir_okay=False), help="Certificate of this client.")
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False), help="Key of that certificate.")
@json_option("Print the campaign and the notes of the merged page as one JSON document.")
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

    The same benchmark is sent to every worker of a dask scheduler that offers the resource "cside-bench". Each worker
    builds and measures by itself, and no other benchmark runs on its machine meanwhile. The runs are sent back to
    results/RUN@MACHINE and drawn on one page, results/labs/CAMPAIGN/report.html. docs/lab.md says how to set up
    scheduler and workers. Progress is printed on standard error.

    \b
    Examples:
      cside lab --scheduler tcp://head:8786 -- --quick
      cside lab --scheduler tcp://head:8786 --worker bench-a --worker bench-b -- --python 3.14
      cside lab --resume --scheduler tcp://head:8786
      cside lab --local 2 -- --quick --python 3.14 --only idioms.noop

    Exit codes: 0 all runs arrived; 1 all arrived, and one of them has a void cell or no report; 2 wrong usage, or a lab
    that cannot be used as it is; 3 a worker failed or was lost; 130 interrupted, and the runs that had arrived are
    kept.
    """
    if (scheduler is None) == (local is None):
        raise click.UsageError(
            "give either --scheduler ADDRESS, the lab's, or --local N, to try it out on this machine"
        )
    if resume is not None and (arguments or program):
        raise click.UsageError("--resume takes the arguments and the command from its campaign; leave them out")
    if find_spec("distributed") is None:
        raise click.UsageError(f"the package distributed, of dask, is not installed; to install it: {INSTALL}")
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
    """Print a line of progress."""
    click.echo(text, err=True)


def default(local: int | None) -> str | None:
    """The checkout for workers on this machine: the one that the current folder is in. None for other workers."""
    top = machine_checkout.root() if local is not None else None
    return None if top is None else str(top)


@contextlib.contextmanager
def lab(scheduler: str | None, local: int | None, tls: tuple[str | None, ...]) -> "Iterator[Client]":
    """Yield a client of the lab's scheduler, or of workers that are started here and end with the block.

    Raises `click.UsageError` where the scheduler does not answer.
    """
    import dask.config
    from distributed import Client, LocalCluster
    from distributed.security import Security

    from cside_bench.lab.conductor import RESOURCE

    dask.config.set(
        {
            "distributed.worker.profile.enabled": False,  # dask's profiler would disturb the measurement
            "distributed.scheduler.http.routes": [],  # no HTTP server is needed
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
    """Make processes that are started in the block ignore Ctrl-C, which the terminal sends to them too; this process
    tells them what to do.
    """
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
    """Run the campaign on the workers whose runs have not arrived; return whether it was interrupted.

    ``lock`` is a file to use instead of the machine's lock. Raises `click.UsageError` where the lab cannot be used.
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
    names = ", ".join(seat.called for seat in left) or "no worker"
    words = [*(campaign.command or ("nox", "-s", "bench", "--")), *campaign.arguments]
    say(f"campaign {campaign.name}: {shlex.join(words)} on {names}")
    try:
        Conductor(client, campaign, results, say, checkout=checkout, lock=lock).run(left)
    except KeyboardInterrupt:
        return True
    return False


def check_alike(campaign: Campaign, seats: "list[Seat]") -> None:
    """Raise `click.UsageError` where the checkouts of workers differ, or only tell the user where that is allowed."""
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
            f"the workers would not measure the same code:\n{listed}\n"
            "bring their checkouts to one commit, or measure what is there with --allow-different"
        )
    say(f"the workers do not measure the same code, as allowed:\n{listed}")


def finish(campaign: Campaign, results: Path) -> dict[str, Any]:
    """Say what became of each worker, and draw the page of the runs that have arrived."""
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
        say(f"note: {len(merged.notes) - NOTES} more notes are in {MERGED}")
    for label, counts in merged.counts().items():
        told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        say(f"{label}: {sum(counts.values())} cells have verdicts of several machines: {told}")
    write_json(campaign.folder / MERGED, merged.plain(), indent=1)
    page = draw(runs, campaign.folder / PAGE)
    say(f"page: {shown(page)}")
    return found | {"page": str(page), "merged": merged.plain()}


def exit_code(campaign: Campaign) -> int:
    """The exit code for the campaign."""
    entries = campaign.workers.values()
    if not entries or any(entry.outcome != ARRIVED for entry in entries):
        return EXIT_FAILED
    return EXIT_LOOK if any(entry.void or entry.says for entry in entries) else 0
