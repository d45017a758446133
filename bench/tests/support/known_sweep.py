# SPDX-License-Identifier: Apache-2.0
"""Sweeps over sizes whose costs are known."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from cside_bench.statistics.sizes import Array, Model, Sweep, model
from numpy.typing import NDArray

SIZES = np.asarray(
    [0, 16, 64, 256, 512, 1024, 2048, 4096, 5119, 5120, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576],
    dtype=np.float64,
)


PROCESSES = 8


def library(sizes: Array = SIZES) -> Array:
    """ns in C: a dear byte up to 256 bytes, a cheap one beyond."""
    return np.asarray(3 + 0.5 * np.minimum(sizes, 256) + 0.17 * np.maximum(sizes - 256, 0))


def noisy(draw: np.random.Generator, curve: NDArray[np.floating[Any]], processes: int = PROCESSES) -> Array:
    """The curve in so many processes, each fast or slow by 2 % as a whole and by 1 % at each size."""
    shape = (len(curve), processes)
    return np.asarray(curve[:, None] * draw.lognormal(0, 0.01, shape) * draw.lognormal(0, 0.02, processes))


def modelled(
    seed: int, extra: Mapping[str, NDArray[np.floating[Any]]], processes: int = PROCESSES, sizes: Array = SIZES
) -> Model:
    """A family of the C library and of approaches that take so many ns more at each size."""
    draw = np.random.default_rng(seed)
    base = library(sizes)
    times = {"floor.direct": noisy(draw, base, processes)}
    times |= {name: noisy(draw, base + more, processes) for name, more in extra.items()}
    return model(Sweep("codec.crc32", sizes, times, "floor.direct"), next(iter(extra)))
