/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_errors.c - the error messages that users of zlib in Python know.
 */
#include "cside/codec.h"

#include <stdio.h>

#include "trace_scope.h"

static const char *phrase(cs_status status, const char *message)
{
    if (status == CS_E_VERSION)
        return "library version mismatch";
    if (message != NULL)
        return message;
    switch (status) {
    case CS_E_BUFFER:
        return "incomplete or truncated stream";
    case CS_E_STREAM:
        return "inconsistent stream state";
    case CS_E_DATA:
        return "invalid input data";
    default:
        return NULL;
    }
}

CS_TRACED_VOID(codec_error_text,
               (cs_status status, const char *doing, const char *message, char *out, size_t out_capacity),
               (status, doing, message, out, out_capacity), cs_text_nbytes(doing) + cs_text_nbytes(message),
               cs_text_nbytes(out))
{
    const char *text = phrase(status, message);

    if (text == NULL)
        snprintf(out, out_capacity, "Error %d %s", (int)status, doing);
    else
        snprintf(out, out_capacity, "Error %d %s: %.200s", (int)status, doing, text);
}
