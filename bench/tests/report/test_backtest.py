# SPDX-License-Identifier: Apache-2.0
"""The trial of public decisions, as it is shown."""

from pathlib import Path

import pytest
from cside_bench.recommend import backtest, decisions
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.backtest import Trial
from cside_bench.report.backtest import markdown, ours, pairs, show, summary
from profiles_of_tests import RULES, SEED
from rich.console import Console
from synthetic_advice import KNOWN, LABEL, ON_PYPY, PYPY, drill, write


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Trial]:
    """The trials of all decisions that ship, by a synthetic run."""
    run = write(tmp_path_factory.mktemp("runs") / "both", {LABEL: KNOWN, PYPY: ON_PYPY})
    drill(run.folder, dict.fromkeys(KNOWN, 0))
    return backtest.trials(Advisor(run, RULES, SEED), decisions.shipped())


def test_the_table_has_a_row_for_each_project_within_100_columns(found: list[Trial], tmp_path: Path) -> None:
    """With the verdict in words, why it was turned, and the totals."""
    path = tmp_path / "shown.txt"
    with path.open("w", encoding="utf-8") as file:
        show(found, Console(file=file, width=140))
    text = path.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 100
    joined = " ".join(text.split())
    for it in found:
        assert it.decision.name.split(" ")[0] in joined
        assert it.verdict in joined
        assert not it.turned or it.turned.split(" (")[0] in joined
    assert " ".join(summary(found).split()) in joined


def test_an_answer_is_named_with_what_kind_it_is(found: list[Trial]) -> None:
    """A tie, an open choice, or a probability; two backends beside it."""
    for it in found:
        if it.answer["outcome"] == "tie":
            assert ours(it).endswith("(tie)")
        elif it.answer["outcome"] == "unresolved" and it.leads:
            assert ours(it).endswith("(open)")
        assert bool(pairs(it)) == any(pair["pays"] for pair in it.answer["two_backends"])


def test_markdown_has_the_answer_and_the_sources_of_each(found: list[Trial]) -> None:
    """And a table at the top."""
    text = markdown(found)
    for it in found:
        assert f"### {it.decision.name}\n" in text
        assert it.answer["says"] in text
        assert all(source in text for source in it.decision.source)
    assert text.startswith("| project |")
