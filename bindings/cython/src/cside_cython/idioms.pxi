# SPDX-License-Identifier: Apache-2.0
# The catalogue of idioms: scalars, buffers, text, enumerations, constants, state. Structs and callbacks stand apart.

from cpython.exc cimport PyErr_SetFromErrno


# ---- scalars of each width --------------------------------------------------------------------------

def i8_add(a, b, /):
    """Sum of two int8_t, modulo 2**8."""
    return cs_i8_add(as_i8(a), as_i8(b))


def u8_add(a, b, /):
    """Sum of two uint8_t, modulo 2**8."""
    return cs_u8_add(as_u8(a), as_u8(b))


def i16_add(a, b, /):
    """Sum of two int16_t, modulo 2**16."""
    return cs_i16_add(as_i16(a), as_i16(b))


def u16_add(a, b, /):
    """Sum of two uint16_t, modulo 2**16."""
    return cs_u16_add(as_u16(a), as_u16(b))


def u32_add(a, b, /):
    """Sum of two uint32_t, modulo 2**32."""
    return cs_u32_add(as_u32(a), as_u32(b))


def i64_add(a, b, /):
    """Sum of two int64_t, modulo 2**64."""
    return cs_i64_add(as_i64(a), as_i64(b))


def u64_add(a, b, /):
    """Sum of two uint64_t, modulo 2**64."""
    return cs_u64_add(as_u64(a), as_u64(b))


def f32_add(float a, float b, /):
    """Sum in single precision."""
    return cs_f32_add(a, b)


def bool_not(bint value, /):
    """Negated truth value."""
    return cs_bool_not(value)


# ---- outputs of unknown size ------------------------------------------------------------------------

def blob_get(number, /):
    """A blob of that many bytes, by a size query and a second call."""
    cdef uint32_t position = as_u32(number)
    cdef size_t nbytes = 0
    check(cs_blob_get(position, NULL, &nbytes))
    blob = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>nbytes)
    check(cs_blob_get(position, <uint8_t *>PyBytes_AS_STRING(blob), &nbytes))
    return blob


def runs_expand(data, /):
    """Expand (count, byte) pairs, growing the room from 256 bytes until they fit."""
    cdef Input source
    cdef cs_status status
    cdef size_t nbytes = 0
    cdef Py_ssize_t room = CS_RUNS_FIRST_NBYTES
    cdef PyObject *out = NULL
    open_input(data, &source)
    try:
        while True:
            out = allocate(room)
            status = cs_runs_expand(source.data, source.nbytes, <uint8_t *>bytes_data(out), <size_t>room, &nbytes)
            if status != CS_E_TOO_SMALL:
                break
            Py_XDECREF(out)
            out = NULL
            room *= 2
        check(status)
        resize_bytes(&out, <Py_ssize_t>nbytes)
        return <object>out
    finally:
        Py_XDECREF(out)
        close_input(&source)


# ---- strings ----------------------------------------------------------------------------------------

def string_borrow(number, /):
    """A text that the library keeps, or None."""
    return text_or_none(cs_string_borrow(as_u32(number)))


def string_repeat(text, times, /):
    """A text repeated, allocated by the library and freed here."""
    cdef const char *data = utf8_without_nul(text)
    cdef char *repeated = NULL
    check(cs_string_repeat(data, as_u32(times), &repeated))
    try:
        return text_or_none(repeated)
    finally:
        cs_string_free(repeated)


def label_hash(text, /):
    """Hash of a text in its field padded with spaces."""
    cdef char label[CS_LABEL_NBYTES]
    cdef Py_ssize_t nbytes
    cdef const char *data = utf8(text, &nbytes)
    if nbytes > CS_LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    memset(label, c' ', CS_LABEL_NBYTES)
    memcpy(label, data, <size_t>nbytes)
    return PyLong_FromUnsignedLong(cs_label_hash(label))


# ---- errors -----------------------------------------------------------------------------------------

def status_raise(status, /):
    """Raise what a status stands for; zero and positive ones return None."""
    check(cs_status_return(as_i32(status)))


def errno_raise(error, /):
    """Raise OSError for an errno; 0 returns None."""
    if cs_errno_fail(as_i32(error)) != 0:
        PyErr_SetFromErrno(OSError)


# ---- enum, flags, union, bit-field ------------------------------------------------------------------

def color_next(color, /):
    """The color that follows."""
    cdef int32_t number = as_i32(color)
    cdef cs_color following = cs_color_next(<cs_color>number)
    if following == CS_COLOR_INVALID:
        raise ValueError("not a color")
    return <int32_t>following


def flags_toggle(flags, mask, /):
    """Exclusive or of two sets of flags."""
    cdef uint32_t result = 0
    check(cs_flags_toggle(as_u32(flags), as_u32(mask), &result))
    return result


def variant_double(value, /):
    """Twice an int or a float, or eight bytes reversed."""
    cdef cs_variant variant
    if isinstance(value, int):
        variant.kind = CS_VARIANT_INTEGER
        variant.value.integer = value
        check(cs_variant_double(&variant))
        return variant.value.integer
    if isinstance(value, float):
        variant.kind = CS_VARIANT_REAL
        variant.value.real = value
        check(cs_variant_double(&variant))
        return variant.value.real
    if isinstance(value, bytes):
        if PyBytes_GET_SIZE(value) != 8:
            raise ValueError("need 8 bytes")
        variant.kind = CS_VARIANT_BYTES
        memcpy(variant.value.bytes, PyBytes_AS_STRING(value), 8)
        check(cs_variant_double(&variant))
        return PyBytes_FromStringAndSize(<char *>variant.value.bytes, 8)
    raise TypeError(f"int, float or bytes required, not '{type(value).__name__}'")


