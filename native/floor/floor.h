/* SPDX-License-Identifier: Apache-2.0
 *
 * floor.h - what a call into libcside costs when nothing but C makes it: the floor under every binding.
 *
 * A floor is named "<function>/<way>", the function without its prefix. The ways are
 *   direct   a call as a linked C program makes it
 *   pointer  a call through a function pointer that the compiler cannot see through
 *   ffi      libffi's ffi_call() on a prepared interface, as ctypes and cffi's ABI mode make it underneath
 *   untraced noop alone: a function that does nothing and has no trace in it
 *   engine   crc32 and adler32 alone: the engine's own function, called directly
 * Meant to be called through ctypes. Not thread-safe in one respect only: cs_* functions keep their own rules.
 */
#ifndef CSIDE_FLOOR_H
#define CSIDE_FLOOR_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CSF_API __attribute__((visibility("default")))
#else
#define CSF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Do nothing; the function of "noop/untraced". */
CSF_API void csf_bare(void);

/** Number of floors; indices run from 0. */
CSF_API size_t csf_count(void);

/** Name of a floor, as "crc32/direct"; NULL past the end. Without libffi the names that end in "/ffi" are missing. */
CSF_API const char *csf_name(size_t index);

/** 1 if the library was built with libffi, else 0. */
CSF_API int32_t csf_has_ffi(void);

/** Call the function of floor `index` `iterations` times in a loop, using up each result, and give the time of the loop
 *  in *out_ns and that of the same loop without the call in *out_empty_ns: nanoseconds in all, by CLOCK_MONOTONIC.
 *  Preparations (buffers, compressing the input of `decompress`, libffi's interface) are not timed.
 *
 *  `data` is the input of crc32, adler32, bytes_sum, compress and decompress; for `decompress` the text that comes out.
 *  For each_call `data` is unused and `data_nbytes` is the number of callbacks in one call. `level` is the level of
 *  compress and decompress, window bits 15. What a function does not need is ignored.
 *  Returns 0, or a negative cs_status: CS_E_NOT_FOUND (index), CS_E_MEMORY, CS_E_STREAM (level), CS_E_ARGUMENT (a NULL
 *  `data` of some bytes, or more than INT32_MAX bytes or callbacks), CS_E_VERSION (libffi refuses the interface). */
CSF_API int32_t csf_run(size_t index, uint64_t iterations, const void *data, size_t data_nbytes, int32_t level,
                        double *out_ns, double *out_empty_ns);

#ifdef __cplusplus
}
#endif
#endif
