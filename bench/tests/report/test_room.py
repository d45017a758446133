# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_bench.report`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "derive": "bench/tests/results/test_evidence.py",
    "page/charts/__init__": "page/charts/test_charts.py",
    "page/charts/amounts": "page/charts/test_charts.py",
    "page/charts/answer": "page/charts/test_charts.py",
    "page/charts/axes": "page/charts/test_charts.py",
    "page/charts/bands": "page/charts/test_charts.py",
    "page/charts/calls": "page/charts/test_charts.py",
    "page/charts/claims": "page/charts/test_charts.py",
    "page/charts/costs": "page/charts/test_charts.py",
    "page/charts/figure": "page/charts/test_charts.py",
    "page/charts/inside": "page/charts/test_charts.py",
    "page/charts/sizes": "page/charts/test_charts.py",
    "page/charts/tails": "page/charts/test_charts.py",
    "page/charts/threads": "page/charts/test_charts.py",
    "page/charts/trust": "page/charts/test_charts.py",
    "page/charts/trusting": "page/charts/test_charts.py",
    "page/charts/warmup": "page/charts/test_charts.py",
    "page/data": "page/test_draw.py",
    "page/libraries": "page/test_draw.py",
    "page/sections": "page/test_draw.py",
    "recommend": "bench/tests/cli/commands/test_recommend.py",
    "threads": "bench/tests/summary/test_threads.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
