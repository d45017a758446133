/* SPDX-License-Identifier: Apache-2.0
 *
 * cside/idioms.h - the catalogue of what C interfaces require of a language binding.
 *
 * Each idiom is one function or two, of a few lines each. The functions do almost no work, so a measurement shows the
 * cost of the call from Python into C. Every comment ends with "Binding:", which says what the idiom requires of a
 * binding. The Python name of a function is its C name without the prefix `cs_`, unless the comment gives another.
 *
 * The sections below are called as the source files are: section "text" is implemented in src/idioms_text.c, and each
 * binding and the conformance suite have a file of the same stem.
 */
#ifndef CSIDE_IDIOMS_H
#define CSIDE_IDIOMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cside/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scalars ------------------------------------------------------------------------------------ */

/** Do nothing. Binding: this is the cost of a call alone. */
CS_API void cs_noop(void);

/** Sum modulo 2^N, where N is the width; a signed result is in two's complement.
 *  Binding: refuse an argument that is no integer, and one that does not fit the width at either end. */
CS_API int8_t cs_i8_add(int8_t a, int8_t b);
CS_API uint8_t cs_u8_add(uint8_t a, uint8_t b);
CS_API int16_t cs_i16_add(int16_t a, int16_t b);
CS_API uint16_t cs_u16_add(uint16_t a, uint16_t b);
CS_API int32_t cs_i32_add(int32_t a, int32_t b);
CS_API uint32_t cs_u32_add(uint32_t a, uint32_t b);
CS_API int64_t cs_i64_add(int64_t a, int64_t b);
CS_API uint64_t cs_u64_add(uint64_t a, uint64_t b);

/** IEEE 754 sum.
 *  Binding: convert from Python's float, which is a double; the conversion to float rounds to nearest, and a value that
 *  is too large becomes infinity. */
CS_API float cs_f32_add(float a, float b);
CS_API double cs_f64_add(double a, double b);

/** Logical negation. Binding: take the truth value of any object. */
CS_API bool cs_bool_not(bool value);

/** a + b + c + (d ? 1 : 0) + e + f, in double. Binding: convert six arguments of different types in one call. */
CS_API double cs_mixed_sum(int32_t a, uint64_t b, double c, bool d, int8_t e, float f);

#define CS_VARARGS_MAX 8

/** Sum modulo 2^64 of `count` arguments of type int64_t. Not a status.
 *  Binding: call a variadic function; accept at most CS_VARARGS_MAX arguments. */
CS_API int64_t cs_varargs_sum(uint32_t count, ...);

/* ---- buffers ------------------------------------------------------------------------------------ */

/** Sum of all bytes modulo 2^32. Binding: accept any contiguous buffer and read it without copying. */
CS_API uint32_t cs_bytes_sum(const uint8_t *data, size_t data_nbytes);

/** Set each of `out_nbytes` bytes to `value`. Binding: accept a writable contiguous buffer and fill it in place. */
CS_API void cs_buffer_fill(uint8_t *out, size_t out_nbytes, uint8_t value);

#define CS_BLOB_MAX_NBYTES 1048576

/** Write blob number `index`: `index` bytes, of which byte i is (i * 7 + index) modulo 256.
 *  With `out` NULL the call succeeds and sets *inout_nbytes to the size. Otherwise *inout_nbytes is the size of `out`
 *  on entry and the size of the blob on return.
 *  CS_E_TOO_SMALL: `out` is too small; *inout_nbytes is set to the size that is needed, and nothing is written.
 *  CS_E_NOT_FOUND: index > CS_BLOB_MAX_NBYTES.
 *  Binding: ask for the size, allocate exactly that, call again: always two calls. */
CS_API cs_status cs_blob_get(uint32_t index, uint8_t *out, size_t *inout_nbytes);

#define CS_RUNS_FIRST_NBYTES 256

/** Expand run-length pairs (count, byte) into `out`. The size of the output is not known before it is made.
 *  CS_E_TOO_SMALL: `out_capacity` bytes are not enough; the contents of `out` are unspecified, *out_nbytes is kept.
 *  CS_E_DATA: `data_nbytes` is odd.
 *  Binding: begin with CS_RUNS_FIRST_NBYTES of room; on CS_E_TOO_SMALL double it and call again. */
