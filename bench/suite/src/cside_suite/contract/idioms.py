"""The contract of ``idioms``: the catalogue of what C interfaces make a binding do.

A function ``f`` wraps ``cs_f`` of ``cside/idioms.h`` (or of ``cside/trace.h``), whose comment is the reference for what
it computes. Here stands what Python adds. Conversions and exceptions are those of :mod:`cside_suite.contract`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, SupportsFloat, SupportsIndex, runtime_checkable

from typing_extensions import Buffer

Each = Callable[[int], int]
"""A callback: takes a position, returns a number in the range of ``int32_t`` (`OverflowError` beyond it)."""


class StatusError(Protocol):
    """A failure without an exception of its own among Python's. A subclass of `Exception`, per binding.

    ``str()`` of it is ``cs_status_message(status)``.
    """

    status: int
    """The ``cs_status``, negative."""
    name: str
    """Its name, as ``CS_E_BUSY``."""


class PointObject(Protocol):
    """``cs_point``: two doubles that can be read and assigned (`TypeError` for what is not a number)."""

    x: float
    y: float


class BoxObject(Protocol):
    """``cs_box``: owned by Python, opaque but for the functions that take it."""


class TraceRecord(Protocol):
    """``cs_trace_record``, as a named tuple in this order."""

    @property
    def calls(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def in_nbytes(self) -> int: ...
    @property
    def out_nbytes(self) -> int: ...
    @property
    def total_ns(self) -> int: ...
    @property
    def histogram(self) -> tuple[int, ...]:
        """40 counts; bucket 0 is below 1 ns, bucket i from 2**(i-1) to below 2**i ns."""


class CounterObject(Protocol):
    """An opaque handle. A context manager that closes; closed, if still open, when the object is finalised."""

    def add(self, n: int, /) -> int:
        """Add and return the new total. `ValueError` "the handle is closed" after :meth:`close`."""

    def each(self, times: int, callback: Each, /) -> int:
        """Sum of ``callback(total)`` over ``times`` calls. Closing the counter inside is `StatusError`
        ``CS_E_BUSY``.
        """

    def close(self) -> None:
        """Close; closing again does nothing."""

    def __enter__(self) -> "CounterObject": ...
    def __exit__(self, *exc: object) -> None: ...


@runtime_checkable
class Idioms(Protocol):
    """The module ``<package>.idioms``."""

    # no-op
    def noop(self) -> None:
        """Call a function that does nothing."""

    # scalars of each width
    def i8_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Sum modulo 2**8, two's complement; each argument -128 to 127, else `OverflowError`. Likewise the others."""

    def u8_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...
    def i16_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...
    def u16_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...
    def i32_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...
    def u32_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...
    def i64_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...
    def u64_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...
    def f32_add(self, a: SupportsFloat, b: SupportsFloat, /) -> float:
        """Sum in single precision."""

    def f64_add(self, a: SupportsFloat, b: SupportsFloat, /) -> float: ...
    def bool_not(self, value: object, /) -> bool:
        """Negated truth value; what ``__bool__`` raises comes out."""

    # many arguments
    def mixed_sum(
        self,
        a: SupportsIndex,
        b: SupportsIndex,
        c: SupportsFloat,
        d: object,
        e: SupportsIndex,
        f: SupportsFloat,
        /,
    ) -> float:
        """``int32``, ``uint64``, ``double``, ``bool``, ``int8`` and ``float``, added up as ``double``."""

    # byte buffers
    def bytes_sum(self, data: Buffer, /) -> int:
        """Sum of all bytes modulo 2**32."""

    def buffer_fill(self, out: Buffer, value: SupportsIndex, /) -> None:
        """Set every byte of a writable buffer to ``value``."""

    # outputs of unknown size
    def blob_get(self, index: SupportsIndex, /) -> bytes:
        """``index`` bytes, by a size query and a second call. `LookupError` above 1,048,576."""

    def runs_expand(self, data: Buffer, /) -> bytes:
        """Expand (count, byte) pairs, by growing from 256 bytes and retrying. `StatusError` ``CS_E_DATA`` if odd."""

    # strings
    def string_length(self, text: str, /) -> int:
        """Length in bytes of the UTF-8."""

    def string_borrow(self, index: SupportsIndex, /) -> str | None:
        """A text that the library keeps; `UnicodeDecodeError` for 2, ``None`` from 4 on."""

    def string_repeat(self, text: str, times: SupportsIndex, /) -> str:
        """A text that the library allocates and the binding frees."""

    def label_get(self, index: SupportsIndex, /) -> str:
        """A text of a fixed-width field, without its padding."""

    def label_hash(self, text: str, /) -> int:
        """Hash of the padded field. `ValueError` "label longer than 32 bytes" if the UTF-8 is longer; NULs are data."""

    # structs
    def Point(self, x: SupportsFloat, y: SupportsFloat, /) -> PointObject:
        """A new ``cs_point``; a class or a function."""

    def Box(self) -> BoxObject:
        """A new ``cs_box``, all zero; a class or a function."""

    def point_add(self, a: Any, b: Any, /) -> PointObject:
        """By value. `TypeError` for anything but this binding's own points."""

    def box_fill(self, box: Any, tag: SupportsIndex, /) -> None:
        """By pointer, in place. `TypeError` for anything but this binding's own boxes (``None`` too)."""

    def box_area(self, box: Any, /) -> float: ...
    def box_unpack(self, box: Any, /) -> tuple[float, float, float, float, int]:
        """``(min.x, min.y, max.x, max.y, tag)``, read from memory without a native call."""

    # array of structs
    def attrs_digest(self, attrs: Sequence[tuple[int, Buffer]], /) -> int:
        """Hash of ``(type, value)`` pairs. `TypeError` unless a list or tuple of tuples of two."""

    def attrs_get(self, types: Sequence[int], /) -> list[tuple[int, bytes]]:
        """``(type, value)`` for each type, by one call for all sizes and one for all values. `LookupError`."""

    # opaque handle
    def Counter(self, start: SupportsIndex = 0, /) -> CounterObject:
        """Open a counter, in the range of ``int64_t``; a class. `MemoryError` when 65,536 are open."""

    # function-pointer table
    def ops_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """``cs_ops_get()->add`` of two ``int32_t``, modulo 2**32, two's complement."""

    def ops_multiply(self, a: SupportsIndex, b: SupportsIndex, /) -> int: ...

    # callbacks
    def each_call(self, times: SupportsIndex, callback: Each, /) -> int:
        """Sum of ``callback(0)`` … ``callback(times - 1)``. What it raises comes out, and no further call is made."""

    def thread_call(self, times: SupportsIndex, callback: Each, /) -> int:
        """The same from a thread made by the library. Long."""

    # errors
    def status_raise(self, status: SupportsIndex, /) -> None:
        """Raise what the ``int32_t`` status stands for; zero and positive return ``None``."""

    def errno_raise(self, error: SupportsIndex, /) -> None:
        """Raise ``OSError(error, os.strerror(error))`` (so its subclass, as `FileNotFoundError`); 0 returns
        ``None``.
        """

    # enum, flags, union, bit-field
    def color_next(self, color: SupportsIndex, /) -> int:
        """The next of ``COLOR_RED``, ``COLOR_GREEN``, ``COLOR_BLUE``. `ValueError` "not a color" for another int32."""

    def flags_toggle(self, flags: SupportsIndex, mask: SupportsIndex, /) -> int:
        """Exclusive or of flags. `ValueError` for bits outside ``FLAG_ALL``."""

    def variant_double(self, value: int | float | bytes, /) -> int | float | bytes:
        """Twice an int (``int64_t``) or a float, or eight bytes reversed: what the C union is told by the Python type.

        ``int``, ``float`` and ``bytes`` and their subclasses (``bool`` is an int), else `TypeError`. `ValueError`
        "need 8 bytes" for bytes of any other length.
        """

    def bits_pack(self, mode: SupportsIndex, level: SupportsIndex, delta: SupportsIndex, flag: SupportsIndex, /) -> int:
        """Four bit-fields of 3, 5, 4 (signed) and 1 bits in one number. `OverflowError` for what does not fit
        its field.
        """

    def bits_unpack(self, word: SupportsIndex, /) -> tuple[int, int, int, int]:
        """The inverse, of a ``uint32_t``."""

    # varargs
    def varargs_sum(self, *values: SupportsIndex) -> int:
        """Sum modulo 2**64 (as ``int64_t``) of up to 8 ``int64_t``. `TypeError` for more."""

    # constants
    CONST_INT: int
    CONST_NEGATIVE: int
    CONST_HEX: int
    CONST_CAST: int
    CONST_SHIFT: int
    CONST_EXPR: int
    CONST_CHAR: int
    """The code of the character."""
    CONST_FLOAT: float
    CONST_STRING: str
    COLOR_RED: int
    COLOR_GREEN: int
    COLOR_BLUE: int
    FLAG_READ: int
    FLAG_WRITE: int
    FLAG_EXEC: int
    FLAG_ALL: int
    CONFIG_NBYTES: int
    CONFIG_V1_NBYTES: int

    def const_text(self, name: str, /) -> str | None:
        """What the library itself says a constant is, as ``const_text("CS_CONST_INT") == "42"``."""

    # macro-only and static-inline functions; NotImplementedError without the feature ``macros-and-inlines``
    def macro_clamp(self, x: SupportsIndex, lo: SupportsIndex, hi: SupportsIndex, /) -> int:
        """``CS_MACRO_CLAMP`` on ``int32_t``."""

    def inline_rotl(self, value: SupportsIndex, bits: SupportsIndex, /) -> int:
        """``cs_inline_rotl`` on ``uint32_t``."""

    # GIL held and released
    def spin_held(self, iterations: SupportsIndex, /) -> int:
        """``cs_spin`` with the GIL held. `NotImplementedError` without the feature ``gil-held``."""

    def spin_released(self, iterations: SupportsIndex, /) -> int:
        """``cs_spin`` with the GIL released. `NotImplementedError` without the feature ``gil-released``."""

    # global and thread-local state
    def state_init(self, seed: SupportsIndex, /) -> None:
        """`StatusError` ``CS_E_STATE`` when running already."""

    def state_next(self) -> int:
        """`StatusError` ``CS_E_STATE`` when not running."""

    def state_fini(self) -> None: ...
    def tls_set(self, value: SupportsIndex, /) -> None: ...
    def tls_get(self) -> int: ...

    # struct with a size field
    def config_read(
        self,
        retries: SupportsIndex,
        timeout_s: SupportsFloat,
        flags: SupportsIndex,
        struct_nbytes: SupportsIndex,
        /,
    ) -> tuple[int, int, float, int]:
        """``(version, retries, timeout_s, flags)`` as understood. `StatusError` ``CS_E_VERSION`` for another size."""

    # trace
    def trace_enable(self, on: object, /) -> None: ...
    def trace_enabled(self) -> bool: ...
    def trace_reset(self) -> None: ...
    def trace_count(self) -> int: ...
    def trace_name(self, index: SupportsIndex, /) -> str | None: ...
    def trace_read(self, index: SupportsIndex, /) -> TraceRecord:
        """Sum over all threads. `LookupError` past the end."""

    @property
    def StatusError(self) -> type[Exception]:
        """The class behind :class:`cside_suite.contract.StatusError`."""
