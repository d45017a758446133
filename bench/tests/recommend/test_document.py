# SPDX-License-Identifier: Apache-2.0
"""recommendations.json."""

import jsonschema
import pytest
from cside_bench.recommend import document, profiles
from cside_bench.results.evidence import Run
from profiles_of_tests import SHIPPED, hot


def test_a_seed_repeats_and_another_does_not_change_the_answer(run: Run) -> None:
    """The same document twice; with another seed other digits and the same recommendations."""
    one, again, other = (document.answers(run, [SHIPPED["hsm-client"], hot()], seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one["answers"][0]["candidates"] != other["answers"][0]["candidates"]
    assert [it["recommended"] for it in one["answers"]] == [it["recommended"] for it in other["answers"]]


def test_the_document_of_a_run_is_written_and_of_its_schema(run: Run) -> None:
    """All shipped profiles, in the order of the pages."""
    path = document.write(run)
    found = document.answers(run)
    assert path.name == "recommendations.json"
    assert [it["profile"]["id"] for it in found["answers"]] == list(profiles.ORDER)
    broken = {**found, "answers": [{**found["answers"][0], "outcome": "perhaps"}]}
    with pytest.raises(jsonschema.ValidationError):
        document.check(broken)
