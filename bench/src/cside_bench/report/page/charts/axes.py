# SPDX-License-Identifier: Apache-2.0
"""Defines the axes that figures share, with labels in readable units."""

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
"""Vega expression that labels a value in bytes."""
PERCENT: Final = "format(100 * datum.value, '~g') + ' %'"
"""Vega expression that labels a share in percent."""
CHANGE: Final = "datum.value == 0 ? '0 %' : format(100 * datum.value, '+.2~f') + ' %'"
"""Vega expression that labels a relative change in percent."""
SHARE_DOMAIN: Final = [0, 1.4]
"""Domain of an axis of shares that leaves room for labels to the right of the bars."""
LOG: Final[dict[str, Any]] = {"type": "log", "nice": False, "padding": 12}


def told(column: str) -> str:
    """Return a Vega expression that formats a share as percent, without rounding it to 0 % or 100 %."""
    value = f"datum.{column}"
    return (
        f"({value} > 0 && {value} < 0.005 ? '< 1' : {value} < 1 && {value} >= 0.995 ? '> 99' : "
        f"format(100 * {value}, '.0f')) + ' %'"
    )


def ns(value: str, digits: str = "") -> str:
    """Return a Vega expression that formats the expression ``value`` in ns with a unit; ``".3"`` gives three digits."""
    cases = "".join(
        f"{value} >= {size} ? format({value} / {size}, '{digits}~r') + ' {unit}' : "
        for unit, size in (("s", "1e9"), ("ms", "1e6"), ("µs", "1e3"))
    )
    return f"({cases}format({value}, '{digits}~r') + ' ns')"


def ns_log(title: str, *, fine: bool = False) -> alt.Axis:
    """Return a logarithmic axis of ns; ``fine`` adds ticks for values that span few powers of ten."""
    values = ONE_TWO_FIVE if fine else POWERS_OF_TEN
    return alt.Axis(
        title=title, labelExpr=ns("datum.value", ".6"), values=values, labelOverlap="greedy", labelSeparation=5
    )


def bytes_log(title: str) -> alt.Axis:
    """Return a logarithmic axis of bytes."""
    return alt.Axis(title=title, labelExpr=BYTES, values=SIZES, labelOverlap="greedy", labelSeparation=5)


def ratio_log(title: str) -> alt.Axis:
    """Return a logarithmic axis of ratios."""
    return alt.Axis(title=title, format="~g", values=RATIOS, labelOverlap="greedy", labelSeparation=5)
