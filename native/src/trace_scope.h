/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_scope.h - macros that define an exported function so that its calls can be traced.
 *
 *     CS_TRACED_STATUS(blob_get, (uint32_t index, ...), (index, ...), in_nbytes, out_nbytes)
 *     {
 *         ... the function's own work ...
 *     }
 *
 * defines cs_blob_get(), which calls a static blob_get_body(). While tracing is off, this costs one load and one
 * branch, and the body is inlined or tail-called. Other functions of the library call the body, so that only calls from
 * outside are counted. The last two arguments are expressions over the parameters and, in the macros for functions with
 * a result, over `result`. They are evaluated after the call, and only while tracing is on.
 */
#ifndef CSIDE_TRACE_SCOPE_H
#define CSIDE_TRACE_SCOPE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cside/trace.h"
#include "trace_list.h"

#if defined(__GNUC__)
#define CS_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define CS_COLD __attribute__((cold, noinline))
#pragma GCC visibility push(hidden)
#else
#define CS_UNLIKELY(condition) (condition)
#define CS_COLD
#endif

/** Non-zero while tracing is on. */
extern atomic_bool cs_trace_flag;

/** Ticks of the trace's clock; call it only while tracing is (or was) on. */
uint64_t cs_trace_ticks(void);

/** Count one call of function `id` that began at tick `start` and ends now. errno is preserved. */
void cs_trace_count_call(size_t id, uint64_t start, bool failed, uint64_t in_nbytes, uint64_t out_nbytes) CS_COLD;

/** The same for a call that failed, whose error is also counted by its code. */
void cs_trace_count_error(size_t id, uint64_t start, uint64_t code, uint64_t in_nbytes, uint64_t out_nbytes) CS_COLD;

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

static inline bool cs_trace_is_on(void)
{
    return CS_UNLIKELY(atomic_load_explicit(&cs_trace_flag, memory_order_relaxed));
}

/** Bytes of a text before its NUL; 0 for NULL. */
static inline uint64_t cs_text_nbytes(const char *text)
{
    return text == NULL ? 0 : strlen(text);
}

/* The code for tracing is in a function of its own, so that the untraced path needs no stack frame and can end in a
 * tail call. The outermost macro pastes the names, because zlib defines some of them as macros, which another level of
 * expansion would replace. */
#define CS_TRACED_VOID(name, params, args, in_nbytes, out_nbytes) \
    static inline void name##_body params; \
    static CS_COLD void name##_traced params \
    { \
        uint64_t trace_start = cs_trace_ticks(); \
        name##_body args; \
        cs_trace_count_call(CS_TRACE_ID_##name, trace_start, false, in_nbytes, out_nbytes); \
    } \
    void cs_##name params \
    { \
        if (cs_trace_is_on()) \
            name##_traced args; \
        else \
            name##_body args; \
    } \
    static inline void name##_body params

#define CS_TRACED_RESULT(type, function, traced, body, id, params, args, failed, in_nbytes, out_nbytes) \
    static inline type body params; \
    static CS_COLD type traced params \
    { \
        uint64_t trace_start = cs_trace_ticks(); \
        type result = body args; \
        cs_trace_count_call(id, trace_start, failed, in_nbytes, out_nbytes); \
        return result; \
    } \
    type function params \
    { \
        return cs_trace_is_on() ? traced args : body args; \
    } \
    static inline type body params

#define CS_TRACED_VALUE(type, name, params, args, in_nbytes, out_nbytes) \
    CS_TRACED_RESULT(type, cs_##name, name##_traced, name##_body, CS_TRACE_ID_##name, params, args, false, in_nbytes, \
                     out_nbytes)

#define CS_TRACED_STATUS(name, params, args, in_nbytes, out_nbytes) \
    CS_TRACED_RESULT(cs_status, cs_##name, name##_traced, name##_body, CS_TRACE_ID_##name, params, args, result < 0, \
                     in_nbytes, out_nbytes)

#endif
