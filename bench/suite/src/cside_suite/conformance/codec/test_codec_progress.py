# SPDX-License-Identifier: Apache-2.0
"""``compress_progress`` reports its progress to a callback."""

import itertools
import random
import zlib
from typing import Any
from unittest.mock import Mock

import pytest

from cside_suite.conformance.outcome import failure, outcome, told
from cside_suite.contract.codec import Codec

pytestmark = [pytest.mark.needs("callbacks"), pytest.mark.crash_prone]

STEP = 65_536
"""The largest step between two reports: ``CS_PROGRESS_NBYTES``."""
DATA = random.Random(1).randbytes(300_000) + b"".join(b"%d, " % number for number in range(60_000))


@pytest.mark.parametrize("level", [-1, 0, 1, 9])
@pytest.mark.parametrize("window", [15, -15, 31])
def test_progress_is_reported_to_the_end(codec: Codec, level: int, window: int) -> None:
    """Totals never shrink, no step is longer than documented, and the last report has the final totals."""
    reports: list[tuple[int, int]] = []
    packed = codec.compress_progress(DATA, lambda *totals: reports.append(totals), level=level, wbits=window)
    assert zlib.decompress(packed, window) == DATA
    ins, outs = [0, *(one for one, _ in reports)], [0, *(one for _, one in reports)]
    assert ins == sorted(ins) and outs == sorted(outs)
    assert reports[-1] == (len(DATA), len(packed))
    assert max(after - before for before, after in itertools.pairwise(ins)) <= STEP
    assert {type(number) for report in reports for number in report} == {int}


def test_the_result_is_that_of_compress(codec: Codec) -> None:
    """The result is that of ``compress``, whatever the callback returns, except for ``False``."""
    for data in (b"", b"a", DATA):
        want = codec.compress(data, 5)
        for answer in (None, True, 0, "", [], 5, object()):
            assert codec.compress_progress(data, Mock(return_value=answer), 5) == want


def test_an_empty_input_is_reported_too(codec: Codec) -> None:
    """Compressing no bytes makes a report too."""
    reports: list[tuple[int, int]] = []
    packed = codec.compress_progress(b"", lambda *totals: reports.append(totals))
    assert zlib.decompress(packed) == b""
    assert reports[-1] == (0, len(packed))


def test_false_stops_the_compression(codec: Codec) -> None:
    """If the callback returns ``False``, ``error`` is raised with its message, and no further report is made."""
    reports: list[int] = []

    def stop(total_in: int, total_out: int) -> object:
        reports.append(total_in)
        return len(reports) < 3

    assert told(codec.compress_progress, DATA, stop) == ("error", "compression stopped by the callback")
    assert len(reports) == 3
    assert told(codec.compress_progress, b"", lambda a, b: False) == ("error", "compression stopped by the callback")


@pytest.mark.parametrize("kind", [KeyError, KeyboardInterrupt, MemoryError, StopIteration])
def test_what_the_callback_raises_comes_out(codec: Codec, kind: type[BaseException]) -> None:
    """An exception of the callback is raised as the same object, and no further report is made."""
    for which in (1, 3):
        raised = kind("from the callback")
        reports: list[int] = []

        def fail(
            total_in: int, total_out: int, which: int = which, raised: BaseException = raised, reports: Any = reports
        ) -> None:
            reports.append(total_in)
            if len(reports) == which:
                raise raised

        assert failure(codec.compress_progress, DATA, fail) is raised
        assert len(reports) == which
    assert zlib.decompress(codec.compress_progress(DATA, lambda a, b: None)) == DATA


def test_callbacks_may_compress(codec: Codec) -> None:
    """A callback may use the codec, also ``compress_progress`` itself."""
    inner: list[bytes] = []

    def again(total_in: int, total_out: int) -> None:
        inner.append(codec.compress_progress(DATA[:100_000], lambda a, b: inner.append(codec.compress(b"deep"))))
        inner.append(codec.compressobj().copy().flush())

    assert zlib.decompress(codec.compress_progress(DATA[:200_000], again)) == DATA[:200_000]
    assert {len(zlib.decompress(one)) for one in inner} == {0, 4, 100_000}


def test_bad_arguments_are_refused(codec: Codec) -> None:
    """Arguments are checked like those of ``compress``, from left to right, and the callback is not called."""
    progress: Any = codec.compress_progress
    reports: list[int] = []

    def note(total_in: int, total_out: int) -> None:
        reports.append(total_in)

    assert told(progress, "text", note) == ("TypeError", "a bytes-like object is required, not 'str'")
    for bad in (None, 5, "callback"):
        assert outcome(progress, b"", bad) == "TypeError"
    assert told(progress, b"", note, 10) == ("error", "Bad compression level")
    assert told(progress, b"", note, 1, 99) == ("error", "Bad compression level")
    assert outcome(progress, b"", note, 2**40) == "OverflowError"
    assert outcome(progress, b"", note, None) == "TypeError"
    assert outcome(progress, b"", lambda: None) == "TypeError"
    assert reports == []
