/* SPDX-License-Identifier: Apache-2.0
 *
 * cside/status.h - status codes, version and export macros shared by every header of libcside.
 *
 * Conventions of the whole library
 *   - A function returns a cs_status and gives results by out-parameter, unless its comment says otherwise.
 *     Zero and positive values are successes, negative values are failures.
 *   - On failure, out-parameters keep the value they had, unless the comment says otherwise.
 *   - Sizes are in bytes and named *_nbytes; counts of elements are named *_count or `count`.
 *   - Unless a comment says otherwise a function is thread-safe, keeps no reference to its arguments
 *     after it returns, and a NULL pointer with a size of 0 is a valid empty buffer.
 *   - Strings are NUL-terminated UTF-8 unless said otherwise.
 */
#ifndef CSIDE_STATUS_H
#define CSIDE_STATUS_H

#include <stdint.h>

#define CS_VERSION_MAJOR 0
#define CS_VERSION_MINOR 1
#define CS_VERSION_PATCH 0
#define CS_VERSION_STRING "0.1.0"

#if defined(_WIN32)
#if defined(CSIDE_BUILDING)
#define CS_API __declspec(dllexport)
#else
#define CS_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CS_API __attribute__((visibility("default")))
#else
#define CS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Outcome of a call. The values 2 to -6 are those of zlib, so that errors of the codec have the same numbers. */
typedef int32_t cs_status;

enum {
    CS_NEED_DICT = 2,      /**< inflate needs the dictionary whose Adler-32 is in cs_stream.checksum */
    CS_STREAM_END = 1,     /**< the stream is complete */
    CS_OK = 0,             /**< success */
    CS_E_ERRNO = -1,       /**< a system call failed; see errno */
    CS_E_STREAM = -2,      /**< inconsistent stream: not initialised, ended, or an invalid parameter */
    CS_E_DATA = -3,        /**< corrupt input */
    CS_E_MEMORY = -4,      /**< an allocation failed */
    CS_E_BUFFER = -5,      /**< no progress possible: more input or more output space is needed */
    CS_E_VERSION = -6,     /**< caller and library have different versions of a struct or of the engine */
    CS_E_ARGUMENT = -100,  /**< an argument is outside its documented domain */
    CS_E_TOO_SMALL = -101, /**< the output buffer is too small */
    CS_E_NOT_FOUND = -102, /**< no such item */
    CS_E_CLOSED = -103,    /**< the handle was closed, or never opened */
    CS_E_BUSY = -104,      /**< the handle is in use by a running call */
    CS_E_ABORTED = -105,   /**< a callback asked to stop */
    CS_E_STATE = -106,     /**< called in the wrong state (before initialisation, or twice) */
    CS_E_THREAD = -107     /**< a thread could not be created */
};

/** Identifier of a status, as "CS_E_DATA". Never NULL; "CS_E_UNKNOWN" for a number that is not a status. */
CS_API const char *cs_status_name(cs_status status);

/** One lower-case English phrase for a status, without a full stop. Never NULL; "unknown status" for a number that is
 *  not a status. */
CS_API const char *cs_status_message(cs_status status);

/** Version of the loaded library, as CS_VERSION_STRING was when it was compiled. Never NULL. */
CS_API const char *cs_version(void);

/** Compiler that built the loaded library, as "gcc 12.2.0". Never NULL. */
CS_API const char *cs_build_compiler(void);

/** Compiler flags that built the loaded library; "unknown" when it was not built by CMake. Never NULL. */
CS_API const char *cs_build_flags(void);

#ifdef __cplusplus
}
#endif
#endif
