# SPDX-License-Identifier: Apache-2.0
"""The trace counts the calls, bytes and errors of the library's functions."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from cside_suite.conformance.native import BUCKETS, Native
from cside_suite.conformance.outcome import outcome
from cside_suite.contract.idioms import Idioms

pytestmark = [pytest.mark.crash_prone, pytest.mark.thread_unsafe(reason="the trace is that of the process")]


def index_of(idioms: Idioms, name: str) -> int:
    """Return the index of a traced function."""
    return next(index for index in range(idioms.trace_count()) if idioms.trace_name(index) == name)


def test_trace_is_off_until_switched_on(idioms: Idioms) -> None:
    """The trace is off at first, and any object's truth value switches it."""
    assert idioms.trace_enabled() is False
    assert outcome(idioms.trace_enable, ["on"]) == "returned None"
    assert idioms.trace_enabled() is True
    idioms.trace_enable(0)
    assert idioms.trace_enabled() is False


def test_trace_names_are_the_librarys(idioms: Idioms, native: Native) -> None:
    """Every traced function has a name; past the last one there is neither a name nor a record."""
    count = idioms.trace_count()
    assert [idioms.trace_name(index) for index in range(count)] == native.names
    assert {"cs_noop", "cs_crc32", "cs_deflate", "cs_each_call"} <= set(native.names)
    for past in (count, count + 1, 2**64 - 1):
        assert idioms.trace_name(past) is None
        assert outcome(idioms.trace_read, past) == "LookupError"


def test_trace_counts_calls_bytes_and_errors(idioms: Idioms) -> None:
    """While the trace is on, every call is counted once, with its bytes, and a failure as an error too."""
    idioms.noop()
    idioms.trace_reset()
    idioms.trace_enable(True)
    for _ in range(7):
        idioms.noop()
        idioms.bytes_sum(bytes(100))
    for _ in range(3):
        outcome(idioms.runs_expand, b"x")
    idioms.trace_enable(False)
    idioms.noop()
    assert idioms.trace_read(index_of(idioms, "cs_noop")).calls == 7
    record = idioms.trace_read(index_of(idioms, "cs_bytes_sum"))
    assert (record.calls, record.errors, record.in_nbytes) == (7, 0, 700)
    record = idioms.trace_read(index_of(idioms, "cs_runs_expand"))
    assert (record.calls, record.errors) == (3, 3)


def test_trace_record_is_a_named_tuple(idioms: Idioms, native: Native) -> None:
    """A record is a named tuple, and the 40 buckets of its histogram add up to the number of calls."""
    idioms.trace_enable(True)
    idioms.trace_reset()
    for _ in range(50):
        idioms.f64_add(1.0, 2.0)
    idioms.trace_enable(False)
    record: Any = idioms.trace_read(index_of(idioms, "cs_f64_add"))
    assert issubclass(type(record), tuple) and len(record) == 6
    names = ("calls", "errors", "in_nbytes", "out_nbytes", "total_ns", "histogram")
    assert tuple(getattr(record, name) for name in names) == tuple(record)
    assert type(record.histogram) is tuple and len(record.histogram) == BUCKETS
    assert sum(record.histogram) == record.calls == 50
    seen = native.read("cs_f64_add")
    assert tuple(record) == tuple(getattr(seen, name) for name in names)
    assert 0 <= record.total_ns < 60 * 10**9


def test_trace_reset_forgets(idioms: Idioms) -> None:
    """A reset sets all counts to zero, also those of threads that have ended."""
    idioms.trace_enable(True)
    thread = threading.Thread(target=idioms.noop)
    thread.start()
    thread.join()
    idioms.noop()
    index = index_of(idioms, "cs_noop")
    assert idioms.trace_read(index).calls == 2
    idioms.trace_reset()
    nothing: object = (0, 0, 0, 0, 0, (0,) * BUCKETS)
    assert idioms.trace_read(index) == nothing
    idioms.trace_enable(False)


