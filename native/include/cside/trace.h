/* SPDX-License-Identifier: Apache-2.0
 *
 * cside/trace.h - per-function counters and latency histograms.
 *
 * Tracing is off by default. While it is on, every exported function counts its calls, bytes and time, without locks,
 * in memory that belongs to the calling thread. Functions of this header, of status.h and of pkcs11_shim.h, and static
 * inline functions are not traced. The C_ functions that libcside forwards to PKCS #11 modules are traced; the counts
 * are sums over all modules. A call that is running while tracing is switched on or off may be missed; it is never
 * counted in part. A call that the library itself makes is not counted. A call from inside a callback is counted, and
 * its time is also part of the time of the outer call.
 */
#ifndef CSIDE_TRACE_H
#define CSIDE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cside/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Number of buckets of a histogram. Bucket 0 counts calls under 1 ns; bucket i >= 1 those of [2^(i-1), 2^i) ns; the
 *  last bucket also counts longer calls. */
#define CS_TRACE_BUCKETS 40

typedef struct cs_trace_record {
    uint64_t calls;
    uint64_t errors; /**< calls that returned a negative cs_status; for C_ functions, a value other than CKR_OK */
    uint64_t in_nbytes;
    uint64_t out_nbytes;
    uint64_t total_ns;
    uint64_t histogram[CS_TRACE_BUCKETS]; /**< sums to `calls` in every snapshot */
} cs_trace_record;

/** Switch tracing on or off for the process. */
CS_API void cs_trace_enable(bool on);

/** Whether tracing is on. */
CS_API bool cs_trace_enabled(void);

/** Set all counts of all threads to 0. Calls that end after this one returns are counted. */
CS_API void cs_trace_reset(void);

/** Number of traced functions; indices run from 0. */
CS_API size_t cs_trace_count(void);

/** Name of a traced function, as "cs_crc32" or "C_Sign"; NULL past the end. */
CS_API const char *cs_trace_name(size_t index);

/** Read the sum over all threads, including threads that have ended. The counts of each thread are read consistently.
 *  CS_E_NOT_FOUND: no such index. */
CS_API cs_status cs_trace_read(size_t index, cs_trace_record *out_record);

/** The same for the calling thread only. */
CS_API cs_status cs_trace_read_thread(size_t index, cs_trace_record *out_record);

#ifdef __cplusplus
}
#endif
#endif
