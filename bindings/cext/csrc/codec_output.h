/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_output.h - the output of the codec: a bytes object that grows.
 */
#ifndef CSIDE_CEXT_CODEC_OUTPUT_H
#define CSIDE_CEXT_CODEC_OUTPUT_H

#include "interpreter.h"

#include "cside/codec.h"

/** The bytes object that the library writes into. No other code has a reference to it before core_output_finish(). */
typedef struct core_output {
    PyObject *bytes;
    size_t room;  /**< size of `bytes` */
    size_t limit; /**< largest size that is allowed */
} core_output;

/** Make a bytes object of `first` bytes, at most `limit`, and let the stream write into it. Returns 0, or -1 with
 *  MemoryError. */
int core_output_start(core_output *output, cs_stream *stream, size_t first, size_t limit);

/** Double the size after the stream has filled the object. Returns 1 if it grew, 0 if it already had the limit's size,
 *  or -1 with MemoryError. */
int core_output_grow(core_output *output, cs_stream *stream);

/** Return the bytes written so far as a new bytes object; NULL with MemoryError. */
PyObject *core_output_finish(core_output *output, const cs_stream *stream);

/** Release the object if core_output_finish() has not returned it. */
static inline void core_output_drop(core_output *output)
{
    Py_CLEAR(output->bytes);
}

#endif
