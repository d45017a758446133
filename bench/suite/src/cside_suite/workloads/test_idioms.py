"""Workloads of ``idioms``: one function of the catalogue each.

In a measuring process the callable of a test runs after the test has ended. Therefore a test does not close what its
callable needs, and leaves no state of the process behind that would affect the same test on another binding.

The values of arguments are drawn (:mod:`.values`), those of a few aside: sizes, statuses and what a callback is given.
"""

from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import Any

import pytest

from cside_suite.workloads import values


def filled(idioms: Any, draw: Random) -> tuple[list[Any], list[int]]:
    """Return boxes that the library has filled, and the tag of each."""
    boxes = [idioms.Box() for _ in range(values.DRAWS)]
    tags = [draw.randrange(1 << 20) for _ in boxes]
    for box, tag in zip(boxes, tags, strict=True):
        idioms.box_fill(box, tag)
    return boxes, tags


def fields(draw: Random) -> list[tuple[int, int, int, int]]:
    """Draw the values of four bit-fields."""
    return [
        (draw.randrange(8), draw.randrange(32), draw.randrange(-8, 8), draw.randrange(2)) for _ in range(values.DRAWS)
    ]


def packed(mode: int, level: int, delta: int, flag: int) -> int:
    """Return the word of four bit-fields."""
    return mode | level << 3 | (delta & 15) << 8 | flag << 12


def fnv1a(data: bytes, basis: int, prime: int, bits: int) -> int:
    """Return the FNV-1a hash of so many bits."""
    result = basis
    for byte in data:
        result = (result ^ byte) * prime % 2**bits
    return result


def test_noop(benchmark: Any, idioms: Any) -> None:
    """A function that does nothing."""
    assert benchmark(idioms.noop) is None


@pytest.mark.parametrize("kind", list(values.ADDENDS))
def test_add(each: Any, idioms: Any, draw: Random, kind: str) -> None:
    """Add two integers, of each width, that have one digit in Python or more."""
    pairs = values.ints(draw, *values.ADDENDS[kind])
    assert each(getattr(idioms, f"{kind.partition('-')[0]}_add"), pairs) == [a + b for a, b in pairs]


@pytest.mark.parametrize("width", ["f32", "f64"])
def test_add_real(each: Any, idioms: Any, draw: Random, width: str) -> None:
    """Add two floats, of each width."""
    pairs = values.reals(draw, 2)
    assert each(getattr(idioms, f"{width}_add"), pairs) == [a + b for a, b in pairs]


def test_bool_not(each: Any, idioms: Any, draw: Random) -> None:
    """Pass a truth value and return one."""
    truths = [(draw.random() < 0.5,) for _ in range(values.DRAWS)]
    assert each(idioms.bool_not, truths) == [not truth for (truth,) in truths]


def test_mixed_sum(each: Any, idioms: Any, draw: Random) -> None:
    """Pass six arguments of six types; half of the 64-bit integers are too large for a signed one."""
    rows = [
        (
            values.SMALL.one(draw),
            draw.randrange(1 << 63, 1 << 64) if number % 2 else draw.randrange(1 << 40),
            values.real(draw),
            draw.random() < 0.5,
            draw.randrange(-128, 128),
            values.real(draw),
        )
        for number in range(values.DRAWS)
    ]
    assert each(idioms.mixed_sum, rows) == [float(a) + float(b) + c + float(d) + e + f for a, b, c, d, e, f in rows]


@pytest.mark.parametrize("kind", ["bytes", "bytearray", "memoryview"])
def test_bytes_sum(each: Any, idioms: Any, draw: Random, kind: str) -> None:
    """Read 16 bytes from each kind of buffer; those of a memoryview begin anywhere."""
    buffers = values.buffers(draw, kind, 16)
    assert each(idioms.bytes_sum, values.ones(buffers)) == [sum(data) for data in buffers]


def test_buffer_fill(each: Any, idioms: Any, draw: Random) -> None:
    """Write 16 bytes into a buffer."""
    rows = [(bytearray(16), draw.randrange(256)) for _ in range(values.DRAWS)]
    each(idioms.buffer_fill, rows)
    assert [bytes(out) for out, _ in rows] == [bytes([value]) * 16 for _, value in rows]


@pytest.mark.parametrize("nbytes", ["16", "4096"])
def test_blob_get(benchmark: Any, idioms: Any, nbytes: str) -> None:
    """Return bytes, by a call for the size and one for the bytes."""
    n = int(nbytes)
    assert benchmark(idioms.blob_get, n) == bytes((i * 7 + n) % 256 for i in range(n))


