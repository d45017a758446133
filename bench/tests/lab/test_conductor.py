# SPDX-License-Identifier: Apache-2.0
"""A benchmark on several workers: all runs arrive, nobody measures beside another, nothing is left running."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import psutil
import pytest

pytest.importorskip("distributed", reason="the lab needs dask's distributed, an extra of cside-bench")

from cside_bench.cli.commands import lab
from cside_bench.lab import job
from cside_bench.lab.campaign import Campaign, differing
from cside_bench.lab.conductor import LabError, Seat, survey
from cside_bench.results.evidence import Run
from distributed import Client
from repository import SUPPORT

BENCH = '''
"""A benchmark that measures nothing: it leaves a run, and a diary of when it was there."""
import json, os, sys, time
from pathlib import Path
import psutil

words = sys.argv[1:]
results = Path(words[words.index("--results") + 1])
called, diary = results.name, Path(words[0])
with diary.open("a") as book:
    def note(what):
        line = {"called": called, "what": what, "at": time.monotonic(), "pid": os.getpid(), "words": words}
        line["malloc"] = os.environ.get("MALLOC_TRIM_THRESHOLD_")
        book.write(json.dumps(line) + "\\n")
        book.flush()
    first = not diary.read_text()
    note("enter")
    print("measuring", flush=True)
    if f"fail:{called}" in words:
        print("the third block failed", flush=True)
        sys.exit(3)
    if f"kill:{called}" in words:
        psutil.Process().parents()[1].kill()  # the keeper's parent, which is the worker
        time.sleep(600)
    folder = results / ("20261121-12000" + called[-1])
    if "second-stays" in words and not first:
        folder.mkdir(parents=True)
        (folder / "run.json").write_text("{}")
        print("staying", flush=True)
        time.sleep(600)
    time.sleep(0.3)
    sys.path.insert(0, words[1])
    from kept_run import Shape, write_kept_run
    if "--resume" in words:
        (folder / "run.json").unlink()
        folder.rmdir()
    write_kept_run(
        results,
        Shape(labels=("cpython-3.14",), run=folder.name, machine="bench-" + called[-1], void=()),
    )
    note("leave")
'''


Start = Callable[..., tuple[Campaign, list[str]]]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of two local worker processes."""
    with lab.lab(None, 2, (None, None, None)) as found:
        yield found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that passes for a checkout, with a benchmark to run in it."""
    (tmp_path / "noxfile.py").write_text("")
    (tmp_path / "native").mkdir()
    (tmp_path / "native" / "one.c").write_text("int one;\n")
    (tmp_path / "bench.py").write_text(BENCH)
    (tmp_path / "diary").write_text("")
    return tmp_path


@pytest.fixture
def start(place: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Conducts a campaign on a client's workers; returns it and what was said."""

    def begin(
        client: Client, *words: str, campaign: Campaign | None = None, until: Callable[[list[str]], bool] | None = None
    ) -> tuple[Campaign, list[str]]:
        said: list[str] = []

        def say(text: str) -> None:
            before = until is not None and until(said)
            said.append(text)
            if until is not None and until(said) and not before:
                raise KeyboardInterrupt  # once

        monkeypatch.setattr(lab, "say", say)
        if campaign is None:
            arguments = [str(place / "diary"), str(SUPPORT), *words]
            program = [sys.executable, str(place / "bench.py")]
            campaign = Campaign.new(place / "results", arguments, program, allow_different=False)
        interrupted = lab.conduct(
            client, campaign, place / "results", (), str(place), local=True, lock=str(place / "lock")
        )
        assert interrupted == (until is not None)
        return Campaign.load(place / "results", campaign.name), said

    return begin


def diary(place: Path) -> list[dict[str, Any]]:
    """What the benchmarks noted."""
    return [json.loads(line) for line in (place / "diary").read_text().splitlines()]


