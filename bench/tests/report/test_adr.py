# SPDX-License-Identifier: Apache-2.0
"""An answer as a decision record: complete, in Markdown, and with no decision where there is none."""

from pathlib import Path

import pytest
from cside_bench.recommend import document
from cside_bench.report.adr import decision, record
from profiles_of_tests import SHIPPED, changed
from synthetic_advice import KNOWN, LABEL, ON_PYPY, PYPY, drill, undrilled, write

HEADINGS = ("Status", "Context", "Options", "Decision", "Consequences", "Evidence", "What would change it")


@pytest.mark.parametrize("drilled", [True, False])
def test_a_record_has_every_part_for_every_profile(tmp_path: Path, *, drilled: bool) -> None:
    """Context, options, decision, consequences, evidence and what would change it, decided or not."""
    run = write(tmp_path / "run", {LABEL: KNOWN, PYPY: ON_PYPY})
    if drilled:
        drill(run.folder, dict.fromkeys(KNOWN, 0))
    else:
        undrilled(run.folder)
    found = document.answers(run)
    text = record(found)
    for heading in HEADINGS:
        assert text.count(f"### {heading}\n") == len(SHIPPED)
    for answer in found["answers"]:
        assert f"## {answer['profile']['title']}\n" in text
        assert decision(answer) in text
    one = record({**found, "answers": found["answers"][:1]})
    assert [line[3:] for line in one.splitlines() if line.startswith("## ")] == list(HEADINGS)


def test_a_sentence_decides_only_what_is_decided(tmp_path: Path) -> None:
    """With a drill it says with what the library is bound; without one it says what has to be measured first."""
    run = write(tmp_path / "run")
    undrilled(run.folder)
    profile = changed(SHIPPED["hot-inner-loop"], changes_per_year=12.0)
    (open_,) = document.answers(run, [profile])["answers"]
    says = decision(open_)
    assert "not decided until “changes that go wrong unnoticed” is measured (nox -s drill)" in says
    assert "we bind" not in says and "(taken)" not in record(document.answers(run, [profile]))
    drill(run.folder, {**dict.fromkeys(KNOWN, 8), "cython": 0})
    (decided,) = document.answers(run, [profile])["answers"]
    assert decision(decided).startswith("Hot inner loop: we bind the library with Cython (probability of being best: ")
    assert "Cython (taken)" in record(document.answers(run, [profile]))