@pytest.mark.parametrize("nbytes", ["200", "4000"])
def test_runs_expand(each: Any, idioms: Any, draw: Random, nbytes: str) -> None:
    """Return bytes of unknown size: the first buffer suffices, or it has to be doubled four times."""
    n = int(nbytes)
    letters = [draw.randbytes(1) for _ in range(values.DRAWS)]
    rows = [((b"\x64" + letter) * (n // 100),) for letter in letters]
    assert each(idioms.runs_expand, rows) == [letter * n for letter in letters]


@pytest.mark.parametrize("kind", list(values.TEXTS))
def test_string_length(each: Any, idioms: Any, draw: Random, kind: str) -> None:
    """Pass a text of 20 letters as a NUL-terminated string: one that is UTF-8 as it stands, or has to be encoded.

    On CPython, bindings that use ``PyUnicode_AsUTF8AndSize`` encode each text once and then find its UTF-8 beside it;
    others encode it in each call.
    """
    texts = values.texts(draw, kind, 20)
    assert each(idioms.string_length, values.ones(texts)) == [len(text.encode()) for text in texts]


def test_string_borrow(benchmark: Any, idioms: Any) -> None:
    """Return a text that the library owns."""
    assert benchmark(idioms.string_borrow, 0) == "borrowed"


def test_string_repeat(each: Any, idioms: Any, draw: Random) -> None:
    """Return a text that has to be freed."""
    texts = values.texts(draw, "ascii", 5)
    assert each(idioms.string_repeat, [(text, 4) for text in texts]) == [text * 4 for text in texts]


def test_label_get(each: Any, idioms: Any, draw: Random) -> None:
    """Return a text from a field of fixed width, padded with spaces."""
    numbers = [draw.randrange(10, 100) for _ in range(values.DRAWS)]
    assert each(idioms.label_get, [(number,) for number in numbers]) == [f"label {number}" for number in numbers]


def test_label_hash(each: Any, idioms: Any, draw: Random) -> None:
    """Pass a text in a field of fixed width, padded with spaces."""
    texts = values.texts(draw, "ascii", 8)
    assert each(idioms.label_hash, values.ones(texts)) == [
        fnv1a(text.encode().ljust(32), 2166136261, 16777619, 32) for text in texts
    ]


def test_point_new(each: Any, idioms: Any, draw: Random) -> None:
    """Make a struct in Python."""
    pairs = values.reals(draw, 2)
    assert [(point.x, point.y) for point in each(idioms.Point, pairs)] == pairs


@pytest.mark.needs("struct-by-value")
def test_point_add(each: Any, idioms: Any, draw: Random) -> None:
    """Pass structs by value and return one."""
    rows = values.reals(draw, 4)
    results = each(idioms.point_add, [(idioms.Point(a, b), idioms.Point(c, d)) for a, b, c, d in rows])
    assert [(result.x, result.y) for result in results] == [(a + c, b + d) for a, b, c, d in rows]


def test_point_get(benchmark: Any, idioms: Any) -> None:
    """Read a field of a struct in Python."""
    point = idioms.Point(1.0, 2.0)

    def get() -> float:
        return point.x  # type: ignore[no-any-return]  # bindings are known by their contract alone

    assert benchmark(get) == 1.0


def test_box_fill(each: Any, idioms: Any, draw: Random) -> None:
    """Pass a struct by pointer, to be filled in place."""
    rows = [(idioms.Box(), draw.randrange(1 << 20)) for _ in range(values.DRAWS)]
    each(idioms.box_fill, rows)
    assert [idioms.box_unpack(box)[-1] for box, _ in rows] == [tag for _, tag in rows]


def test_box_area(each: Any, idioms: Any, draw: Random) -> None:
    """Pass a nested struct by pointer, to be read by C."""
    boxes, _ = filled(idioms, draw)
    assert each(idioms.box_area, [(box,) for box in boxes]) == [6.0] * len(boxes)


def test_box_unpack(each: Any, idioms: Any, draw: Random) -> None:
    """Read a nested struct in Python, into a tuple."""
    boxes, tags = filled(idioms, draw)
    assert each(idioms.box_unpack, [(box,) for box in boxes]) == [(n, n + 1, n + 2, n + 4, n) for n in tags]


@pytest.mark.parametrize("count", ["1", "12"])
def test_attrs_digest(each: Any, idioms: Any, draw: Random, count: str) -> None:
    """Pass an array of structs with pointers."""
    rows = [[(draw.randrange(1 << 16), draw.randbytes(8)) for _ in range(int(count))] for _ in range(values.DRAWS)]
    results = []
    for attrs in rows:
        data = b"".join(number.to_bytes(4, "little") + value for number, value in attrs)
        results.append(fnv1a(data, 14695981039346656037, 1099511628211, 64))
    assert each(idioms.attrs_digest, [(attrs,) for attrs in rows]) == results


@pytest.mark.parametrize("count", ["1", "12"])
def test_attrs_get(each: Any, idioms: Any, draw: Random, count: str) -> None:
    """Return an array of structs with pointers, by a call for the sizes and one for the values."""
    rows = [draw.sample(range(8, 20), int(count)) for _ in range(values.DRAWS)]
    results = [[(number, bytes([number]) * number) for number in types] for types in rows]
    assert each(idioms.attrs_get, [(types,) for types in rows]) == results


@pytest.mark.calls("idioms.Counter.add")
def test_counter_add(each: Any, idioms: Any, draw: Random) -> None:
    """Call a method of an opaque handle, which its finaliser closes in the end; what is added sums up to nothing."""
    added = [draw.randrange(1, values.DIGIT >> 1) for _ in range(values.DRAWS // 2)]
    steps = [step for number in added for step in (number, -number)]
    assert each(idioms.Counter(0).add, [(step,) for step in steps]) == list(accumulate(steps))


@pytest.mark.calls("idioms.Counter.close")
def test_counter_life(benchmark: Any, idioms: Any) -> None:
    """Open and close an opaque handle."""

    def live() -> None:
        idioms.Counter(0).close()

    assert benchmark(live) is None


def test_ops_add(each: Any, idioms: Any, draw: Random) -> None:
    """Call a function through a table of function pointers."""
    pairs = values.ints(draw, values.SMALL, values.SMALL)
    assert each(idioms.ops_add, pairs) == [a + b for a, b in pairs]


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


def test_color_next(each: Any, idioms: Any, draw: Random) -> None:
    """Pass an enumeration and return one."""
    colors = [draw.randrange(3) for _ in range(values.DRAWS)]
    assert each(idioms.color_next, [(color,) for color in colors]) == [(color + 1) % 3 for color in colors]


def test_flags_toggle(each: Any, idioms: Any, draw: Random) -> None:
    """Pass sets of flags and return one, with a status."""
    rows = [(draw.randrange(4), draw.randrange(4)) for _ in range(values.DRAWS)]
    assert each(idioms.flags_toggle, rows) == [flags ^ mask for flags, mask in rows]


@pytest.mark.parametrize("kind", ["int", "float", "bytes"])
def test_variant_double(each: Any, idioms: Any, draw: Random, kind: str) -> None:
    """Pass a tagged union and return one."""
    one: dict[str, Callable[[], Any]] = {
        "int": lambda: values.SMALL.one(draw),
        "float": lambda: values.real(draw),
        "bytes": lambda: draw.randbytes(8),
    }
    rows = [one[kind]() for _ in range(values.DRAWS)]
    results = [value[::-1] if isinstance(value, bytes) else 2 * value for value in rows]
    assert each(idioms.variant_double, [(value,) for value in rows]) == results


@pytest.mark.needs("bit-fields")
def test_bits_pack(each: Any, idioms: Any, draw: Random) -> None:
    """Pass a struct of bit-fields."""
    rows = fields(draw)
    assert each(idioms.bits_pack, rows) == [packed(*row) for row in rows]


@pytest.mark.needs("bit-fields")
def test_bits_unpack(each: Any, idioms: Any, draw: Random) -> None:
    """Return a struct of bit-fields."""
    rows = fields(draw)
    assert each(idioms.bits_unpack, [(packed(*row),) for row in rows]) == rows


@pytest.mark.needs("varargs")
@pytest.mark.parametrize("count", ["1", "8"])
def test_varargs_sum(each: Any, idioms: Any, draw: Random, count: str) -> None:
    """Call a variadic function."""
    rows = values.ints(draw, *[values.SMALL] * int(count))
    assert each(idioms.varargs_sum, rows) == [sum(row) for row in rows]


def test_constant(benchmark: Any, idioms: Any) -> None:
    """Read a constant of the preprocessor."""

    def read() -> int:
        return idioms.CONST_EXPR  # type: ignore[no-any-return]  # bindings are known by their contract alone

    assert benchmark(read) == 2**31 | 3


@pytest.mark.needs("macros-and-inlines")
def test_macro_clamp(each: Any, idioms: Any, draw: Random) -> None:
    """Call a function-like macro."""
    rows = [(values.SMALL.one(draw), -(1 << 28), 1 << 28) for _ in range(values.DRAWS)]
    assert each(idioms.macro_clamp, rows) == [max(low, min(x, high)) for x, low, high in rows]


@pytest.mark.needs("macros-and-inlines")
def test_inline_rotl(each: Any, idioms: Any, draw: Random) -> None:
    """Call a static-inline function."""
    rows = [(draw.getrandbits(32), draw.randrange(1, 32)) for _ in range(values.DRAWS)]
    assert each(idioms.inline_rotl, rows) == [(x << n | x >> 32 - n) % 2**32 for x, n in rows]


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


def test_config_read(each: Any, idioms: Any, draw: Random) -> None:
    """Pass a struct that states its own size."""
    rows = [(draw.randrange(100), values.real(draw), draw.randrange(1 << 16)) for _ in range(values.DRAWS)]
    results = each(idioms.config_read, [(*row, idioms.CONFIG_NBYTES) for row in rows])
    assert results == [(2, *row) for row in rows]


def test_trace_read(benchmark: Any, idioms: Any) -> None:
    """Return a struct that contains an array, as a named tuple."""
    assert len(benchmark(idioms.trace_read, 0).histogram) == 40
