"""Workloads of ``idioms``: one function of the catalogue each.

In a measuring process the callable of a test runs after the test has ended. Therefore a test does not close what its
callable needs, and leaves no state of the process behind that would affect the same test on another binding.
"""

from typing import Any

import pytest


def test_noop(benchmark: Any, idioms: Any) -> None:
    """A function that does nothing."""
    assert benchmark(idioms.noop) is None


@pytest.mark.parametrize("width", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_add(benchmark: Any, idioms: Any, width: str) -> None:
    """Add two integers, of each width."""
    assert benchmark(getattr(idioms, f"{width}_add"), 1, 2) == 3


@pytest.mark.parametrize("width", ["f32", "f64"])
def test_add_real(benchmark: Any, idioms: Any, width: str) -> None:
    """Add two floats, of each width."""
    assert benchmark(getattr(idioms, f"{width}_add"), 1.0, 2.5) == 3.5


def test_bool_not(benchmark: Any, idioms: Any) -> None:
    """Pass a truth value and return one."""
    assert benchmark(idioms.bool_not, True) is False


def test_mixed_sum(benchmark: Any, idioms: Any) -> None:
    """Pass six arguments of six types."""
    assert benchmark(idioms.mixed_sum, -1, 2**63, 0.0, True, 0, 0.0) == float(2**63)


@pytest.mark.parametrize("kind", ["bytes", "bytearray", "memoryview"])
def test_bytes_sum(benchmark: Any, idioms: Any, kind: str) -> None:
    """Read 16 bytes from each kind of buffer."""
    data = {"bytes": bytes, "bytearray": bytearray, "memoryview": memoryview}[kind](bytes(range(16)))
    assert benchmark(idioms.bytes_sum, data) == 120


def test_buffer_fill(benchmark: Any, idioms: Any) -> None:
    """Write 16 bytes into a buffer."""
    out = bytearray(16)
    benchmark(idioms.buffer_fill, out, 7)
    assert out == bytes([7]) * 16


@pytest.mark.parametrize("nbytes", ["16", "4096"])
def test_blob_get(benchmark: Any, idioms: Any, nbytes: str) -> None:
    """Return bytes, by a call for the size and one for the bytes."""
    n = int(nbytes)
    assert benchmark(idioms.blob_get, n) == bytes((i * 7 + n) % 256 for i in range(n))


@pytest.mark.parametrize("nbytes", ["200", "4000"])
def test_runs_expand(benchmark: Any, idioms: Any, nbytes: str) -> None:
    """Return bytes of unknown size: the first buffer suffices, or it has to be doubled four times."""
    n = int(nbytes)
    assert benchmark(idioms.runs_expand, b"\x64A" * (n // 100)) == b"A" * n


def test_string_length(benchmark: Any, idioms: Any) -> None:
    """Pass a text as a NUL-terminated string."""
    assert benchmark(idioms.string_length, "a text of 20 letters") == 20


def test_string_borrow(benchmark: Any, idioms: Any) -> None:
    """Return a text that the library owns."""
    assert benchmark(idioms.string_borrow, 0) == "borrowed"


def test_string_repeat(benchmark: Any, idioms: Any) -> None:
    """Return a text that has to be freed."""
    assert benchmark(idioms.string_repeat, "text ", 4) == "text " * 4


def test_label_get(benchmark: Any, idioms: Any) -> None:
    """Return a text from a field of fixed width, padded with spaces."""
    assert benchmark(idioms.label_get, 12) == "label 12"


def test_label_hash(benchmark: Any, idioms: Any) -> None:
    """Pass a text in a field of fixed width, padded with spaces."""
    result = 2166136261
    for byte in b"label 12".ljust(32):
        result = (result ^ byte) * 16777619 % 2**32
    assert benchmark(idioms.label_hash, "label 12") == result


def test_point_new(benchmark: Any, idioms: Any) -> None:
    """Make a struct in Python."""
    assert benchmark(idioms.Point, 1.0, 2.0).y == 2.0


@pytest.mark.needs("struct-by-value")
def test_point_add(benchmark: Any, idioms: Any) -> None:
    """Pass structs by value and return one."""
    result = benchmark(idioms.point_add, idioms.Point(1.0, 2.0), idioms.Point(3.0, 4.0))
    assert (result.x, result.y) == (4.0, 6.0)


def test_point_get(benchmark: Any, idioms: Any) -> None:
    """Read a field of a struct in Python."""
    point = idioms.Point(1.0, 2.0)

    def get() -> float:
        return point.x  # type: ignore[no-any-return]  # bindings are known by their contract alone

    assert benchmark(get) == 1.0


def test_box_fill(benchmark: Any, idioms: Any) -> None:
    """Pass a struct by pointer, to be filled in place."""
    box = idioms.Box()
    benchmark(idioms.box_fill, box, 5)
    assert idioms.box_area(box) == 6.0


def test_box_area(benchmark: Any, idioms: Any) -> None:
    """Pass a nested struct by pointer, to be read by C."""
    box = idioms.Box()
    idioms.box_fill(box, 5)
    assert benchmark(idioms.box_area, box) == 6.0


def test_box_unpack(benchmark: Any, idioms: Any) -> None:
    """Read a nested struct in Python, into a tuple."""
    box = idioms.Box()
    idioms.box_fill(box, 5)
    assert benchmark(idioms.box_unpack, box) == (5.0, 6.0, 7.0, 9.0, 5)


@pytest.mark.parametrize("count", ["1", "12"])
def test_attrs_digest(benchmark: Any, idioms: Any, count: str) -> None:
    """Pass an array of structs with pointers."""
    attrs = [(number, bytes([number]) * 8) for number in range(int(count))]
    result = 14695981039346656037
    for number, value in attrs:
        for byte in number.to_bytes(4, "little") + value:
            result = (result ^ byte) * 1099511628211 % 2**64
    assert benchmark(idioms.attrs_digest, attrs) == result


@pytest.mark.parametrize("count", ["1", "12"])
def test_attrs_get(benchmark: Any, idioms: Any, count: str) -> None:
    """Return an array of structs with pointers, by a call for the sizes and one for the values."""
    types = list(range(8, 8 + int(count)))
    assert benchmark(idioms.attrs_get, types) == [(number, bytes([number]) * number) for number in types]


@pytest.mark.calls("idioms.Counter.add")
def test_counter_add(benchmark: Any, idioms: Any) -> None:
    """Call a method of an opaque handle, which its finaliser closes in the end."""
    assert benchmark(idioms.Counter(0).add, 0) == 0


@pytest.mark.calls("idioms.Counter.close")
def test_counter_life(benchmark: Any, idioms: Any) -> None:
    """Open and close an opaque handle."""

    def live() -> None:
        idioms.Counter(0).close()

    assert benchmark(live) is None


def test_ops_add(benchmark: Any, idioms: Any) -> None:
    """Call a function through a table of function pointers."""
    assert benchmark(idioms.ops_add, 1, 2) == 3


@pytest.mark.needs("callbacks")
@pytest.mark.parametrize("times", ["1", "100"])
def test_each_call(benchmark: Any, idioms: Any, times: str) -> None:
    """Run a callback, once and many times in one call."""

    def callback(value: int) -> int:
        return value

    n = int(times)
    assert benchmark(idioms.each_call, n, callback) == n * (n - 1) // 2


@pytest.mark.needs("callbacks")
@pytest.mark.calls("idioms.each_call")
def test_each_raise(benchmark: Any, idioms: Any) -> None:
    """Run a callback that raises an exception."""
    problem = KeyError("raised by the callback")

    def callback(value: int) -> int:
        raise problem

    def run() -> bool:
        try:
            idioms.each_call(3, callback)
        except KeyError:
            problem.__traceback__ = None
            return True
        return False

    assert benchmark(run) is True


@pytest.mark.needs("callbacks-from-foreign-threads")
def test_thread_call(benchmark: Any, idioms: Any) -> None:
    """Run a callback ten times on a thread that the library creates and joins."""
    assert benchmark(idioms.thread_call, 10, int) == 45


@pytest.mark.parametrize("status", ["0", "-102"])
def test_status_raise(benchmark: Any, idioms: Any, status: str) -> None:
    """Check a status: a success, and a failure that becomes an exception."""
    number = int(status)

    def run() -> bool:
        try:
            idioms.status_raise(number)
        except LookupError:
            return True
        return False

    assert benchmark(run) is (number < 0)


@pytest.mark.parametrize("error", ["0", "2"])
def test_errno_raise(benchmark: Any, idioms: Any, error: str) -> None:
    """Check ``errno``: no error, and one that becomes an `OSError`."""
    number = int(error)

    def run() -> bool:
        try:
            idioms.errno_raise(number)
        except FileNotFoundError:
            return True
        return False

    assert benchmark(run) is (number > 0)


def test_color_next(benchmark: Any, idioms: Any) -> None:
    """Pass an enumeration and return one."""
    assert benchmark(idioms.color_next, 2) == 0


def test_flags_toggle(benchmark: Any, idioms: Any) -> None:
    """Pass sets of flags and return one, with a status."""
    assert benchmark(idioms.flags_toggle, 3, 1) == 2


@pytest.mark.parametrize("kind", ["int", "float", "bytes"])
def test_variant_double(benchmark: Any, idioms: Any, kind: str) -> None:
    """Pass a tagged union and return one."""
    value, doubled = {"int": (21, 42), "float": (1.5, 3.0), "bytes": (b"12345678", b"87654321")}[kind]
    assert benchmark(idioms.variant_double, value) == doubled


@pytest.mark.needs("bit-fields")
def test_bits_pack(benchmark: Any, idioms: Any) -> None:
    """Pass a struct of bit-fields."""
    assert benchmark(idioms.bits_pack, 5, 17, -3, 1) == 5 | 17 << 3 | 13 << 8 | 1 << 12


@pytest.mark.needs("bit-fields")
def test_bits_unpack(benchmark: Any, idioms: Any) -> None:
    """Return a struct of bit-fields."""
    assert benchmark(idioms.bits_unpack, 5 | 17 << 3 | 13 << 8 | 1 << 12) == (5, 17, -3, 1)


@pytest.mark.needs("varargs")
@pytest.mark.parametrize("count", ["1", "8"])
def test_varargs_sum(benchmark: Any, idioms: Any, count: str) -> None:
    """Call a variadic function."""
    values = range(1, int(count) + 1)
    assert benchmark(idioms.varargs_sum, *values) == sum(values)


def test_constant(benchmark: Any, idioms: Any) -> None:
    """Read a constant of the preprocessor."""

    def read() -> int:
        return idioms.CONST_EXPR  # type: ignore[no-any-return]  # bindings are known by their contract alone

    assert benchmark(read) == 2**31 | 3


@pytest.mark.needs("macros-and-inlines")
def test_macro_clamp(benchmark: Any, idioms: Any) -> None:
    """Call a function-like macro."""
    assert benchmark(idioms.macro_clamp, 12, 0, 10) == 10


@pytest.mark.needs("macros-and-inlines")
def test_inline_rotl(benchmark: Any, idioms: Any) -> None:
    """Call a static-inline function."""
    assert benchmark(idioms.inline_rotl, 0x80000001, 1) == 3


@pytest.mark.needs("gil-held")
@pytest.mark.parametrize("steps", ["1", "100000"])
def test_spin_held(benchmark: Any, idioms: Any, steps: str) -> None:
    """Make a short and a long call that hold the GIL."""
    result = benchmark(idioms.spin_held, int(steps))
    assert 0 < result < 2**64


@pytest.mark.needs("gil-released")
@pytest.mark.parametrize("steps", ["1", "100000"])
def test_spin_released(benchmark: Any, idioms: Any, steps: str) -> None:
    """Make a short and a long call that release the GIL."""
    result = benchmark(idioms.spin_released, int(steps))
    assert 0 < result < 2**64


def test_state_cycle(benchmark: Any, idioms: Any) -> None:
    """Set up, use and tear down a state of the process."""

    def cycle() -> int:
        idioms.state_init(7)
        value = idioms.state_next()
        idioms.state_fini()
        return value  # type: ignore[no-any-return]  # bindings are known by their contract alone

    assert benchmark(cycle) == 7


def test_tls_get(benchmark: Any, idioms: Any) -> None:
    """Read a state of the thread."""
    idioms.tls_set(3)
    assert benchmark(idioms.tls_get) == 3


def test_config_read(benchmark: Any, idioms: Any) -> None:
    """Pass a struct that states its own size."""
    result = benchmark(idioms.config_read, 3, 1.5, 9, idioms.CONFIG_NBYTES)
    assert result == (2, 3, 1.5, 9)


def test_trace_read(benchmark: Any, idioms: Any) -> None:
    """Return a struct that contains an array, as a named tuple."""
    assert len(benchmark(idioms.trace_read, 0).histogram) == 40
