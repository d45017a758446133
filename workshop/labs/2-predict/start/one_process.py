"""A benchmark as one writes it at first: time one function, then the other, in one process, and test the difference.

Both functions are the same: the no-op of the C extension. It prints the samples, ns per call, as JSON.
"""

import json
import time

from cside_cext import idioms

SAMPLES = 1_000
CALLS = 2_000

first = idioms.noop
second = idioms.noop


def sample(call):
    """The time of a call in ns, from CALLS of them."""
    numbers = range(CALLS)
    start = time.perf_counter_ns()
    for _ in numbers:
        call()
    return (time.perf_counter_ns() - start) / CALLS


def samples(call):
    """SAMPLES of them, after one that nobody counts."""
    sample(call)
    return [sample(call) for _ in range(SAMPLES)]


if __name__ == "__main__":
    print(json.dumps({"first": samples(first), "second": samples(second)}))
