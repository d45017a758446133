# SPDX-License-Identifier: Apache-2.0
"""Declarations of cside/idioms.h."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from .cside_status cimport cs_status


cdef extern from "cside/idioms.h" nogil:
    void cs_noop()

    int8_t cs_i8_add(int8_t a, int8_t b)
    uint8_t cs_u8_add(uint8_t a, uint8_t b)
    int16_t cs_i16_add(int16_t a, int16_t b)
    uint16_t cs_u16_add(uint16_t a, uint16_t b)
    int32_t cs_i32_add(int32_t a, int32_t b)
    uint32_t cs_u32_add(uint32_t a, uint32_t b)
    int64_t cs_i64_add(int64_t a, int64_t b)
    uint64_t cs_u64_add(uint64_t a, uint64_t b)
    float cs_f32_add(float a, float b)
    double cs_f64_add(double a, double b)
    bint cs_bool_not(bint value)
    double cs_mixed_sum(int32_t a, uint64_t b, double c, bint d, int8_t e, float f)

    uint32_t cs_bytes_sum(const uint8_t *data, size_t data_nbytes)
    void cs_buffer_fill(uint8_t *out, size_t out_nbytes, uint8_t value)

    cs_status cs_blob_get(uint32_t index, uint8_t *out, size_t *inout_nbytes)
    enum:
        CS_RUNS_FIRST_NBYTES
    cs_status cs_runs_expand(const uint8_t *data, size_t data_nbytes, uint8_t *out, size_t out_capacity,
                             size_t *out_nbytes)

    size_t cs_string_length(const char *text)
    const char *cs_string_borrow(uint32_t index)
    cs_status cs_string_repeat(const char *text, uint32_t times, char **out_text)
    void cs_string_free(char *text)
    enum:
        CS_LABEL_NBYTES
    void cs_label_get(uint32_t index, char *out)
    uint32_t cs_label_hash(const char *label)

    ctypedef struct cs_point:
        double x
        double y

    ctypedef struct cs_box:
        cs_point min
        cs_point max
        uint32_t tag

    ctypedef struct cs_attr:
        uint32_t type
        void *value
        size_t value_nbytes

    cs_point cs_point_add(cs_point a, cs_point b)
    void cs_box_fill(cs_box *box, uint32_t tag)
    double cs_box_area(const cs_box *box)
    uint64_t cs_attrs_digest(const cs_attr *attrs, size_t count)
    cs_status cs_attrs_get(cs_attr *attrs, size_t count)

    ctypedef uint64_t cs_counter
    cs_status cs_counter_open(int64_t start, cs_counter *out_counter)
    cs_status cs_counter_add(cs_counter counter, int64_t n, int64_t *out_total)
    cs_status cs_counter_close(cs_counter counter)

    ctypedef struct cs_ops:
        uint32_t version
        int32_t (*add)(int32_t a, int32_t b) noexcept nogil
        int32_t (*multiply)(int32_t a, int32_t b) noexcept nogil
    const cs_ops *cs_ops_get()

    const int64_t CS_EACH_STOP
    # Without `nogil`, because cs_each_call() calls it on the caller's thread, which holds the GIL.
    ctypedef int64_t (*cs_each_fn)(void *user, int32_t value) noexcept
    cs_status cs_each_call(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum)
    cs_status cs_counter_each(cs_counter counter, uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum)
    cs_status cs_thread_call(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum)

    cs_status cs_status_return(cs_status status)
    int32_t cs_errno_fail(int32_t error)

    ctypedef enum cs_color:
        CS_COLOR_INVALID
        CS_COLOR_RED
        CS_COLOR_GREEN
        CS_COLOR_BLUE
    cs_color cs_color_next(cs_color color)

    enum:
        CS_FLAG_READ
        CS_FLAG_WRITE
        CS_FLAG_EXEC
        CS_FLAG_ALL
    cs_status cs_flags_toggle(uint32_t flags, uint32_t mask, uint32_t *out_flags)

    enum:
        CS_VARIANT_INTEGER
        CS_VARIANT_REAL
        CS_VARIANT_BYTES

    # The union has no name in C. Cython does not use this one in the code that it generates.
    ctypedef union cs_variant_value:
        int64_t integer
        double real
        uint8_t bytes[8]

    ctypedef struct cs_variant:
        uint32_t kind
        cs_variant_value value "as"
    cs_status cs_variant_double(cs_variant *variant)

    ctypedef struct cs_bits:
        unsigned int mode
        unsigned int level
        int delta
        unsigned int flag
    uint32_t cs_bits_pack(const cs_bits *bits)
    void cs_bits_unpack(uint32_t word, cs_bits *out_bits)

    enum:
        CS_VARARGS_MAX
    int64_t cs_varargs_sum(uint32_t count, ...)

    # Each constant is declared with the C type of its macro, so that Python gets the same value as C.
    const int CS_CONST_INT
    const long CS_CONST_NEGATIVE
    const uint64_t CS_CONST_HEX
    const uint32_t CS_CONST_CAST
    const unsigned long CS_CONST_SHIFT
    const unsigned long CS_CONST_EXPR
    const int CS_CONST_CHAR
    const double CS_CONST_FLOAT
    const char *CS_CONST_STRING
    const char *cs_const_text(const char *name)

    int32_t CS_MACRO_CLAMP(int32_t x, int32_t lo, int32_t hi)
    uint32_t cs_inline_rotl(uint32_t value, uint32_t bits)

    uint64_t cs_spin(uint64_t iterations)

    cs_status cs_state_init(int64_t seed)
    cs_status cs_state_next(int64_t *out_value)
    cs_status cs_state_fini()
    void cs_tls_set(int64_t value)
    int64_t cs_tls_get()

    ctypedef struct cs_config:
        size_t struct_nbytes
        uint32_t retries
        double timeout_s
        uint32_t flags

    ctypedef struct cs_config_view:
        uint32_t version
        uint32_t retries
        double timeout_s
        uint32_t flags
    const size_t CS_CONFIG_V1_NBYTES
    const size_t CS_CONFIG_NBYTES
    cs_status cs_config_read(const cs_config *config, cs_config_view *out_view)
