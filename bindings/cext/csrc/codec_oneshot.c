/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_oneshot.c - functions that compress or decompress all data in one call.
 */
#include "buffers.h"
#include "codec_errors.h"
#include "codec_output.h"
#include "convert.h"
#include "docstrings.h"
#include "keywords.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/codec.h"

/* ---- compress --------------------------------------------------------------------------------- */

static const char *const compress_names[] = {"data", "level", "wbits"};
static const core_signature compress_signature = {"compress", 1, 1, 3, compress_names};

/** Raise the exception of compress() and compress_progress() for a negative status; returns NULL. */
static PyObject *raise_compressing(core_state *state, cs_status status, const char *message)
{
    switch (status) {
    case CS_E_STREAM:
        PyErr_SetString(state->codec_error, "Bad compression level");
        return NULL;
    case CS_E_MEMORY:
        PyErr_SetString(PyExc_MemoryError, "Out of memory while compressing data");
        return NULL;
    default:
        return core_codec_raise(state, status, "while compressing data", message);
    }
}

static PyObject *compress(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[3];
    core_bytes input;
    PyObject *out = NULL;
    int32_t level = CS_LEVEL_DEFAULT;
    int32_t window_bits = CS_WINDOW_BITS_MAX;
    size_t capacity = 0;
    size_t out_nbytes = 0;
    cs_status status = CS_OK;

    if (core_arguments(&compress_signature, args, nargs, kwnames, given) < 0 || core_as_bytes(given[0], &input) < 0) {
        return NULL;
    }
    if ((given[1] != NULL && core_as_int32(given[1], &level) < 0) ||
        (given[2] != NULL && core_as_int32(given[2], &window_bits) < 0)) {
        goto exit;
    }
    capacity = cs_compress_bound(input.nbytes);
    out = core_new_bytes(capacity);
    if (out == NULL) {
        goto exit;
    }
    Py_BEGIN_ALLOW_THREADS
    status = cs_compress(input.data, input.nbytes, (uint8_t *)PyBytes_AS_STRING(out), capacity, level, window_bits,
                         &out_nbytes);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        Py_CLEAR(out);
        raise_compressing(core_state_of(module), status, NULL);
        goto exit;
    }
    (void)_PyBytes_Resize(&out, (Py_ssize_t)out_nbytes); /* sets `out` to NULL on failure */
exit:
    core_bytes_release(&input);
    return out;
}

/* ---- decompress ------------------------------------------------------------------------------- */

static const char *const decompress_names[] = {"data", "wbits", "bufsize"};
static const core_signature decompress_signature = {"decompress", 1, 1, 3, decompress_names};

/** Decompress the whole stream in `stream->next_in` into a buffer of `first` bytes that doubles when it is full, as
 *  zlib does. Returns NULL with an exception set if that fails. */
static PyObject *inflate_all(core_state *state, cs_stream *stream, int32_t window_bits, size_t first)
{
    core_output output = {NULL, 0, 0};
    PyObject *result = NULL;
    cs_status status = cs_inflate_init(stream, window_bits);

    if (status == CS_E_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, "Out of memory while decompressing data");
        return NULL;
    }
    if (status < 0) {
        return core_codec_raise(state, status, "while preparing to decompress data", stream->message);
    }
    if (core_output_start(&output, stream, first, (size_t)PY_SSIZE_T_MAX) < 0) {
        goto exit;
    }
    Py_BEGIN_ALLOW_THREADS
    status = cs_inflate(stream, CS_FLUSH_FINISH);
    Py_END_ALLOW_THREADS
    while ((status == CS_OK || status == CS_E_BUFFER) && stream->avail_out == 0) {
        if (core_output_grow(&output, stream) <= 0) {
            if (!PyErr_Occurred()) {
                PyErr_NoMemory();
            }
            goto exit;
        }
        Py_BEGIN_ALLOW_THREADS
        status = cs_inflate(stream, CS_FLUSH_FINISH);
        Py_END_ALLOW_THREADS
    }
    if (status == CS_STREAM_END) {
        (void)cs_inflate_end(stream);
        result = core_output_finish(&output, stream);
    } else if (status == CS_E_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, "Out of memory while decompressing data");
    } else {
        /* CS_OK means that the engine has used all input and did not find the end of the stream. */
        core_codec_raise(state, status == CS_OK ? CS_E_BUFFER : status, "while decompressing data", stream->message);
    }
exit:
    if (stream->engine != NULL) {
        (void)cs_inflate_end(stream);
    }
    core_output_drop(&output);
    return result;
}

