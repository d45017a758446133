/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_output.c - the output of the codec: a bytes object that grows.
 */
#include "codec_output.h"
#include "buffers.h"

/** A result of up to this size is copied to a new object, for which Python's allocator has a block of the right size.
 *  Shrinking the large object in place would split a block of malloc(), which takes longer than copying so few bytes
 *  (measured; see README). */
#define SMALL_NBYTES 384

static int no_room(void)
{
    PyErr_SetString(PyExc_MemoryError, "Unable to allocate output buffer.");
    return -1;
}

int core_output_start(core_output *output, cs_stream *stream, size_t first, size_t limit)
{
    output->limit = limit;
    output->room = first < limit ? first : limit;
    output->bytes = core_new_bytes(output->room);
    if (output->bytes == NULL) {
        return no_room();
    }
    stream->next_out = (uint8_t *)PyBytes_AS_STRING(output->bytes);
    stream->avail_out = output->room;
    return 0;
}

int core_output_grow(core_output *output, cs_stream *stream)
{
    size_t used = output->room;
    size_t more = output->limit - used < used ? output->limit - used : used;

    if (more == 0) {
        return 0;
    }
    if (_PyBytes_Resize(&output->bytes, (Py_ssize_t)(used + more)) < 0) {
        return no_room();
    }
    output->room = used + more;
    stream->next_out = (uint8_t *)PyBytes_AS_STRING(output->bytes) + used;
    stream->avail_out = more;
    return 1;
}

PyObject *core_output_finish(core_output *output, const cs_stream *stream)
{
    PyObject *bytes = output->bytes;
    size_t used = output->room - stream->avail_out;

    if (used <= SMALL_NBYTES && used < output->room) {
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(bytes), (Py_ssize_t)used);
    }
    output->bytes = NULL;
    (void)_PyBytes_Resize(&bytes, (Py_ssize_t)used); /* sets `bytes` to NULL on failure */
    return bytes;
}
