/* SPDX-License-Identifier: Apache-2.0
 *
 * floor.c - timed C loops. One line with a macro defines the loops of a function; a table at the end names them.
 */
#define _POSIX_C_SOURCE 200809L

#include "floor.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cside/codec.h>
#include <cside/idioms.h>
#include <zlib.h>

#if CSF_HAVE_FFI
#include <ffi.h>
#endif

#define WINDOW_BITS 15

/* Make the compiler compute a value, and assume that memory has changed. */
#define CONSUME(value) __asm__ volatile("" : : "g"(value) : "memory")

/* The arguments of the loops. Members do not move during a run, since libffi keeps their addresses. */
struct job {
    uint64_t iterations;
    const uint8_t *data;
    size_t data_nbytes;
    int32_t level;
    int32_t window_bits;
    uint8_t *packed; /* the compressed data */
    size_t packed_nbytes;
    uint8_t *out;
    size_t out_capacity;
    size_t *out_nbytes;
    size_t *in_used_nbytes;
    size_t sizes[2];
    uint32_t start;
    uint32_t times;
    cs_each_fn callback;
    void *user;
    int64_t *sum;
    int64_t sum_value;
    cs_box *box;
    cs_box box_value;
    int32_t a, b;
    uint32_t tag;
    double ns;
};

typedef cs_status (*loop_fn)(struct job *job);

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int64_t each_position(void *user, int32_t value)
{
    (void)user;
    return value;
}

/* ---- the loops ----------------------------------------------------------------------------------- */

/* clang-format off */
#define TIMED_LOOP(...)                                        \
    do {                                                       \
        uint64_t iterations = job->iterations;                 \
        double begin = now_ns();                               \
        for (uint64_t i = 0; i < iterations; i++) {            \
            __VA_ARGS__;                                       \
        }                                                      \
        job->ns = now_ns() - begin;                            \
        return CS_OK;                                          \
    } while (0)
/* clang-format on */

static cs_status empty_loop(struct job *job)
{
    TIMED_LOOP(CONSUME(i));
}

/* The loops of cs_<op> by a direct call and through a pointer. The pointer is read through a volatile one, so that the
 * compiler does not know where it points; the loop then keeps it in a register. */
#define LOOPS(op, type, signature, arguments) \
    static cs_status op##_direct(struct job *job) \
    { \
        TIMED_LOOP(type result = cs_##op arguments; CONSUME(result)); \
    } \
    static cs_status op##_pointer(struct job *job) \
    { \
        type(*volatile hidden) signature = cs_##op; \
        type(*call) signature = hidden; \
        TIMED_LOOP(type result = call arguments; CONSUME(result)); \
    }

#define LOOPS_VOID(op, signature, arguments) \
    static cs_status op##_direct(struct job *job) \
    { \
        TIMED_LOOP(cs_##op arguments; CONSUME(job)); \
    } \
    static cs_status op##_pointer(struct job *job) \
    { \
        void(*volatile hidden) signature = cs_##op; \
        void(*call) signature = hidden; \
        TIMED_LOOP(call arguments; CONSUME(job)); \
    }

LOOPS_VOID(noop, (void), ())
LOOPS(i32_add, int32_t, (int32_t, int32_t), (job->a, job->b))
LOOPS(crc32, uint32_t, (uint32_t, const uint8_t *, size_t), (job->start, job->data, job->data_nbytes))
LOOPS(adler32, uint32_t, (uint32_t, const uint8_t *, size_t), (job->start, job->data, job->data_nbytes))
LOOPS(bytes_sum, uint32_t, (const uint8_t *, size_t), (job->data, job->data_nbytes))
LOOPS(compress, cs_status, (const uint8_t *, size_t, uint8_t *, size_t, int32_t, int32_t, size_t *),
      (job->data, job->data_nbytes, job->out, job->out_capacity, job->level, job->window_bits, job->out_nbytes))
LOOPS(decompress, cs_status, (const uint8_t *, size_t, uint8_t *, size_t, int32_t, size_t *, size_t *),
      (job->packed, job->packed_nbytes, job->out, job->out_capacity, job->window_bits, job->out_nbytes,
       job->in_used_nbytes))
LOOPS(each_call, cs_status, (uint32_t, cs_each_fn, void *, int64_t *), (job->times, job->callback, job->user, job->sum))
LOOPS_VOID(box_fill, (cs_box *, uint32_t), (job->box, job->tag))

/* The same work without libcside, which shows what libcside adds to a call. The bare function is exported, so that it
 * is called like cs_noop(), through the linker's table. */
void csf_bare(void)
{
}

static cs_status noop_untraced(struct job *job)
{
    TIMED_LOOP(csf_bare(); CONSUME(job));
}

static cs_status crc32_engine(struct job *job)
{
    TIMED_LOOP(uLong result = crc32(job->start, job->data, (uInt)job->data_nbytes); CONSUME(result));
}

static cs_status adler32_engine(struct job *job)
{
    TIMED_LOOP(uLong result = adler32(job->start, job->data, (uInt)job->data_nbytes); CONSUME(result));
}

/* The pointer in the table, since there is no symbol that could be called directly. */
static cs_status ops_add_pointer(struct job *job)
{
    const cs_ops *volatile hidden = cs_ops_get();
    const cs_ops *ops = hidden;

    TIMED_LOOP(int32_t result = ops->add(job->a, job->b); CONSUME(result));
}

#if CSF_HAVE_FFI
/* `types` and `values` are lists in parentheses that begin with an unused entry, so that they are never empty. */
#define UNWRAP(...) __VA_ARGS__
#define FFI_LOOP(op, function, result_type, types, values) \
    static cs_status op##_ffi(struct job *job) \
    { \
        ffi_type *argument_types[] = {UNWRAP types}; \
        void *arguments[] = {UNWRAP values}; \
        unsigned count = (unsigned)(sizeof arguments / sizeof arguments[0]) - 1; \
        ffi_arg result = 0; \
        ffi_cif interface; \
        if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, count, &result_type, argument_types + 1) != FFI_OK) \
            return CS_E_VERSION; \
        TIMED_LOOP(ffi_call(&interface, FFI_FN(function), &result, arguments + 1); CONSUME(result)); \
    }

