# SPDX-License-Identifier: Apache-2.0
"""Prices of a project's functions, and of all calls of a profile."""

import pytest
from cside_bench.library.prices import Prices, calls, mix, plain
from cside_bench.predict.price import Pricing
from cside_bench.results.evidence import Run
from cside_bench.summary import shapes
from cside_wrap.profile.document import Function, Profile
from cside_wrap.project.reading import Project
from synthetic_shapes import COSTS, LABEL, write

PROFILE = Profile(
    ("app",),
    0,
    1.0,
    1,
    ("libbox.so",),
    0.0,
    {"box_count": Function(300, 10.0), "box_sum": Function(100, None), "box_print": Function(25, None)},
)


@pytest.fixture(scope="module")
def pricing(tmp_path_factory: pytest.TempPathFactory) -> Pricing:
    """The prices of a run whose costs are known."""
    run = write(tmp_path_factory.mktemp("results") / "run")
    shapes.write(Run.load(run.folder))
    return Pricing(Run.load(run.folder), 1)


def test_a_profile_chooses_and_orders_functions(box: Project) -> None:
    """Without one there are all, and no calls."""
    form = box.form()
    assert [(it.name, it.calls) for it in calls(form, PROFILE, lambda _: False)] == [
        ("box_count", 300),
        ("box_sum", 100),
    ]
    every = calls(form, None, lambda _: True)
    assert {it.name for it in every} == set(form.plans) and {it.calls for it in every} == {0}


def test_the_mean_call_costs_what_all_calls_do(box: Project, pricing: Pricing) -> None:
    """Calls of functions that are not bound are counted against it."""
    found = calls(box.form(), PROFILE, lambda _: False)
    mean = mix(found, PROFILE, floor_ns=2.0)
    assert mean is not None
    assert mean.native_ns == pytest.approx((300 * 10 + 100 * 2) / 400)
    assert (mean.calls, mean.unbound) == (400, {"box_print": 25})
    assert mean.covered == pytest.approx(400 / 425)
    made = Prices(pricing)
    together = made.of(LABEL, mean.shape, mean.native_ns)
    singly = [made.of(LABEL, it.shape, 10.0 if it.name == "box_count" else 2.0) for it in found]
    for place, price in enumerate(together):
        total = sum(it.calls * (row[place].ns or 0.0) for it, row in zip(found, singly, strict=True))
        assert price.ns == pytest.approx(total / 400)
    assert [it.subject for it in together] == list(pricing.run.bindings)


def test_a_price_is_the_sum_of_its_parts(box: Project, pricing: Pricing) -> None:
    """With C's own time; without one, that of a function that does nothing."""
    (count, *_) = calls(box.form(), PROFILE, lambda _: False)
    made = Prices(pricing)
    cext = made.of(LABEL, count.shape, 500.0)[0]
    assert cext.ns == pytest.approx(500 + COSTS["call"] + COSTS["number"], rel=0.05)
    assert made.of(LABEL, count.shape, None)[0].ns == pytest.approx((cext.ns or 0) - 500 + pricing.native(LABEL))
    assert plain(cext)["ns"] == cext.ns and "parts" not in plain(cext)


def test_nothing_called_has_no_mean(box: Project) -> None:
    """As in a profile of functions that nobody bound."""
    profile = Profile(("app",), 0, 1.0, 1, (), 0.0, {"box_print": Function(3, None)})
    assert mix(calls(box.form(), profile, lambda _: True), profile, 1.0) is None
