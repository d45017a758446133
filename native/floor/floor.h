/* SPDX-License-Identifier: Apache-2.0
 *
 * floor.h - the time of a call into libcside that is made from C, which no binding can be faster than.
 *
 * A floor is named "<function>/<way>", the function without its prefix. The ways are
 *   direct   a call as a linked C program makes it
 *   pointer  a call through a function pointer that the compiler cannot see through
 *   ffi      libffi's ffi_call() on a prepared interface, which ctypes and cffi's ABI mode use internally
 *   untraced noop alone: a function that does nothing and has no trace in it
 *   engine   crc32 and adler32 alone: the engine's own function, called directly
 * The functions are to be called through ctypes. They are as thread-safe as the cs_ functions that they call.
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

/** Call the function of floor `index` `iterations` times in a loop that uses each result. *out_ns becomes the time of
 *  the whole loop and *out_empty_ns that of the same loop without the call, in nanoseconds by CLOCK_MONOTONIC.
 *  Preparations (buffers, compressing the input of `decompress`, libffi's interface) are not timed.
 *
 *  `data` is the input of crc32, adler32, bytes_sum and compress; for `decompress` it is the output.
 *  For each_call `data` is unused and `data_nbytes` is the number of callbacks in one call. `level` is the level of
 *  compress and decompress; window bits are 15. An argument that a function does not need is ignored.
 *  Returns 0, or a negative cs_status: CS_E_NOT_FOUND (index), CS_E_MEMORY, CS_E_STREAM (level), CS_E_ARGUMENT (a NULL
 *  `data` of some bytes, or more than INT32_MAX bytes or callbacks), CS_E_VERSION (libffi refuses the interface). */
CSF_API int32_t csf_run(size_t index, uint64_t iterations, const void *data, size_t data_nbytes, int32_t level,
                        double *out_ns, double *out_empty_ns);

/* ---- PKCS #11 ---- */

/** Arguments of the loops over a module. The state of a module belongs to the process, so handles that other code of
 *  this process got from the module are valid here. A member that an operation does not need is ignored. */
typedef struct csf_pkcs11 {
    const char *path;     /**< of the module, which is initialised already */
    uint64_t slot;        /**< for token_info and open_close */
    uint64_t session;     /**< for all other operations; read-write, logged in */
    uint64_t key;         /**< sign, verify: HMAC; seal, attributes: AES; sign_ec: private key of an elliptic curve */
    const void *data;     /**< the input of digest, sign and seal; for find the label to search for */
    uint64_t data_nbytes; /**< length of `data`; for random the number of bytes to generate */
    uint64_t part_nbytes; /**< size of a part for digest_parts, more than 0 */
    uint64_t count;       /**< number of attributes, at most 12 */
} csf_pkcs11;

/** Number of operations; indices run from 0. */
CSF_API size_t csf_pkcs11_count(void);

/** Name of an operation; NULL past the end. Each does what one call of the workload of that name does, with the same
 *  number of calls into the module: get_info, slot_list (one call, with room), token_info, open_close, random, digest
 *  (SHA-256), digest_parts, sign and verify (HMAC-SHA-256), seal (AES-GCM), sign_ec (ECDSA), find (by label, in one
 *  call of C_FindObjects), attributes_known, attributes_unknown (one call each, with more room), generate_key (the key
 *  is destroyed, too). */
CSF_API const char *csf_pkcs11_name(size_t index);

/** Time operation `index` as csf_run() does, by the module's own 2.x list or, if `through_shim`, by libcside's list for
 *  it.
 *  Returns 0; a negative cs_status: CS_E_NOT_FOUND (index, or the module does not open), CS_E_MEMORY, CS_E_ARGUMENT
 *  (count, part_nbytes); or the return value of the module other than CKR_OK, which is positive and ends the loop. */
CSF_API int64_t csf_pkcs11_run(size_t index, int32_t through_shim, uint64_t iterations, const csf_pkcs11 *job,
                               double *out_ns, double *out_empty_ns);

#ifdef __cplusplus
}
#endif
#endif