CS_API cs_status cs_runs_expand(const uint8_t *data, size_t data_nbytes, uint8_t *out, size_t out_capacity,
                                size_t *out_nbytes);

/* ---- text --------------------------------------------------------------------------------------- */

/** Number of bytes before the NUL. `text` must not be NULL.
 *  Binding: encode to UTF-8; refuse a text that contains NUL, because C would read only the part before it. */
CS_API size_t cs_string_length(const char *text);

/** A string that the library owns and never frees: 0 is "borrowed", 1 is non-ASCII UTF-8, 2 is not valid UTF-8,
 *  3 is empty; NULL for any other index. Not a status. Binding: decode and do not free; NULL becomes None. */
CS_API const char *cs_string_borrow(uint32_t index);

/** Allocate a new string, `text` repeated `times` times. The caller frees *out_text with cs_string_free().
 *  CS_E_MEMORY: there is no memory, or the length overflows.
 *  Binding: copy the string, then free it, also where the copy fails. */
CS_API cs_status cs_string_repeat(const char *text, uint32_t times, char **out_text);

/** Free a string of cs_string_repeat(); NULL is a no-op.
 *  Binding: call it for each string that the library allocated (no name in Python). */
CS_API void cs_string_free(char *text);

#define CS_LABEL_NBYTES 32

/** Write label `index` ("label <index>" in UTF-8), padded with spaces to 32 bytes, without a NUL.
 *  Binding: strip the padding on the right, then decode. */
CS_API void cs_label_get(uint32_t index, char out[CS_LABEL_NBYTES]);

/** FNV-1a (32 bits) of exactly 32 bytes.
 *  Binding: encode and pad with spaces to 32 bytes; refuse a longer text instead of cutting it. */
CS_API uint32_t cs_label_hash(const char label[CS_LABEL_NBYTES]);

/* ---- structs ------------------------------------------------------------------------------------ */

typedef struct cs_point {
    double x, y;
} cs_point;

/** Component-wise sum. Binding: pass and return structs by value. */
CS_API cs_point cs_point_add(cs_point a, cs_point b);

typedef struct cs_box {
    cs_point min, max;
    uint32_t tag;
} cs_box;

/** Fill a box that the caller allocated: min = (tag, tag + 1), max = (tag + 2, tag + 4), tag = tag.
 *  `box` must not be NULL. Binding: allocate the struct in memory that Python owns, and pass its address. */
CS_API void cs_box_fill(cs_box *box, uint32_t tag);

/** (max.x - min.x) * (max.y - min.y). `box` must not be NULL. Binding: pass a struct that contains structs. */
CS_API double cs_box_area(const cs_box *box);

typedef struct cs_config {
    size_t struct_nbytes; /**< set by the caller to the size that it was compiled with */
    uint32_t retries;
    double timeout_s;
    uint32_t flags; /**< since version 2 */
} cs_config;

/** Size of the struct of version 1, which ended before `flags`. */
#define CS_CONFIG_V1_NBYTES offsetof(cs_config, flags)
#define CS_CONFIG_NBYTES sizeof(cs_config)

typedef struct cs_config_view {
    uint32_t version; /**< 1 or 2 */
    uint32_t retries;
    double timeout_s;
    uint32_t flags; /**< 0 for version 1 */
} cs_config_view;

/** Report what the library read from `config`, whose version follows from struct_nbytes. Nothing after the first
 *  struct_nbytes bytes is read. CS_E_VERSION: struct_nbytes is the size of neither version.
 *  Binding: set struct_nbytes to the size in the header that the binding was compiled with. */
CS_API cs_status cs_config_read(const cs_config *config, cs_config_view *out_view);

/* ---- arrays ------------------------------------------------------------------------------------- */

typedef struct cs_attr {
    uint32_t type;
    void *value;         /**< the caller's memory, may be NULL */
    size_t value_nbytes; /**< in: size or room of `value`; out: size of the value */
} cs_attr;

/** FNV-1a (64 bits) over every attribute's type (4 bytes, little-endian) and value, in order.
 *  Binding: build an array of structs that point into the memory of other objects, and keep those objects alive. */
CS_API uint64_t cs_attrs_digest(const cs_attr *attrs, size_t count);

#define CS_ATTR_MAX_TYPE 4096

