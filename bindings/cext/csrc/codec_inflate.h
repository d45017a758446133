/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_inflate.h - what Decompress and _ZlibDecompressor share: one call of the engine.
 */
#ifndef CSIDE_CEXT_CODEC_INFLATE_H
#define CSIDE_CEXT_CODEC_INFLATE_H

#include "buffers.h"
#include "codec_errors.h"
#include "codec_output.h"
#include "state.h"

#include "cside/codec.h"

#include <stdbool.h>

/** What one call works with. Buffers of Python objects are got before the lock is taken, and exceptions are raised
 *  after it is released. */
typedef struct core_inflate_call {
    core_bytes input;
    core_bytes dictionary;
    bool with_dictionary;
    bool raised; /* a Python exception is set */
    const char *doing;
    cs_status status;
    PyObject *result;
    char text[CORE_ERROR_TEXT_NBYTES];
} core_inflate_call;

/** Raise the exception if a decompression object could not be made. Returns 0 for a status of success, otherwise -1. */
int core_inflate_created(core_state *state, cs_status status, const char *message);

/** Call the engine until it has used its input, has reached the limit, or has ended or failed; the caller holds the
 *  lock. It sets call->status. Returns false if memory runs out, with call->raised set, and if a dictionary is
 *  refused. */
bool core_inflate(cs_stream *stream, core_inflate_call *call, int32_t flush, core_output *output);

/** Write the text of the error if the engine failed. The caller holds the lock. */
void core_inflate_text(const cs_stream *stream, core_inflate_call *call);

/** Add the type _ZlibDecompressor to the module. Returns 0, or -1 with an exception set. */
int core_add_codec_decompressor(PyObject *module);

#endif
