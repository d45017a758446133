# SPDX-License-Identifier: Apache-2.0
"""What a project and its profile say to a recommendation."""

import pytest
from cside_bench.library.situation import kind_of, situation
from cside_bench.recommend import profiles, rules
from cside_wrap.profile.counters import Sizes
from cside_wrap.profile.document import Function, Profile
from cside_wrap.project.reading import Project

RULES = rules.load()
BASE = profiles.default(RULES)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("box_count", "scalars"),
        ("box_sum", "bytes-in"),
        ("box_apart", "bytes-out"),
        ("box_new", "text"),
        ("box_free", "handles"),
        ("box_area", "structs"),
    ],
)
def test_kinds(box: Project, name: str, kind: str) -> None:
    """Each function has one, which the rules know."""
    assert kind_of(box.form().plans[name]) == kind
    assert kind in RULES.idioms


def test_a_profile_gives_load_and_mix(box: Project) -> None:
    """Calls of what is not bound are in neither, and are counted as functions by hand."""
    functions = {
        "box_count": Function(300, 1e6),
        "box_sum": Function(100, 1e6, Sizes(100, 6400)),
        "box_apart": Function(100, 1e6, Sizes(100, 1600), Sizes(100, 400)),
        "box_print": Function(100, None),
    }
    found, covered = situation(box, Profile(("app",), 0, 1.0, 1, (), 0.0, functions), BASE, RULES)
    assert found.idioms == pytest.approx({"scalars": 0.6, "bytes-in": 0.2, "bytes-out": 0.2})
    assert found.numbers["calls_per_second"] == pytest.approx(500 / 0.5)
    assert found.numbers["bytes_per_call"] == pytest.approx(28)
    assert (found.kept_lines, found.functions_by_hand) == (box.overrides.lines, 1)
    assert covered.covered == pytest.approx(5 / 6)
    assert "83.3% of the 600 calls" in covered.says()[0] and "box_print" in covered.says()[1]


def test_without_a_profile_functions_count_alike(box: Project) -> None:
    """And all that is not bound counts as written by hand; the load is that of the profile that is changed."""
    found, covered = situation(box, None, BASE, RULES)
    assert sum(found.idioms.values()) == pytest.approx(1)
    assert found.numbers["calls_per_second"] == BASE.numbers["calls_per_second"]
    assert covered.calls is None and {"box_print", "box_dump"} <= set(covered.unbound)
    assert "box_inline" not in covered.unbound
    assert "load is assumed" in covered.says()[0]