/** Write attribute values by type, as C_GetAttributeValue of PKCS #11 does. The value of type t has t modulo 64
 *  bytes, each equal to t modulo 256. Where `value` is NULL, value_nbytes is set to the size.
 *  CS_E_NOT_FOUND: a type is above CS_ATTR_MAX_TYPE (checked first). CS_E_TOO_SMALL: an entry has too little room.
 *  Binding: one call for the sizes, one for the values: always two calls. */
CS_API cs_status cs_attrs_get(cs_attr *attrs, size_t count);

/* ---- callbacks ---------------------------------------------------------------------------------- */

typedef struct cs_ops {
    uint32_t version;
    int32_t (*add)(int32_t a, int32_t b);
    int32_t (*multiply)(int32_t a, int32_t b);
} cs_ops;

/** The library's table of functions, which is never freed. Not a status, never NULL. Results are modulo 2^32.
 *  Binding: fetch the table once and call through its pointers (Python: ops_add, ops_multiply). */
CS_API const cs_ops *cs_ops_get(void);

/** Returned by a cs_each_fn to stop. */
#define CS_EACH_STOP INT64_MIN

/** Called with the caller's `user` and the position, which counts from 0. It returns a number in the range of int32_t,
 *  or CS_EACH_STOP. */
typedef int64_t (*cs_each_fn)(void *user, int32_t value);

/** Call `fn` `times` times and sum its results. CS_E_ABORTED: it returned CS_EACH_STOP. CS_E_ARGUMENT: fn is NULL, or
 *  times > INT32_MAX.
 *  Binding: pass a C function pointer that calls a Python callable; an exception of the callable is raised, unchanged,
 *  from this call. */
CS_API cs_status cs_each_call(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum);

/** As cs_each_call(), from a thread that the library creates and joins. CS_E_THREAD: none could be created.
 *  Binding: run Python code on a thread that the interpreter did not create. */
CS_API cs_status cs_thread_call(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum);

/* ---- handles ------------------------------------------------------------------------------------ */

/** A handle: an opaque number, never 0. A number is used again only after 2^32 openings of its slot, so that use after
 *  close is detected and never reads freed memory. A child of fork() has copies of the parent's counters. There they
 *  are busy with the calls of the thread that called fork() only. */
typedef uint64_t cs_counter;

/** Open a counter that starts at `start`. CS_E_MEMORY: 65,536 counters are open already.
 *  Binding: an object owns the handle and closes it when it is destroyed (Python: Counter). */
CS_API cs_status cs_counter_open(int64_t start, cs_counter *out_counter);

/** Add `n` (modulo 2^64, as cs_i64_add) and give the new total. CS_E_CLOSED.
 *  Binding: use after close is an exception. */
CS_API cs_status cs_counter_add(cs_counter counter, int64_t n, int64_t *out_total);

/** Close. CS_E_CLOSED: it is closed already. CS_E_BUSY: cs_counter_each() of this counter is running; it stays open.
 *  Binding: close twice without an error; pass on that the counter is busy. */
CS_API cs_status cs_counter_close(cs_counter counter);

/** As cs_each_call(), while the counter is marked busy. The callback is given the counter's total modulo 2^31 in place
 *  of the position. The counter is not changed. CS_E_CLOSED.
 *  Binding: the callback may call methods of the counter that it was called from. */
CS_API cs_status cs_counter_each(cs_counter counter, uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum);

/* ---- errors ------------------------------------------------------------------------------------- */

/** Return `status` itself. Binding: turn a status into an exception (Python: status_raise). */
CS_API cs_status cs_status_return(cs_status status);

/** Set errno to `error` and return -1, or return 0 and do not change errno where `error` is 0. Not a status.
 *  Binding: read errno before any other call can change it (Python: errno_raise). */
CS_API int32_t cs_errno_fail(int32_t error);

/* ---- values ------------------------------------------------------------------------------------- */

typedef enum cs_color { CS_COLOR_INVALID = -1, CS_COLOR_RED = 0, CS_COLOR_GREEN = 1, CS_COLOR_BLUE = 2 } cs_color;

/** The next color; BLUE is followed by RED. CS_COLOR_INVALID if `color` is none of the three.
 *  Binding: convert an enumeration, and accept a number that is none of its values. */
CS_API cs_color cs_color_next(cs_color color);