#define P &ffi_type_pointer
#define I32 &ffi_type_sint32
#define U32 &ffi_type_uint32
/* size_t, with the type by which ctypes describes it */
#define SIZE (sizeof(size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32)

FFI_LOOP(noop, cs_noop, ffi_type_void, (NULL), (NULL))
FFI_LOOP(i32_add, cs_i32_add, ffi_type_sint32, (NULL, I32, I32), (NULL, &job->a, &job->b))
FFI_LOOP(crc32, cs_crc32, ffi_type_uint32, (NULL, U32, P, SIZE), (NULL, &job->start, &job->data, &job->data_nbytes))
FFI_LOOP(adler32, cs_adler32, ffi_type_uint32, (NULL, U32, P, SIZE), (NULL, &job->start, &job->data, &job->data_nbytes))
FFI_LOOP(bytes_sum, cs_bytes_sum, ffi_type_uint32, (NULL, P, SIZE), (NULL, &job->data, &job->data_nbytes))
FFI_LOOP(compress, cs_compress, ffi_type_sint32, (NULL, P, SIZE, P, SIZE, I32, I32, P),
         (NULL, &job->data, &job->data_nbytes, &job->out, &job->out_capacity, &job->level, &job->window_bits,
          &job->out_nbytes))
FFI_LOOP(decompress, cs_decompress, ffi_type_sint32, (NULL, P, SIZE, P, SIZE, I32, P, P),
         (NULL, &job->packed, &job->packed_nbytes, &job->out, &job->out_capacity, &job->window_bits, &job->out_nbytes,
          &job->in_used_nbytes))
FFI_LOOP(each_call, cs_each_call, ffi_type_sint32, (NULL, U32, P, P, P),
         (NULL, &job->times, &job->callback, &job->user, &job->sum))
FFI_LOOP(box_fill, cs_box_fill, ffi_type_void, (NULL, P, U32), (NULL, &job->box, &job->tag))
FFI_LOOP(ops_add, cs_ops_get()->add, ffi_type_sint32, (NULL, I32, I32), (NULL, &job->a, &job->b))
#endif

/* ---- the table ----------------------------------------------------------------------------------- */

enum needs { NOTHING, DATA, PACKED_DATA, CALLBACKS };

