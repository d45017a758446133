# SPDX-License-Identifier: Apache-2.0
"""Axes of the units that figures share; what stands on them reads as people say it."""

from typing import Any, Final

import altair as alt

POWERS_OF_TEN: Final = [10.0**power for power in range(-1, 12)]
ONE_TWO_FIVE: Final = [digit * 10.0**power for power in range(-1, 11) for digit in (1, 2, 5)]
SIZES: Final = [4**power for power in range(13)]
RATIOS: Final = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

BYTES: Final = (
    "datum.value >= 1048576 ? format(datum.value / 1048576, '~g') + ' MiB' : "
    "datum.value >= 1024 ? format(datum.value / 1024, '~g') + ' KiB' : format(datum.value, '~g') + ' B'"
)
"""Of a value in bytes."""
PERCENT: Final = "format(100 * datum.value, '~g') + ' %'"
"""Of a share."""
CHANGE: Final = "datum.value == 0 ? '0 %' : format(100 * datum.value, '+.2~f') + ' %'"
"""Of a share of change."""
SHARE_DOMAIN: Final = [0, 1.4]
"""Of shares whose bars have a label on their right."""
LOG: Final[dict[str, Any]] = {"type": "log", "nice": False, "padding": 12}


def told(column: str) -> str:
    """A share as percent, in an expression of Vega; what is not quite none or all is not told as if it were."""
    value = f"datum.{column}"
    return (
        f"({value} > 0 && {value} < 0.005 ? '< 1' : {value} < 1 && {value} >= 0.995 ? '> 99' : "
        f"format(100 * {value}, '.0f')) + ' %'"
    )


def ns(value: str, digits: str = "") -> str:
    """A time in ns with its unit, in an expression of Vega over such an expression; three ``digits`` are ``".3"``."""
    cases = "".join(
        f"{value} >= {size} ? format({value} / {size}, '{digits}~r') + ' {unit}' : "
        for unit, size in (("s", "1e9"), ("ms", "1e6"), ("µs", "1e3"))
    )
    return f"({cases}format({value}, '{digits}~r') + ' ns')"


def ns_log(title: str, *, fine: bool = False) -> alt.Axis:
    """An axis of ns on a logarithmic scale; ``fine`` for what spans few powers of ten."""
    values = ONE_TWO_FIVE if fine else POWERS_OF_TEN
    return alt.Axis(
        title=title, labelExpr=ns("datum.value", ".6"), values=values, labelOverlap="greedy", labelSeparation=5
    )


def bytes_log(title: str) -> alt.Axis:
    """An axis of bytes on a logarithmic scale."""
    return alt.Axis(title=title, labelExpr=BYTES, values=SIZES, labelOverlap="greedy", labelSeparation=5)


def ratio_log(title: str) -> alt.Axis:
    """An axis of ratios on a logarithmic scale."""
    return alt.Axis(title=title, format="~g", values=RATIOS, labelOverlap="greedy", labelSeparation=5)
