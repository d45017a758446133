/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_output.h - output of the codec, a bytes object that grows.
 */
#ifndef CSIDE_CEXT_CODEC_OUTPUT_H
#define CSIDE_CEXT_CODEC_OUTPUT_H

#include "interpreter.h"

#include "cside/codec.h"

/** The bytes object that the library writes into. It stays private to its call until core_output_finish(). */
typedef struct core_output {
    PyObject *bytes;
    size_t room;  /**< its size */
    size_t limit; /**< no more than that */
} core_output;

/** Room for a first call, and point the stream at it; -1 with MemoryError. */
int core_output_start(core_output *output, cs_stream *stream, size_t first, size_t limit);

/** As much room again as there was, the stream being at its end: 1 done, 0 the limit is reached, -1 MemoryError. */
int core_output_grow(core_output *output, cs_stream *stream);

/** The bytes written so far, as a result; NULL with MemoryError. */
PyObject *core_output_finish(core_output *output, const cs_stream *stream);

/** Throw away what a failed call has written; nothing after core_output_finish(). */
static inline void core_output_drop(core_output *output)
{
    Py_CLEAR(output->bytes);
}

#endif