struct floor {
    const char *name;
    loop_fn loop;
    enum needs needs;
};

#if CSF_HAVE_FFI
#define BY_FFI(op, needs) {#op "/ffi", op##_ffi, needs},
#else
#define BY_FFI(op, needs)
#endif
#define EACH_WAY(op, needs) \
    {#op "/direct", op##_direct, needs}, {#op "/pointer", op##_pointer, needs}, BY_FFI(op, needs)

static const struct floor floors[] = {
    /* clang-format off */
    EACH_WAY(noop, NOTHING)
    {"noop/untraced", noop_untraced, NOTHING},
    EACH_WAY(i32_add, NOTHING)
    EACH_WAY(crc32, DATA)
    {"crc32/engine", crc32_engine, DATA},
    EACH_WAY(adler32, DATA)
    {"adler32/engine", adler32_engine, DATA},
    EACH_WAY(bytes_sum, DATA)
    EACH_WAY(compress, DATA)
    EACH_WAY(decompress, PACKED_DATA)
    EACH_WAY(each_call, CALLBACKS)
    EACH_WAY(box_fill, NOTHING)
    {"ops_add/pointer", ops_add_pointer, NOTHING},
    BY_FFI(ops_add, NOTHING)
    /* clang-format on */
};

size_t csf_count(void)
{
    return sizeof floors / sizeof floors[0];
}

const char *csf_name(size_t index)
{
    return index < csf_count() ? floors[index].name : NULL;
}

int32_t csf_has_ffi(void)
{
    return CSF_HAVE_FFI;
}

/* Allocate room for either direction, and compress the data if the loop decompresses. Compressing no data finds out
 * whether the level is valid. */
static cs_status make_buffers(struct job *job, bool pack)
{
    size_t bound = cs_compress_bound(job->data_nbytes);

    job->out_capacity = bound;
    job->out = malloc(bound);
    job->packed = malloc(bound);
    if (job->out == NULL || job->packed == NULL)
        return CS_E_MEMORY;
    memset(job->out, 0, bound); /* touch the pages before the time is taken */
    return cs_compress(job->data, pack ? job->data_nbytes : 0, job->packed, bound, job->level, job->window_bits,
                       &job->packed_nbytes);
}

int32_t csf_run(size_t index, uint64_t iterations, const void *data, size_t data_nbytes, int32_t level, double *out_ns,
                double *out_empty_ns)
{
    struct job job = {.iterations = iterations, .a = 1, .b = 2, .tag = 7, .level = level, .window_bits = WINDOW_BITS};
    enum needs needs = NOTHING;
    cs_status status = CS_OK;
    double empty_ns = 0;

    if (index >= csf_count())
        return CS_E_NOT_FOUND;
    needs = floors[index].needs;
    if ((needs == DATA || needs == PACKED_DATA) && data == NULL && data_nbytes > 0)
        return CS_E_ARGUMENT;
    if (data_nbytes > INT32_MAX) /* callbacks, or bytes that the engine takes in one call */
        return CS_E_ARGUMENT;

    job.data = data;
    job.data_nbytes = needs == DATA || needs == PACKED_DATA ? data_nbytes : 0;
    job.times = needs == CALLBACKS ? (uint32_t)data_nbytes : 0;
    job.callback = each_position;
    job.sum = &job.sum_value;
    job.box = &job.box_value;
    job.out_nbytes = &job.sizes[0];
    job.in_used_nbytes = &job.sizes[1];
    job.start = strncmp(floors[index].name, "adler32", 7) == 0 ? 1 : 0;
    if (needs == PACKED_DATA || strncmp(floors[index].name, "compress", 8) == 0)
        status = make_buffers(&job, needs == PACKED_DATA);
    if (status == CS_OK && job.out != NULL && iterations > 0) {
        job.iterations = 1; /* making the buffers has evicted the caches, and a chunk may be a single call */
        status = floors[index].loop(&job);
        job.iterations = iterations;
    }
    if (status == CS_OK)
        status = empty_loop(&job);
    empty_ns = job.ns;
    if (status == CS_OK)
        status = floors[index].loop(&job);
    if (status == CS_OK) {
        *out_ns = job.ns;
        *out_empty_ns = empty_ns;
    }
    free(job.out);
    free(job.packed);
    return status;
}