CALLS: dict[str, tuple[Callable[[Any], object], dict[str, int]]] = {
    "noop": (lambda i: i.noop(), {"cs_noop": 1}),
    "i8_add": (lambda i: i.i8_add(1, 2), {"cs_i8_add": 1}),
    "u64_add": (lambda i: i.u64_add(1, 2), {"cs_u64_add": 1}),
    "mixed_sum": (lambda i: i.mixed_sum(1, 2, 3, 4, 5, 6), {"cs_mixed_sum": 1}),
    "a refused argument": (lambda i: outcome(i.i8_add, 1, 128), {}),
    "bytes_sum": (lambda i: i.bytes_sum(b"abc"), {"cs_bytes_sum": 1}),
    "buffer_fill": (lambda i: i.buffer_fill(bytearray(3), 1), {"cs_buffer_fill": 1}),
    "a refused buffer": (lambda i: outcome(i.buffer_fill, bytes(3), 1), {}),
    "blob_get": (lambda i: i.blob_get(5), {"cs_blob_get": 2}),
    "blob_get of nothing": (lambda i: i.blob_get(0), {"cs_blob_get": 2}),
    "runs_expand": (lambda i: i.runs_expand(b"\xffa"), {"cs_runs_expand": 1}),
    "runs_expand, full": (lambda i: i.runs_expand(b"\x80a\x80b"), {"cs_runs_expand": 1}),
    "runs_expand, growing": (lambda i: i.runs_expand(b"\xffa" * 10), {"cs_runs_expand": 5}),
    "string_length": (lambda i: i.string_length("abc"), {"cs_string_length": 1}),
    "a refused text": (lambda i: outcome(i.string_length, "a\0"), {}),
    "string_borrow": (lambda i: i.string_borrow(1), {"cs_string_borrow": 1}),
    "string_repeat": (lambda i: i.string_repeat("a", 3), {"cs_string_repeat": 1, "cs_string_free": 1}),
    "label_get": (lambda i: i.label_get(1), {"cs_label_get": 1}),
    "label_hash": (lambda i: i.label_hash("a"), {"cs_label_hash": 1}),
    "a label too long": (lambda i: outcome(i.label_hash, "a" * 33), {}),
    "point_add": (lambda i: i.point_add(i.Point(1, 2), i.Point(3, 4)), {"cs_point_add": 1}),
    "box_fill": (lambda i: i.box_fill(i.Box(), 1), {"cs_box_fill": 1}),
    "box_area": (lambda i: i.box_area(i.Box()), {"cs_box_area": 1}),
    "box_unpack": (lambda i: i.box_unpack(i.Box()), {}),
    "attrs_digest": (lambda i: i.attrs_digest([(1, b"a"), (2, b"b")]), {"cs_attrs_digest": 1}),
    "attrs_get": (lambda i: i.attrs_get([1, 2, 3]), {"cs_attrs_get": 2}),
    "ops": (lambda i: (i.ops_add(1, 2), i.ops_multiply(1, 2)), {}),
    "status_raise": (lambda i: outcome(i.status_raise, -3), {"cs_status_return": 1}),
    "errno_raise": (lambda i: outcome(i.errno_raise, 2), {"cs_errno_fail": 1}),
    "color_next": (lambda i: i.color_next(0), {"cs_color_next": 1}),
    "flags_toggle": (lambda i: i.flags_toggle(1, 2), {"cs_flags_toggle": 1}),
    "variant_double": (lambda i: i.variant_double(1), {"cs_variant_double": 1}),
    "bits_pack": (lambda i: i.bits_pack(1, 2, 3, 1), {"cs_bits_pack": 1}),
    "bits_unpack": (lambda i: i.bits_unpack(1), {"cs_bits_unpack": 1}),
    "const_text": (lambda i: i.const_text("CS_CONST_INT"), {"cs_const_text": 1}),
    "constants": (lambda i: (i.CONST_INT, i.CONST_STRING, i.CONFIG_NBYTES), {}),
    "state": (
        lambda i: (i.state_init(1), i.state_next(), i.state_fini()),
        {"cs_state_init": 1, "cs_state_next": 1, "cs_state_fini": 1},
    ),
    "tls": (lambda i: (i.tls_set(0), i.tls_get()), {"cs_tls_set": 1, "cs_tls_get": 1}),
    "config_read": (lambda i: i.config_read(1, 2, 3, i.CONFIG_NBYTES), {"cs_config_read": 1}),
    "Counter": (
        lambda i: [counter := i.Counter(1), counter.add(1), counter.close(), counter.close()][1],
        {"cs_counter_open": 1, "cs_counter_add": 1, "cs_counter_close": 1},
    ),
}
"""Operations, each with the native calls that the contract prescribes for it."""


@pytest.mark.parametrize("operation", CALLS)
def test_an_operation_makes_exactly_its_calls(idioms: Idioms, native: Native, operation: str) -> None:
    """An operation makes exactly the native calls that the contract prescribes."""
    call, want = CALLS[operation]
    call(idioms)  # what is fetched only once, such as the table of functions, is fetched here
    assert native.counted(lambda: call(idioms)) == want


@pytest.mark.needs("varargs")
def test_varargs_make_one_call(idioms: Idioms, native: Native) -> None:
    """A variadic function makes one native call, and none if there are too many arguments."""
    assert native.counted(lambda: idioms.varargs_sum(1, 2, 3)) == {"cs_varargs_sum": 1}
    assert native.counted(lambda: outcome(idioms.varargs_sum, *[1] * 9)) == {}


@pytest.mark.needs("callbacks")
def test_callbacks_make_one_call(idioms: Idioms, native: Native) -> None:
    """``each_call`` makes one native call, however often the callback runs."""
    assert native.counted(lambda: idioms.each_call(100, lambda value: value)) == {"cs_each_call": 1}
    assert native.counted(lambda: outcome(idioms.each_call, 100, 5)) == {}