cdef inline int32_t bit_field(object value, int32_t low, int32_t high) except? -2147483648:
    cdef int32_t number = as_i32(value)
    if number < low or number > high:
        raise OverflowError(f"bit-field takes {low} to {high}")
    return number


def bits_pack(mode, level, delta, flag, /):
    """Four bit-fields in one number."""
    cdef cs_bits bits
    bits.mode = <unsigned int>bit_field(mode, 0, 7)
    bits.level = <unsigned int>bit_field(level, 0, 31)
    bits.delta = bit_field(delta, -8, 7)
    bits.flag = <unsigned int>bit_field(flag, 0, 1)
    return cs_bits_pack(&bits)


def bits_unpack(word, /):
    """The bit-fields of a number."""
    cdef cs_bits bits
    cs_bits_unpack(as_u32(word), &bits)
    return bits.mode, bits.level, bits.delta, bits.flag


# ---- varargs ----------------------------------------------------------------------------------------

cdef object NO_VALUE = object()


# Written out rather than as *values, for which Cython makes a tuple.
@cython.embedsignature(False)
def varargs_sum(a=NO_VALUE, b=NO_VALUE, c=NO_VALUE, d=NO_VALUE, e=NO_VALUE, f=NO_VALUE, g=NO_VALUE, h=NO_VALUE, /):
    """varargs_sum(*values)
--

Sum of up to eight int64_t, modulo 2**64, by a variadic C function."""
    cdef int64_t v[8]
    # The number of arguments of a C call is fixed where it is compiled.
    if a is NO_VALUE:
        return cs_varargs_sum(0)
    v[0] = as_i64(a)
    if b is NO_VALUE:
        return cs_varargs_sum(1, v[0])
    v[1] = as_i64(b)
    if c is NO_VALUE:
        return cs_varargs_sum(2, v[0], v[1])
    v[2] = as_i64(c)
    if d is NO_VALUE:
        return cs_varargs_sum(3, v[0], v[1], v[2])
    v[3] = as_i64(d)
    if e is NO_VALUE:
        return cs_varargs_sum(4, v[0], v[1], v[2], v[3])
    v[4] = as_i64(e)
    if f is NO_VALUE:
        return cs_varargs_sum(5, v[0], v[1], v[2], v[3], v[4])
    v[5] = as_i64(f)
    if g is NO_VALUE:
        return cs_varargs_sum(6, v[0], v[1], v[2], v[3], v[4], v[5])
    v[6] = as_i64(g)
    if h is NO_VALUE:
        return cs_varargs_sum(7, v[0], v[1], v[2], v[3], v[4], v[5], v[6])
    return cs_varargs_sum(8, v[0], v[1], v[2], v[3], v[4], v[5], v[6], as_i64(h))


# ---- constants, macros and inline functions ---------------------------------------------------------

CONST_INT = CS_CONST_INT
CONST_NEGATIVE = CS_CONST_NEGATIVE
CONST_HEX = CS_CONST_HEX
CONST_CAST = CS_CONST_CAST
CONST_SHIFT = CS_CONST_SHIFT
CONST_EXPR = CS_CONST_EXPR
CONST_CHAR = CS_CONST_CHAR
CONST_FLOAT = CS_CONST_FLOAT
CONST_STRING = CS_CONST_STRING.decode()
COLOR_RED = <int32_t>CS_COLOR_RED
COLOR_GREEN = <int32_t>CS_COLOR_GREEN
COLOR_BLUE = <int32_t>CS_COLOR_BLUE
FLAG_READ = CS_FLAG_READ
FLAG_WRITE = CS_FLAG_WRITE
FLAG_EXEC = CS_FLAG_EXEC
FLAG_ALL = CS_FLAG_ALL
CONFIG_NBYTES = CS_CONFIG_NBYTES
CONFIG_V1_NBYTES = CS_CONFIG_V1_NBYTES


def const_text(name, /):
    """What the library itself says a constant is."""
    return text_or_none(cs_const_text(utf8_without_nul(name)))


def macro_clamp(x, lo, hi, /):
    """Limit an int32_t, by a macro."""
    cdef int32_t number = as_i32(x), low = as_i32(lo), high = as_i32(hi)
    return <int32_t>CS_MACRO_CLAMP(number, low, high)


def inline_rotl(value, bits, /):
    """Rotate a uint32_t left, by an inline function."""
    return cs_inline_rotl(as_u32(value), as_u32(bits))


# ---- GIL held and released --------------------------------------------------------------------------

def spin_held(iterations, /):
    """Compute with the GIL held."""
    return cs_spin(as_u64(iterations))


def spin_released(iterations, /):
    """Compute with the GIL released."""
    cdef uint64_t count = as_u64(iterations), result
    with nogil:
        result = cs_spin(count)
    return result


# ---- global and thread-local state ------------------------------------------------------------------

def state_init(seed, /):
    """Start the process-wide generator."""
    check(cs_state_init(as_i64(seed)))


def state_next():
    """The next number of the process-wide generator."""
    cdef int64_t value = 0
    check(cs_state_next(&value))
    return value


def state_fini():
    """Stop the process-wide generator."""
    check(cs_state_fini())


def tls_set(value, /):
    """Set the number of the calling thread."""
    cs_tls_set(as_i64(value))


def tls_get():
    """The number of the calling thread."""
    return cs_tls_get()