static PyObject *decompress(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[3];
    core_bytes input;
    cs_stream stream = {0};
    PyObject *result = NULL;
    int32_t window_bits = CS_WINDOW_BITS_MAX;
    Py_ssize_t first = CS_OUT_FIRST_NBYTES;

    if (core_arguments(&decompress_signature, args, nargs, kwnames, given) < 0 || core_as_bytes(given[0], &input) < 0) {
        return NULL;
    }
    if ((given[1] != NULL && core_as_int32(given[1], &window_bits) < 0) ||
        (given[2] != NULL && core_as_ssize(given[2], &first) < 0)) {
        goto exit;
    }
    if (first < 0) {
        PyErr_SetString(PyExc_ValueError, "bufsize must be non-negative");
        goto exit;
    }
    stream.next_in = input.data;
    stream.avail_in = input.nbytes;
    result = inflate_all(core_state_of(module), &stream, window_bits, first == 0 ? 1 : (size_t)first);
exit:
    core_bytes_release(&input);
    return result;
}

/* ---- compress with progress ------------------------------------------------------------------- */

static const char *const progress_names[] = {"data", "callback", "level", "wbits"};
static const core_signature progress_signature = {"compress_progress", 2, 2, 4, progress_names};

/** What compress_progress() and its callback share. The callback runs on the thread that has released the GIL. */
typedef struct progress_call {
    PyObject *callable;
    PyThreadState *thread;
    bool stopped;
} progress_call;

static int32_t progress(void *user, uint64_t total_in, uint64_t total_out)
{
    progress_call *call = user;
    PyObject *arguments[3] = {NULL, NULL, NULL}; /* vectorcall may change the first item during the call */
    PyObject *returned = NULL;
    int32_t stop = 1;

    PyEval_RestoreThread(call->thread);
    arguments[1] = PyLong_FromUnsignedLongLong(total_in);
    arguments[2] = PyLong_FromUnsignedLongLong(total_out);
    if (arguments[1] != NULL && arguments[2] != NULL) {
        returned = PyObject_Vectorcall(call->callable, arguments + 1, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    }
    if (returned != NULL) {
        call->stopped = returned == Py_False;
        stop = call->stopped ? 1 : 0;
    }
    Py_XDECREF(returned);
    Py_XDECREF(arguments[1]);
    Py_XDECREF(arguments[2]);
    call->thread = PyEval_SaveThread();
    return stop;
}

static PyObject *compress_progress(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[4];
    core_bytes input;
    progress_call call = {NULL, NULL, false};
    cs_stream stream = {0};
    core_output output = {NULL, 0, 0};
    PyObject *result = NULL;
    int32_t level = CS_LEVEL_DEFAULT;
    int32_t window_bits = CS_WINDOW_BITS_MAX;
    size_t capacity = 0;
    cs_status status = CS_OK;

    if (core_arguments(&progress_signature, args, nargs, kwnames, given) < 0 || core_as_bytes(given[0], &input) < 0) {
        return NULL;
    }
    if (core_as_callable(given[1]) < 0 || (given[2] != NULL && core_as_int32(given[2], &level) < 0) ||
        (given[3] != NULL && core_as_int32(given[3], &window_bits) < 0)) {
        goto exit;
    }
    capacity = cs_compress_bound(input.nbytes);
    call.callable = given[1];
    stream.progress = progress;
    stream.progress_user = &call;
    status =
        cs_deflate_init(&stream, level, CS_METHOD_DEFLATED, window_bits, CS_MEM_LEVEL_DEFAULT, CS_STRATEGY_DEFAULT);
    if (status < 0) {
        raise_compressing(core_state_of(module), status, stream.message);
        goto exit;
    }
    if (core_output_start(&output, &stream, capacity, capacity) < 0) {
        goto exit;
    }
    stream.next_in = input.data;
    stream.avail_in = input.nbytes;
    call.thread = PyEval_SaveThread();
    status = cs_deflate(&stream, CS_FLUSH_FINISH);
    PyEval_RestoreThread(call.thread);
    if (status == CS_STREAM_END) {
        result = core_output_finish(&output, &stream);
    } else if (call.stopped) {
        PyErr_SetString(core_state_of(module)->codec_error, "compression stopped by the callback");
    } else if (!PyErr_Occurred()) {
        raise_compressing(core_state_of(module), status, stream.message);
    }
exit:
    if (stream.engine != NULL) {
        (void)cs_deflate_end(&stream);
    }
    core_output_drop(&output);
    core_bytes_release(&input);
    return result;
}

static PyObject *fail_after(PyObject *Py_UNUSED(module), PyObject *allocations)
{
    int64_t value = 0;

    if (core_as_int64(allocations, &value) < 0) {
        return NULL;
    }
    cs_codec_fail_after(value);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"compress", CORE_FUNCTION(compress), METH_FASTCALL | METH_KEYWORDS, DOC_compress},
    {"decompress", CORE_FUNCTION(decompress), METH_FASTCALL | METH_KEYWORDS, DOC_decompress},
    {"compress_progress", CORE_FUNCTION(compress_progress), METH_FASTCALL | METH_KEYWORDS, DOC_compress_progress},
    {"fail_after", fail_after, METH_O, DOC_fail_after},
    {NULL, NULL, 0, NULL},
};

int core_add_codec_oneshot(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
