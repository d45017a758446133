# SPDX-License-Identifier: Apache-2.0
"""Plans of runs, and resuming a run."""

from typing import Any

import pytest
from cside_bench.results.plan import PlanError, Tier
from cside_bench.run.prepare import check_unchanged
from plans import manifest, plan


def test_unknown_interpreter_is_an_error_that_lists_the_known() -> None:
    """``--python 3.99`` says what there is."""
    with pytest.raises(Exception, match=r"3\.99.*cpython-3\.11, cpython-3\.13, pypy-3\.11"):
        plan(python=("3.99",))


def test_the_reference_is_measured_with_any_binding() -> None:
    """Ratios need it."""
    assert plan(binding=("some",)).bindings == [Tier.named("quick").reference, "some"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (manifest(sha256="2" * 64), "libcside has been rebuilt"),
        (manifest(wheel="3" * 64), "some-binding rebuilt since this run began"),
        ({**manifest(), "interpreters": []}, "no longer installed"),
    ],
    ids=["library", "wheel", "interpreter"],
)
def test_a_run_is_not_resumed_on_other_builds(changed: dict[str, Any], message: str) -> None:
    """Numbers of two builds are never mixed."""
    check_unchanged(plan(), manifest())
    with pytest.raises(PlanError, match=message):
        check_unchanged(plan(), changed)
