# SPDX-License-Identifier: Apache-2.0
"""``cside claims``: its table, its list, its JSON and its errors."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from cside_bench.claims.catalogue import Catalogue
from cside_bench.cli.commands.claims import command
from synthetic_claims import ONE, TWO, WORKLOADS, a_run, entry, mixed


def invoke(*arguments: str | Path) -> Any:
    """The command, as typed."""
    return CliRunner().invoke(command, [str(it) for it in arguments])


def test_a_claim_of_ones_own_is_one_toml_entry(tmp_path: Path) -> None:
    """A file with one entry is judged beside what ships, may use its sets and sources, and needs no code."""
    a_run(tmp_path / "results" / "mine", mixed(0, 0))
    file = tmp_path / "own.toml"
    file.write_text(entry(name="my-claim", workloads=["@calls"]).replace("{ title", "{ title", 1), encoding="utf-8")
    done = invoke("mine", "--results", tmp_path / "results", "--catalogue", file, "--claim", "my-claim", "--json")
    assert done.exit_code == 0, done.output
    (claim,) = json.loads(done.output)["claims"]
    assert claim["verdict"] == "confirmed" and len(claim["evidence"]) == 8


def test_the_table_has_every_claim_and_fits_a_hundred_columns(tmp_path: Path) -> None:
    """Verdicts are words with a mark, and the sum stands below."""
    a_run(tmp_path / "results" / "mine")
    done = invoke("mine", "--results", tmp_path / "results")
    assert done.exit_code == 0, done.output
    assert max(map(len, done.output.splitlines())) <= 100
    assert all(claim.id in done.output for claim in Catalogue.shipped().claims)
    assert "untestable" in done.output and "cside claims --claim ID" in done.output


def test_one_claim_is_shown_with_all_its_evidence(tmp_path: Path) -> None:
    """Each cell has its interpreter, workload, numbers and the side that it takes."""
    a_run(tmp_path / "results" / "mine", mixed(1, 1))
    file = tmp_path / "own.toml"
    file.write_text(entry(name="my-claim"), encoding="utf-8")
    done = invoke("mine", "--results", tmp_path / "results", "--catalogue", file, "--claim", "my-claim")
    assert done.exit_code == 0, done.output
    assert max(map(len, done.output.splitlines())) <= 100
    assert all(name in done.output for name in WORKLOADS)
    assert done.output.count("+ for") == 6 and "against" in done.output and "? unclear" in done.output
    assert f"{ONE} / {TWO}: 2 (1.9 to 2.1)" in done.output


def test_the_list_needs_no_run_and_tells_what_would_decide(tmp_path: Path) -> None:
    """The list has each claim with its hypothesis and source, as text and as JSON."""
    plain = json.loads(invoke("--list", "--json", "--results", tmp_path).output)
    assert [it["id"] for it in plain] == [claim.id for claim in Catalogue.shipped().claims]
    assert all(it["hypothesis"].endswith(".") for it in plain)
    shown = invoke("--list", "--results", tmp_path)
    assert shown.exit_code == 0
    assert shown.output.count("Judged by: ") == shown.output.count("Source: ") == len(plain)


def test_what_cannot_be_read_is_wrong_usage_and_told(tmp_path: Path) -> None:
    """A catalogue with mistakes or that is not there, a claim or run of no such name: exit code 2 and the reason."""
    results = tmp_path / "results"
    a_run(results / "mine")
    file = tmp_path / "own.toml"
    file.write_text(entry(direction="quicker"), encoding="utf-8")
    for arguments, says in (
        (("mine", "--catalogue", file), "'quicker'"),
        (("mine", "--catalogue", tmp_path / "none.toml"), "cannot be read"),
        (("mine", "--claim", "few-kib"), "did you mean few-kib-enough?"),
        (("other",), "other is no run"),
    ):
        done = invoke(*arguments, "--results", results)
        assert done.exit_code == 2, done.output
        assert says in " ".join(done.output.split())


def test_the_help_teaches_with_examples() -> None:
    """Examples and exit codes stand in it."""
    shown = invoke("--help").output
    assert "Examples:" in shown and "Exit codes:" in shown and "--catalogue mine.toml" in shown