def gone(pid: int, patience_s: float = 20.0) -> bool:
    """Whether a process ends within so many seconds."""
    with contextlib.suppress(psutil.NoSuchProcess, psutil.TimeoutExpired):
        process = psutil.Process(pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            process.wait(patience_s)
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_two_workers_make_one_page(client: Client, start: Start, place: Path) -> None:
    """The runs of two workers arrive whole, each under its machine's name, and are drawn on one page."""
    campaign, _ = start(client)
    assert {entry.outcome for entry in campaign.workers.values()} == {"arrived"}
    assert {entry.run for entry in campaign.arrived()} == {"20261121-120001@bench-1", "20261121-120002@bench-2"}
    for entry in campaign.arrived():
        run = Run.load(place / "results" / str(entry.run))
        assert (run.machine, run.summary["seed"]) == (entry.machine, entry.seed)
        assert entry.nbytes == sum(path.stat().st_size for path in run.folder.rglob("*") if path.is_file())
    found = lab.finish(campaign, place / "results")
    assert Path(found["page"]) == campaign.folder / "report.html"
    text = Path(found["page"]).read_text(encoding="utf-8")
    assert "bench-1" in text
    assert "bench-2" in text
    assert found["merged"]["counts"]["cpython-3.14"]
    assert json.loads((campaign.folder / "merged.json").read_text()) == found["merged"]
    assert lab.exit_code(campaign) == 0
    assert not list(place.glob(".cside/lab/*"))  # a worker keeps nothing of what has arrived


def test_workers_of_one_machine_take_turns(client: Client, start: Start, place: Path) -> None:
    """Two workers of one machine never measure at the same time, and the second says for whom it waits."""
    _, said = start(client)
    times = {(it["called"], it["what"]): it["at"] for it in diary(place)}
    first, second = sorted(("local-1", "local-2"), key=lambda called: times[called, "enter"])
    assert times[first, "leave"] <= times[second, "enter"]
    assert any(line.startswith(f"{second}: waiting: {first} of lab") for line in said)


def test_what_dask_sets_for_its_workers_is_not_measured(client: Client, start: Start, place: Path) -> None:
    """A nanny tunes its worker's memory allocator; the benchmark gets it as the machine has it."""
    assert set(client.run(os.environ.get, "MALLOC_TRIM_THRESHOLD_").values()) != {None}
    start(client)
    assert {it["malloc"] for it in diary(place)} == {None}


def test_a_worker_that_fails_is_named_and_the_others_go_on(client: Client, start: Start) -> None:
    """The record and the terminal say which one it was, with the last that it printed; the other run arrives."""
    campaign, said = start(client, "fail:local-1")
    assert {name: entry.outcome for name, entry in campaign.workers.items()} == {
        "local-1": "failed",
        "local-2": "arrived",
    }
    assert campaign.workers["local-1"].says == "exit code 3"
    assert any(line.startswith("local-1: failed: exit code 3") for line in said)
    assert "local-1: | the third block failed" in said
    assert "the third block failed" in campaign.log("local-1").read_text()
    assert lab.exit_code(campaign) == 3


def test_a_worker_that_is_killed_takes_its_benchmark_along(start: Start, place: Path) -> None:
    """It is reported as lost; what it ran is ended; and the machine is free for the other one, which arrives."""
    with lab.lab(None, 2, (None, None, None)) as client:
        campaign, said = start(client, "kill:local-1")
    assert campaign.workers["local-1"].outcome == "lost"
    assert campaign.workers["local-2"].outcome == "arrived"
    assert any(line.startswith("local-1: lost: ") for line in said)
    assert all(gone(it["pid"]) for it in diary(place))


def test_interrupted_and_resumed(client: Client, start: Start, place: Path) -> None:
    """After Ctrl-C nothing runs on, what had arrived is kept, and a resumed campaign asks only for the rest."""

    def late(said: list[str]) -> bool:
        return any(": arrived: " in it for it in said) and any(it.endswith(": staying") for it in said)

    campaign, _ = start(client, "second-stays", until=late)
    outcomes = {entry.outcome: entry for entry in campaign.workers.values()}
    assert set(outcomes) == {"arrived", "stopped"}
    assert all(gone(it["pid"], 0.0) for it in diary(place))
    assert client.run(lambda: [it.pid for it in psutil.Process().children()]).popitem()[1] == []
    assert Run.load(place / "results" / str(outcomes["arrived"].run)).machine == outcomes["arrived"].machine

    before = len(diary(place))
    campaign.arguments.remove("second-stays")
    resumed, said = start(client, campaign=campaign)
    assert {entry.outcome for entry in resumed.workers.values()} == {"arrived"}
    later = [it for it in diary(place)[before:] if it["what"] == "enter"]
    assert [it["called"] for it in later] == [outcomes["stopped"].called]
    assert f"--resume 20261121-12000{outcomes['stopped'].called[-1]}" in " ".join(later[0]["words"])
    assert any(it.startswith(f"{outcomes['arrived'].called}: its run has arrived already") for it in said)


def test_a_benchmark_ends_when_who_asked_for_it_is_gone(start: Start, place: Path) -> None:
    """A client that dies without a word leaves nothing running on the workers."""
    with lab.lab(None, 1, (None, None, None)) as client:
        address = client.scheduler_info()["address"]
        text = (
            "import sys; from distributed import Client; from cside_bench.lab import job\n"
            "client = Client(sys.argv[1]); request = __import__('json').loads(sys.argv[2])\n"
            "future = client.submit(job.measure, request, key=request['key'], pure=False)\n"
            "client.subscribe_topic(job.topic('c'), lambda event: print(event[1]['text'], flush=True))\n"
            "future.result()\n"
        )
        request: dict[str, Any] = {
            "campaign": "c",
            "called": "local-1",
            "key": "k",
            "checkout": str(place),
            "machine": None,
        }
        request |= {"arguments": [str(place / "diary"), str(SUPPORT), "second-stays"], "lock": str(place / "lock")}
        request |= {"command": [sys.executable, str(place / "bench.py")]}
        (place / "diary").write_text(json.dumps({"pid": os.getpid()}) + "\n")  # so that it is not the first
        asking = subprocess.Popen(
            [sys.executable, "-c", text, str(address), json.dumps(request)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert asking.stdout is not None
        assert any("staying" in line for line in asking.stdout)
        asking.kill()
        asking.communicate()
        assert gone(diary(place)[-1]["pid"], 60.0)


def test_checkouts_that_differ_are_refused(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Workers whose commits or sources differ are named with theirs and not asked, unless that is allowed."""
    other = tmp_path_factory.mktemp("other")
    for folder, text in ((place, "int one;\n"), (other, "int two;\n")):
        (folder / "native").mkdir(exist_ok=True)
        (folder / "native" / "one.c").write_text(text)
        (folder / "noxfile.py").write_text("")
        git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for words in (["init", "-q"], ["add", "native"], ["commit", "-qm", "one"]):
            subprocess.run([*git, *words], check=True)
    told = {name: job.describe(str(folder)) for name, folder in (("bench-a", place), ("bench-b", other))}
    assert told["bench-a"]["commit"].endswith("+")  # the noxfile was not committed
    found = differing(told)
    assert [line.partition(":")[0] for line in found] == ["commit", "sources of the library"]
    seats = [Seat(name, "", name, it) for name, it in told.items()]
    campaign = Campaign.new(place / "results", [], None, allow_different=False)
    with pytest.raises(click.UsageError, match=r"bench-a.*bench-b") as refused:
        lab.check_alike(campaign, seats)
    assert told["bench-b"]["library"] in str(refused.value)
    campaign.allow_different = True
    lab.check_alike(campaign, seats)
    assert differing({"bench-a": told["bench-a"], "bench-c": job.describe(str(place))}) == []


def test_built_files_are_no_sources(place: Path) -> None:
    """What a build leaves in a checkout does not make it another one."""
    before = job.digest(place, ("native",))
    for name in ("native/build/one.o", "native/one.so", "native/__pycache__/x.pyc", "native/a.egg-info/PKG-INFO"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("built")
    assert job.digest(place, ("native",)) == before
    (place / "native" / "two.c").write_text("")
    assert job.digest(place, ("native",)) != before


def test_a_folder_that_is_no_checkout_is_told(client: Client, tmp_path: Path) -> None:
    """The worker is named, with what to do about it, before anything runs."""
    with pytest.raises(LabError, match=r"local-1: .* is no checkout of cside.*CSIDE_CHECKOUT"):
        survey(client, (), str(tmp_path), None, local=True)


def test_a_worker_that_is_not_there_is_told(client: Client, place: Path) -> None:
    """A name that no worker has is refused, with the names that there are."""
    with pytest.raises(LabError, match="no worker bench-x; there are: local-1, local-2"):
        survey(client, ("bench-x",), str(place), None, local=True)


def test_nothing_listens_beyond_the_loopback(client: Client) -> None:
    """Local workers and their scheduler open no port that another machine reaches, and serve no page."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    heard = {it.laddr.ip for process in processes for it in process.net_connections() if it.status == "LISTEN"}
    assert heard == {"127.0.0.1"}