#define CS_FLAG_READ (1u << 0)
#define CS_FLAG_WRITE (1u << 1)
#define CS_FLAG_EXEC (1u << 2)
#define CS_FLAG_ALL (CS_FLAG_READ | CS_FLAG_WRITE | CS_FLAG_EXEC)

/** flags XOR mask. CS_E_ARGUMENT: one of the two has a bit outside CS_FLAG_ALL. Binding: convert a set of flags. */
CS_API cs_status cs_flags_toggle(uint32_t flags, uint32_t mask, uint32_t *out_flags);

enum { CS_VARIANT_INTEGER = 1, CS_VARIANT_REAL = 2, CS_VARIANT_BYTES = 3 };

typedef struct cs_variant {
    uint32_t kind;
    union {
        int64_t integer;
        double real;
        uint8_t bytes[8];
    } as;
} cs_variant;

/** Double the integer (modulo 2^64) or the real, or reverse the eight bytes, in place. CS_E_ARGUMENT: unknown kind.
 *  Binding: convert a tagged union, of which one member is valid at a time. */
CS_API cs_status cs_variant_double(cs_variant *variant);

typedef struct cs_bits {
    unsigned mode : 3;
    unsigned level : 5;
    signed delta : 4;
    unsigned flag : 1;
} cs_bits;

/** mode | level << 3 | (delta & 15) << 8 | flag << 12. Binding: convert fields that are narrower than any C type. */
CS_API uint32_t cs_bits_pack(const cs_bits *bits);

/** The inverse of cs_bits_pack(); bits of `word` above 12 are ignored. Binding: as cs_bits_pack(). */
CS_API void cs_bits_unpack(uint32_t word, cs_bits *out_bits);

#define CS_CONST_INT 42
#define CS_CONST_NEGATIVE (-7L)
#define CS_CONST_HEX 0xFFFFFFFFFFFFFFFFull
#define CS_CONST_CAST ((uint32_t)-1)
#define CS_CONST_SHIFT (1UL << 31)
#define CS_CONST_EXPR (CS_CONST_SHIFT | 3)
#define CS_CONST_CHAR 'c'
#define CS_CONST_FLOAT 2.5
#define CS_CONST_STRING "cside \xC3\xA9"

/** Value of the constant of that name ("CS_CONST_INT") as text (C locale, integers in decimal, the float as "2.5"),
 *  as the library was compiled; NULL if the name is unknown. Not a status. A binding that copied constants by hand can
 *  be checked with it.
 *  Binding: offer names that only the preprocessor knows (Python: module attributes CONST_INT, …). */
CS_API const char *cs_const_text(const char *name);

/** `x` limited to [lo, hi]. Binding: offer a macro, which has no symbol (Python: macro_clamp, on int32_t). */
#define CS_MACRO_CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))

/** `value` rotated left by `bits` modulo 32.
 *  Binding: offer a static inline function, which has no symbol either (Python: inline_rotl). */
static inline uint32_t cs_inline_rotl(uint32_t value, uint32_t bits)
{
    bits &= 31u;
    return bits == 0u ? value : (value << bits) | (value >> (32u - bits));
}

/* ---- threads ------------------------------------------------------------------------------------ */

/** Make `iterations` steps of xorshift64 from a fixed seed and return the last state. Not a status. A step is six
 *  operations, each of which needs the result of the one before.
 *  Binding: hold or release the GIL during short and long calls (Python: spin_held, spin_released). */
CS_API uint64_t cs_spin(uint64_t iterations);

/** Start the generator, of which there is one per process; a child of fork() has a copy. CS_E_STATE: it is running.
 *  Binding: this state outlives the extension module. */
CS_API cs_status cs_state_init(int64_t seed);

/** The next number: seed, seed + 1, … (modulo 2^64). CS_E_STATE: not started. Binding: as cs_state_init(). */
CS_API cs_status cs_state_next(int64_t *out_value);

/** Stop the generator; it may be started again. CS_E_STATE: not started. Binding: as cs_state_init(). */
CS_API cs_status cs_state_fini(void);

/** Set, and get, a number of the calling thread; it is 0 in a new thread.
 *  Binding: make the call on the thread that calls from Python. */
CS_API void cs_tls_set(int64_t value);
CS_API int64_t cs_tls_get(void);

#ifdef __cplusplus
}
#endif
#endif
