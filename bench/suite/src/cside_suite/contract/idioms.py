"""The contract of ``idioms``: one function or more for each kind of C interface.

The function ``f`` calls ``cs_f`` of ``cside/idioms.h`` or ``cside/trace.h``, whose comment specifies the C side. How
arguments are converted, for all functions alike, stands in :mod:`cside_suite.contract`.

The docstrings of the protocols are the reference for Python, written for ``help()``: the first line says what the
function does; the last paragraph begins with "Raises" and names each exception and when it is raised. They do not
repeat that a wrong number of arguments is `TypeError`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, SupportsFloat, SupportsIndex, runtime_checkable

from typing_extensions import Buffer

Each = Callable[[int], int]
"""A callback: takes an integer and returns one that fits ``int32_t``."""


class StatusError(Protocol):
    """A failure of the library for which Python has no exception of its own.

    It is a subclass of `Exception`. Its text is the library's message for the status.
    """

    status: int
    """The status of the library, a negative number."""
    name: str
    """The name of the status, for instance 'CS_E_BUSY'."""


class PointObject(Protocol):
    """A C struct of two doubles, ``x`` and ``y``, which can be read and assigned.

    Its ``repr`` is ``Point(x=1.0, y=2.0)``. It is equal to another point whose coordinates are equal as floats, and to
    nothing else. As it can change, it has no hash.

    Raises `TypeError` if a coordinate is assigned text or an object that ``float()`` does not take.
    """

    x: float
    """The first coordinate."""
    y: float
    """The second coordinate."""


class BoxObject(Protocol):
    """A C struct in memory that Python owns, for the functions whose names begin with ``box_``."""


class TraceRecord(Protocol):
    """What the trace counted of one function: a named tuple of these fields, in this order."""

    @property
    def calls(self) -> int:
        """The number of calls."""

    @property
    def errors(self) -> int:
        """The number of calls that failed."""

    @property
    def in_nbytes(self) -> int:
        """The number of bytes that were given to the function."""

    @property
    def out_nbytes(self) -> int:
        """The number of bytes that the function gave back."""

    @property
    def total_ns(self) -> int:
        """The time that all calls took together, in nanoseconds."""

    @property
    def histogram(self) -> tuple[int, ...]:
        """The number of calls in each of 40 ranges of duration.

        Item 0 counts calls of less than 1 ns, item i those from 2**(i-1) to less than 2**i ns. The
        last item also counts all longer calls.
        """


class CounterObject(Protocol):
    """A counter inside the library, which Python holds by an opaque handle: an object of ``Counter``."""

    def add(self, n: int, /) -> int:
        """Add ``n`` to the counter, modulo 2**64, and return the new total.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `OverflowError` if
        ``n`` does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
        """

    def each(self, times: int, callback: Each, /) -> int:
        """Call ``callback`` with the counter's total, ``times`` times, and sum its results.

        The total is passed modulo 2**31. While this method runs, the counter cannot be closed. An
        exception that the callback raises is raised here, the same object; no further call is made.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `ValueError` if
        ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a
        result does not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times``
        or a result has no ``__index__``.
        """

    def close(self) -> None:
        """Close the counter; closing it again does nothing.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """

    def __enter__(self) -> "CounterObject":
        """Return the counter itself."""

    def __exit__(self, *exc: object) -> None:
        """Close the counter, as ``close`` does; an exception of the block is passed on.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """


@runtime_checkable
class Idioms(Protocol):
    """The module ``<package>.idioms``."""

    # no-op
    def noop(self) -> None:
        """Call a C function that does nothing."""

    # scalars of each width
    def i8_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``int8_t``, modulo 2**8, in two's complement.

        Each argument is in the range from -128 to 127.

        Raises `OverflowError` if an argument does not fit ``int8_t``; `TypeError` if it has no
        ``__index__``.
        """

    def u8_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``uint8_t``, modulo 2**8.

        Each argument is in the range from 0 to 255.

        Raises `OverflowError` if an argument does not fit ``uint8_t``; `TypeError` if it has no
        ``__index__``.
        """

    def i16_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``int16_t``, modulo 2**16, in two's complement.

        Each argument is in the range from -32,768 to 32,767.

        Raises `OverflowError` if an argument does not fit ``int16_t``; `TypeError` if it has no
        ``__index__``.
        """

    def u16_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``uint16_t``, modulo 2**16.

        Each argument is in the range from 0 to 65,535.

        Raises `OverflowError` if an argument does not fit ``uint16_t``; `TypeError` if it has no
        ``__index__``.
        """

    def i32_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``int32_t``, modulo 2**32, in two's complement.

        Each argument is in the range from -2**31 to 2**31 - 1.

        Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
        ``__index__``.
        """

    def u32_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``uint32_t``, modulo 2**32.

        Each argument is in the range from 0 to 2**32 - 1.

        Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
        ``__index__``.
        """

    def i64_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``int64_t``, modulo 2**64, in two's complement.

        Each argument is in the range from -2**63 to 2**63 - 1.

        Raises `OverflowError` if an argument does not fit ``int64_t``; `TypeError` if it has no
        ``__index__``.
        """

    def u64_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``uint64_t``, modulo 2**64.

        Each argument is in the range from 0 to 2**64 - 1.

        Raises `OverflowError` if an argument does not fit ``uint64_t``; `TypeError` if it has no
        ``__index__``.
        """

    def f32_add(self, a: SupportsFloat, b: SupportsFloat, /) -> float:
        """Return the sum of two numbers in single precision, the C type ``float``.

        Arguments and sum are rounded to the nearest C ``float``, and are infinite beyond its range.

        Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
        argument is text or ``float()`` does not take it.
        """

    def f64_add(self, a: SupportsFloat, b: SupportsFloat, /) -> float:
        """Return the sum of two numbers in double precision, the C type ``double``.

        Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
        argument is text or ``float()`` does not take it.
        """

    def bool_not(self, value: object, /) -> bool:
        """Return the negated truth value of any object.

        An exception that the object's ``__bool__`` raises is passed on.
        """

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
        """Return the sum of six arguments of six C types, in double precision.

        The types are, in order, ``int32_t``, ``uint64_t``, ``double``, ``bool``, ``int8_t`` and
        ``float``. The truth value of ``d`` counts as 1 or 0.

        Raises `OverflowError` if an argument does not fit its integer type, or is an integer too
        large for a Python float; `TypeError` if an integer argument has no ``__index__``, or a
        floating-point argument is text or ``float()`` does not take it.
        """

    # byte buffers
    def bytes_sum(self, data: Buffer, /) -> int:
        """Return the sum of all bytes of a buffer, modulo 2**32.

        Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
        not C-contiguous.
        """

    def buffer_fill(self, out: Buffer, value: SupportsIndex, /) -> None:
        """Set every byte of a writable buffer to ``value``.

        Raises `TypeError` if ``out`` does not support the buffer protocol or ``value`` has no
        ``__index__``; `BufferError` if ``out`` is read-only or not C-contiguous; `OverflowError` if
        ``value`` does not fit ``uint8_t``.
        """

    # outputs of unknown size
    def blob_get(self, index: SupportsIndex, /) -> bytes:
        """Return blob number ``index``, which is ``index`` bytes long.

        Byte i of it is (i * 7 + index) modulo 256. One native call asks for the size, a second one
        fetches the bytes.

        Raises `LookupError` if ``index`` is above 1,048,576; `OverflowError` if it does not fit
        ``uint32_t``; `TypeError` if it has no ``__index__``.
        """

    def runs_expand(self, data: Buffer, /) -> bytes:
        """Expand run-length pairs (count, byte) and return the result.

        The first native call has room for 256 bytes; as long as the room does not suffice, it is
        doubled and the call is repeated.

        Raises `StatusError` ``CS_E_DATA`` if ``data`` has an odd number of bytes; `TypeError` if it
        does not support the buffer protocol; `BufferError` if it is not C-contiguous.
        """

    # strings
    def string_length(self, text: str, /) -> int:
        """Return the length of a text in bytes of UTF-8.

        Raises `TypeError` if ``text`` is not a ``str``; `ValueError` if it contains a NUL;
        `UnicodeEncodeError` if it contains a lone surrogate.
        """

    def string_borrow(self, index: SupportsIndex, /) -> str | None:
        """Return a copy of a text that the library owns, or None if there is none.

        ``index`` 0 gives 'borrowed', 1 a text that is not ASCII, 3 an empty text, and anything from
        4 on gives None.

        Raises `UnicodeDecodeError` if ``index`` is 2, the text that is not valid UTF-8;
        `OverflowError` if it does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
        """

    def string_repeat(self, text: str, times: SupportsIndex, /) -> str:
        """Return ``text`` repeated ``times`` times.

        The library allocates the result; it is freed after it was copied to the ``str``.

        Raises `MemoryError` if there is no memory for the result; `TypeError` if ``text`` is not a
        ``str`` or ``times`` has no ``__index__``; `ValueError` if ``text`` contains a NUL;
        `UnicodeEncodeError` if it contains a lone surrogate; `OverflowError` if ``times`` does not
        fit ``uint32_t``.
        """

    def label_get(self, index: SupportsIndex, /) -> str:
        """Return label number ``index`` without the spaces that pad it to 32 bytes.

        Raises `OverflowError` if ``index`` does not fit ``uint32_t``; `TypeError` if it has no
        ``__index__``.
        """

    def label_hash(self, text: str, /) -> int:
        """Return the 32-bit FNV-1a hash of a text that is padded with spaces to 32 bytes of UTF-8.

        A NUL in the text is hashed like any other byte.

        Raises `ValueError` 'label longer than 32 bytes' if the UTF-8 is longer; `TypeError` if
        ``text`` is not a ``str``; `UnicodeEncodeError` if it contains a lone surrogate.
        """

    # structs
    def Point(self, x: SupportsFloat, y: SupportsFloat, /) -> PointObject:
        """Return a new point, a C struct of two doubles with the attributes ``x`` and ``y``.

        ``Point`` is a class. Points with equal coordinates are equal. As a point can change, it has
        no hash.

        Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
        argument is text or ``float()`` does not take it.
        """

    def Box(self) -> BoxObject:
        """Return a new box, a C struct in memory that Python owns, with all fields zero."""

    def point_add(self, a: Any, b: Any, /) -> PointObject:
        """Return the component-wise sum of two points, which are passed to C by value.

        Raises `TypeError` if an argument is not a point that this module made.
        """

    def box_fill(self, box: Any, tag: SupportsIndex, /) -> None:
        """Set the fields of a box, which is passed to C by pointer.

        ``min`` becomes (tag, tag + 1), ``max`` becomes (tag + 2, tag + 4), ``tag`` becomes ``tag``.

        Raises `TypeError` if ``box`` is not a box that this module made or ``tag`` has no
        ``__index__``; `OverflowError` if ``tag`` does not fit ``uint32_t``.
        """

    def box_area(self, box: Any, /) -> float:
        """Return the area of a box, (max.x - min.x) * (max.y - min.y).

        Raises `TypeError` if ``box`` is not a box that this module made.
        """

    def box_unpack(self, box: Any, /) -> tuple[float, float, float, float, int]:
        """Return ``(min.x, min.y, max.x, max.y, tag)`` of a box, read without a native call.

        Raises `TypeError` if ``box`` is not a box that this module made.
        """

    # array of structs
    def attrs_digest(self, attrs: Sequence[tuple[int, Buffer]], /) -> int:
        """Return the 64-bit FNV-1a hash of a list or tuple of attributes ``(type, value)``.

        Each attribute is a tuple of an ``uint32_t`` and a buffer. The hash runs over the type, as 4
        bytes in little-endian order, and the bytes of the value.

        Raises `TypeError` if ``attrs`` is not a list or tuple of tuples of two, a type has no
        ``__index__``, or a value does not support the buffer protocol; `OverflowError` if a type
        does not fit ``uint32_t``; `BufferError` if a value is not C-contiguous.
        """

    def attrs_get(self, types: Sequence[int], /) -> list[tuple[int, bytes]]:
        """Return an attribute ``(type, value)`` for each type in a sequence.

        The value of type t has t modulo 64 bytes, each of them t modulo 256. One native call asks
        for all sizes, a second one fetches all values.

        Raises `LookupError` if a type is above 4096; `OverflowError` if it does not fit
        ``uint32_t``; `TypeError` if it has no ``__index__``, or ``types`` is not a sequence.
        """

    # opaque handle
    def Counter(self, start: SupportsIndex = 0, /) -> CounterObject:
        """A counter inside the library that starts at ``start``, which Python holds by a handle.

        ``Counter`` is a class. Its objects are context managers that close the counter. A counter
        that is still open is closed when the object is finalized.

        Raises `MemoryError` if 65,536 counters are open; `OverflowError` if ``start`` does not fit
        ``int64_t``; `TypeError` if it has no ``__index__``.
        """

    # function-pointer table
    def ops_add(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the sum of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

        Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
        ``__index__``.
        """

    def ops_multiply(self, a: SupportsIndex, b: SupportsIndex, /) -> int:
        """Return the product of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

        Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
        ``__index__``.
        """

    # callbacks
    def each_call(self, times: SupportsIndex, callback: Each, /) -> int:
        """Call ``callback`` with 0, 1, ... ``times`` - 1 from C and return the sum of its results.

        An exception that the callback raises is raised here, the same object; no further call is
        made.

        Raises `ValueError` if ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not
        fit ``uint32_t`` or a result does not fit ``int32_t``; `TypeError` if ``callback`` is not
        callable, or ``times`` or a result has no ``__index__``.
        """

    def thread_call(self, times: SupportsIndex, callback: Each, /) -> int:
        """Do what ``each_call`` does, on a thread that the library creates and joins.

        The GIL is released meanwhile and taken for each call of ``callback``. An exception that the
        callback raises is raised here, the same object; no further call is made.

        Raises `StatusError` ``CS_E_THREAD`` if no thread can be created; `ValueError` if ``times``
        is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a result does
        not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times`` or a result
        has no ``__index__``.
        """

    # errors
    def status_raise(self, status: SupportsIndex, /) -> None:
        """Raise the exception of a negative status of the library; return None for any other.

        Raises `MemoryError` for ``CS_E_MEMORY`` (-4); `ValueError` for ``CS_E_ARGUMENT`` (-100) and
        ``CS_E_CLOSED`` (-103); `LookupError` for ``CS_E_NOT_FOUND`` (-102); `StatusError` for any
        other negative status; `OverflowError` if ``status`` does not fit ``int32_t``; `TypeError`
        if it has no ``__index__``.
        """

    def errno_raise(self, error: SupportsIndex, /) -> None:
        """Raise the `OSError` of a value of ``errno``; return None for 0.

        Raises `OSError` with ``error`` and ``os.strerror(error)`` as its arguments, of the subclass
        that Python has for this value, for instance `FileNotFoundError`; `OverflowError` if
        ``error`` does not fit ``int32_t``; `TypeError` if it has no ``__index__``.
        """

    # enum, flags, union, bit-field
    def color_next(self, color: SupportsIndex, /) -> int:
        """Return the color that follows: red, green, blue, and red again.

        Colors are the constants ``COLOR_RED``, ``COLOR_GREEN`` and ``COLOR_BLUE``.

        Raises `ValueError` 'not a color' if ``color`` is none of these; `OverflowError` if it does
        not fit ``int32_t``; `TypeError` if it has no ``__index__``.
        """

    def flags_toggle(self, flags: SupportsIndex, mask: SupportsIndex, /) -> int:
        """Return ``flags`` with each flag of ``mask`` toggled, which is their exclusive or.

        Raises `ValueError` if an argument has a bit outside ``FLAG_ALL``; `OverflowError` if it
        does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
        """

    def variant_double(self, value: int | float | bytes, /) -> int | float | bytes:
        """Return twice a number, or eight bytes in reverse order.

        The Python type selects the member of a C union: an ``int`` (also a ``bool``) is an
        ``int64_t`` and is doubled modulo 2**64, a ``float`` is a ``double``, and ``bytes`` are an
        array of eight bytes. Objects of their subclasses are treated alike.

        Raises `ValueError` 'need 8 bytes' for bytes of another length; `OverflowError` for an
        integer that does not fit ``int64_t``; `TypeError` for any other type.
        """

    def bits_pack(self, mode: SupportsIndex, level: SupportsIndex, delta: SupportsIndex, flag: SupportsIndex, /) -> int:
        """Pack four numbers into the bit-fields of one word and return the word.

        From the lowest bit on: ``mode`` (0 to 7), ``level`` (0 to 31), ``delta`` (-8 to 7) and
        ``flag`` (0 or 1).

        Raises `OverflowError` if an argument does not fit its bit-field; `TypeError` if it has no
        ``__index__``.
        """

    def bits_unpack(self, word: SupportsIndex, /) -> tuple[int, int, int, int]:
        """Return the bit-fields ``(mode, level, delta, flag)`` of a word that ``bits_pack`` made.

        Bits above the four fields are ignored.

        Raises `OverflowError` if ``word`` does not fit ``uint32_t``; `TypeError` if it has no
        ``__index__``.
        """

    # varargs
    def varargs_sum(self, *values: SupportsIndex) -> int:
        """Return the sum of up to eight ``int64_t``, modulo 2**64, in two's complement.

        Raises `TypeError` if there are more than eight arguments or one has no ``__index__``;
        `OverflowError` if an argument does not fit ``int64_t``.
        """

    # constants
    CONST_INT: int
    """A decimal literal of C."""
    CONST_NEGATIVE: int
    """A negative literal of the C type ``long``."""
    CONST_HEX: int
    """A hexadecimal literal of the C type ``unsigned long long``."""
    CONST_CAST: int
    """A literal of C with a cast."""
    CONST_SHIFT: int
    """A shift expression of C."""
    CONST_EXPR: int
    """An expression of C that names another constant."""
    CONST_CHAR: int
    """The code of a character literal of C."""
    CONST_FLOAT: float
    """A floating-point literal of C."""
    CONST_STRING: str
    """A string literal of C, in UTF-8."""
    COLOR_RED: int
    """The first color."""
    COLOR_GREEN: int
    """The second color."""
    COLOR_BLUE: int
    """The third color."""
    FLAG_READ: int
    """The first flag, bit 0."""
    FLAG_WRITE: int
    """The second flag, bit 1."""
    FLAG_EXEC: int
    """The third flag, bit 2."""
    FLAG_ALL: int
    """All three flags."""
    CONFIG_NBYTES: int
    """The size of the struct of ``config_read`` in version 2, in bytes."""
    CONFIG_V1_NBYTES: int
    """The size of the struct of ``config_read`` in version 1, in bytes."""

    def const_text(self, name: str, /) -> str | None:
        """Return the value of a constant as the library was compiled with it, as text.

        ``name`` is the name in C: 'CS_CONST_INT' gives '42'. An unknown name gives None.

        Raises `TypeError` if ``name`` is not a ``str``; `ValueError` if it contains a NUL;
        `UnicodeEncodeError` if it contains a lone surrogate.
        """

    # macro-only and static-inline functions
    def macro_clamp(self, x: SupportsIndex, lo: SupportsIndex, hi: SupportsIndex, /) -> int:
        """Return ``x`` limited to the range from ``lo`` to ``hi``, by a macro, on ``int32_t``.

        If ``lo`` is above ``hi``, an ``x`` below ``lo`` gives ``lo`` and any other ``x`` gives
        ``hi`` where it is above ``hi``.

        Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
        ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
        """

    def inline_rotl(self, value: SupportsIndex, bits: SupportsIndex, /) -> int:
        """Return a ``uint32_t`` rotated left by ``bits`` modulo 32, by an inline function.

        Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
        ``__index__``; `NotImplementedError` without the feature ``macros-and-inlines``.
        """

    # GIL held and released
    def spin_held(self, iterations: SupportsIndex, /) -> int:
        """Compute ``iterations`` steps of xorshift64 while the GIL is held; return the final state.

        Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
        ``__index__``; `NotImplementedError` without the feature ``gil-held``.
        """

    def spin_released(self, iterations: SupportsIndex, /) -> int:
        """Compute ``iterations`` steps of xorshift64 with the GIL released; return the final state.

        Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
        ``__index__``; `NotImplementedError` without the feature ``gil-released``.
        """

    # global and thread-local state
    def state_init(self, seed: SupportsIndex, /) -> None:
        """Start the number generator of the process at ``seed``.

        Raises `StatusError` ``CS_E_STATE`` if it is already running; `OverflowError` if ``seed``
        does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
        """

    def state_next(self) -> int:
        """Return the next number of the generator: its seed, seed + 1, ..., modulo 2**64.

        Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
        """

    def state_fini(self) -> None:
        """Stop the number generator of the process, which may be started again.

        Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
        """

    def tls_set(self, value: SupportsIndex, /) -> None:
        """Set the number that the library keeps for the calling thread.

        Raises `OverflowError` if ``value`` does not fit ``int64_t``; `TypeError` if it has no
        ``__index__``.
        """

    def tls_get(self) -> int:
        """Return the number that the library keeps for the calling thread; 0 in a new thread."""

    # struct with a size field
    def config_read(
        self,
        retries: SupportsIndex,
        timeout_s: SupportsFloat,
        flags: SupportsIndex,
        struct_nbytes: SupportsIndex,
        /,
    ) -> tuple[int, int, float, int]:
        """Pass a struct that states its own size to the library and return what it understood.

        ``struct_nbytes`` is the size that the struct states: ``CONFIG_NBYTES`` for version 2, or
        ``CONFIG_V1_NBYTES`` for version 1, which has no ``flags``. The result is ``(version,
        retries, timeout_s, flags)``, with ``flags`` 0 for version 1.

        Raises `StatusError` ``CS_E_VERSION`` for any other size; `OverflowError` if ``retries`` or
        ``flags`` does not fit ``uint32_t``, ``struct_nbytes`` does not fit ``size_t``, or
        ``timeout_s`` is an integer too large for a Python float; `TypeError` if an integer argument
        has no ``__index__``, or ``timeout_s`` is text or ``float()`` does not take it.
        """

    # trace
    def trace_enable(self, on: object, /) -> None:
        """Switch the trace on or off for the whole process, by the truth value of ``on``."""

    def trace_enabled(self) -> bool:
        """Return whether the trace is on."""

    def trace_reset(self) -> None:
        """Set everything that the trace has counted to zero, for all threads."""

    def trace_count(self) -> int:
        """Return the number of functions that the trace counts; their indices start at 0."""

    def trace_name(self, index: SupportsIndex, /) -> str | None:
        """Return the C name of a function that the trace counts, or None past the last one.

        Raises `OverflowError` if ``index`` does not fit ``size_t``; `TypeError` if it has no
        ``__index__``.
        """

    def trace_read(self, index: SupportsIndex, /) -> TraceRecord:
        """Return what the trace counted of one function, summed over all threads.

        Raises `LookupError` if ``index`` is past the last function; `OverflowError` if it does not
        fit ``size_t``; `TypeError` if it has no ``__index__``.
        """

    @property
    def StatusError(self) -> type[Exception]:
        """The exception for a status of the library for which Python has none of its own.

        Its instances have the attributes ``status``, a negative number, and ``name``, for instance
        'CS_E_BUSY'.
        """
