/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations of cside/status.h, for both modes, in the C that cffi can parse. In API mode the compiler compares
 * these declarations, and those of the other files, with the real headers; in ABI mode nothing does.
 */

typedef int32_t cs_status;

enum {
    CS_NEED_DICT = 2,
    CS_STREAM_END = 1,
    CS_OK = 0,
    CS_E_ERRNO = -1,
    CS_E_STREAM = -2,
    CS_E_DATA = -3,
    CS_E_MEMORY = -4,
    CS_E_BUFFER = -5,
    CS_E_VERSION = -6,
    CS_E_ARGUMENT = -100,
    CS_E_TOO_SMALL = -101,
    CS_E_NOT_FOUND = -102,
    CS_E_CLOSED = -103,
    CS_E_BUSY = -104,
    CS_E_ABORTED = -105,
    CS_E_STATE = -106,
    CS_E_THREAD = -107
};

const char *cs_status_name(cs_status status);
const char *cs_status_message(cs_status status);
const char *cs_version(void);
