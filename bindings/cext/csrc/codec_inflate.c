/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_inflate.c - one call of the engine that decompresses, and its errors.
 */
#include "codec_inflate.h"

int core_inflate_created(core_state *state, cs_status status, const char *message)
{
    if (status == CS_E_STREAM) {
        PyErr_SetString(PyExc_ValueError, "Invalid initialization option");
    } else if (status == CS_E_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, "Can't allocate memory for decompression object");
    } else if (status < 0) {
        core_codec_raise(state, status, "while creating decompression object", message);
    }
    return status < 0 ? -1 : 0;
}

bool core_inflate(cs_stream *stream, core_inflate_call *call, int32_t flush, core_output *output)
{
    int grown = 1;

    while (grown > 0) {
        Py_BEGIN_ALLOW_THREADS
        call->status = cs_inflate(stream, flush);
        Py_END_ALLOW_THREADS
        if (call->status == CS_NEED_DICT && call->with_dictionary) {
            call->status = cs_inflate_set_dictionary(stream, call->dictionary.data, call->dictionary.nbytes);
            if (call->status < 0) {
                call->doing = "while setting zdict";
                return false;
            }
            continue;
        }
        if ((call->status != CS_OK && call->status != CS_E_BUFFER) || stream->avail_out != 0) {
            break;
        }
        grown = core_output_grow(output, stream);
    }
    if (call->status == CS_E_BUFFER) {
        call->status = CS_OK; /* more input is needed, or the limit is reached; not an error here */
    }
    call->raised = grown < 0;
    return !call->raised;
}

void core_inflate_text(const cs_stream *stream, core_inflate_call *call)
{
    if (call->status < 0 || call->status == CS_NEED_DICT) {
        cs_codec_error_text(call->status, call->doing, stream->message, call->text, sizeof(call->text));
    }
}
