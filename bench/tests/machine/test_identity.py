# SPDX-License-Identifier: Apache-2.0
"""What a machine is called: short, the same each time, and nobody's host or user name."""

import getpass
import json
import platform
import socket
import subprocess
import sys

import pytest
from cside_bench.machine import identity
from cside_bench.machine.identity import VARIABLE, cleaned, digest, distinct, machine_name, recorded


def test_the_user_names_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name that was given is the machine's, made fit for files and links."""
    monkeypatch.setenv(VARIABLE, "  bench a/../b  ")
    found = recorded()
    assert found["name"] == "bench-a-..-b"
    assert machine_name({"machine": {"cpu": "AMD EPYC", **found}}) == "bench-a-..-b"


@pytest.mark.parametrize(
    ("cpu", "name"),
    [
        ("AMD EPYC", "AMD-EPYC-3f9a2c"),
        ("AMD Ryzen 9 5950X 16-Core Processor", "AMD-Ryzen-9-5950X-3f9a2c"),
        ("Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", "Core-i7-9750H-3f9a2c"),
        ("Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz", "Xeon-Platinum-8259CL-3f9a2c"),
        ("Apple M2 Pro", "Apple-M2-Pro-3f9a2c"),
        ("", "aarch64-3f9a2c"),
        ("A processor of very many words " * 5, "A-of-very-many-words-A-of-very-ma-3f9a2c"),
    ],
)
def test_else_the_processor_and_a_digest_name_it(cpu: str, name: str) -> None:
    """What makers write around a model's name is left out; the digest is always whole."""
    assert machine_name({"machine": {"cpu": cpu, "cpus": 8, "architecture": "aarch64", "id": "3f9a2c"}}) == name


def test_a_run_that_recorded_no_identifier_is_named_by_what_it_has() -> None:
    """Runs of earlier versions are called by processor and number of CPUs."""
    assert machine_name({"machine": {"cpu": "AMD EPYC", "cpus": 2}}) == "AMD-EPYC-2cpus"
    assert machine_name({}) == "machine"


def test_a_machine_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded does not depend on the process, its folder or its environment."""
    monkeypatch.delenv(VARIABLE, raising=False)
    program = "import json; from cside_bench.machine import identity; print(json.dumps(identity.recorded()))"
    told = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert json.loads(told.stdout) == recorded()


def test_nothing_leads_back_to_the_machine_or_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither host nor user name, nor the system's own identifier, stands in what is recorded."""
    monkeypatch.delenv(VARIABLE, raising=False)
    text = json.dumps(recorded())
    secret = identity.identifier()
    for private in (socket.gethostname(), platform.node(), getpass.getuser(), secret):
        assert not private or private not in text
    assert digest("3d1219c7c4c5404aaa1f6d2a48adfda4") not in (None, digest("3d1219c7c4c5404aaa1f6d2a48adfda5"))
    assert len(str(digest("x"))) == 6
    assert digest(None) is None


def test_runs_of_one_machine_are_told_apart() -> None:
    """The run's name is added where a machine has several, a number where even that is the same."""
    runs = [("bench-a", "1"), ("bench-b", "1"), ("bench-a", "2"), ("bench-a", "2")]
    assert distinct(runs) == ["bench-a · 1", "bench-b", "bench-a · 2", "bench-a · 2#2"]


@pytest.mark.parametrize("text", ["../../etc", "/home/me", ".hidden", "a\nb", "a%2Fb", "x" * 100])
def test_no_name_leaves_its_folder(text: str) -> None:
    """A name is one part of a path, visible and short."""
    found = cleaned(text)
    assert "/" not in found
    assert "%" not in found
    assert not found.startswith((".", "-"))
    assert 0 < len(found) <= 40
    assert found.isprintable()
