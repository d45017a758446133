/* SPDX-License-Identifier: Apache-2.0
 *
 * compress, decompress, compress_progress: the whole input in one call.
 */
%{
static void cside_raise_compress(cs_status status)
{
    if (status == CS_E_STREAM)
        PyErr_SetString(cside_codec_error, "Bad compression level");
    else if (status == CS_E_MEMORY)
        PyErr_SetString(PyExc_MemoryError, "Out of memory while compressing data");
    else
        cside_raise_codec(status, "while compressing data", NULL);
}

static PyObject *compress(const uint8_t *in, size_t in_nbytes, int32_t level, int32_t wbits)
{
    const size_t bound = cs_compress_bound(in_nbytes);
    PyObject *bytes = cside_bytes_new(bound);
    size_t written = 0;
    cs_status status;

    if (bytes == NULL)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = cs_compress(in, in_nbytes, cside_bytes_start(bytes), bound, level, wbits, &written);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        Py_DECREF(bytes);
        cside_raise_compress(status);
        return NULL;
    }
    return cside_bytes_cut(bytes, written);
}

/* The library calls this without the GIL, on the thread that called compress_progress. */
static int32_t cside_progress(void *callable, uint64_t total_in, uint64_t total_out)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result = PyObject_CallFunction((PyObject *)callable, "KK", (unsigned long long)total_in,
                                             (unsigned long long)total_out);
    int32_t stop = result == NULL || result == Py_False;

    Py_XDECREF(result);
    PyGILState_Release(state);
    return stop;
}

static PyObject *compress_progress(const uint8_t *in, size_t in_nbytes, PyObject *lambda, int32_t level,
                                   int32_t wbits)
{
    const size_t bound = cs_compress_bound(in_nbytes);
    cs_stream stream = {.next_in = in, .avail_in = in_nbytes, .progress = cside_progress, .progress_user = lambda};
    PyObject *bytes = cside_bytes_new(bound);
    cs_status status;

    if (bytes == NULL)
        return NULL;
    status = cs_deflate_init(&stream, level, CS_METHOD_DEFLATED, wbits, CS_MEM_LEVEL_DEFAULT, CS_STRATEGY_DEFAULT);
    if (status < 0) {
        cside_raise_compress(status);
        goto fail;
    }
    stream.next_out = cside_bytes_start(bytes);
    stream.avail_out = bound;
    Py_BEGIN_ALLOW_THREADS
    status = cs_deflate(&stream, CS_FLUSH_FINISH);
    cs_deflate_end(&stream);
    Py_END_ALLOW_THREADS
    if (status == CS_STREAM_END)
        return cside_bytes_cut(bytes, bound - stream.avail_out);
    if (status == CS_E_ABORTED) {
        if (!PyErr_Occurred())
            PyErr_SetString(cside_codec_error, "compression stopped by the callback");
    } else {
        cside_raise_compress(status);
    }
fail:
    Py_DECREF(bytes);
    return NULL;
}

static PyObject *decompress(const uint8_t *in, size_t in_nbytes, int32_t wbits, Py_ssize_t bufsize)
{
    cs_stream stream = {.next_in = in, .avail_in = in_nbytes};
    cside_room room = {NULL, 0};
    PyObject *result = NULL;
    cs_status status;

    if (bufsize < 0) {
        PyErr_SetString(PyExc_ValueError, "bufsize must be non-negative");
        return NULL;
    }
    if (!cside_room_open(&room, bufsize ? (size_t)bufsize : 1, &stream))
        return NULL;
    if ((status = cs_inflate_init(&stream, wbits)) < 0) {
        if (status == CS_E_MEMORY)
            PyErr_SetString(PyExc_MemoryError, "Out of memory while decompressing data");
        else
            cside_raise_codec(status, "while preparing to decompress data", stream.message);
        goto done;
    }
    for (;;) {
        Py_BEGIN_ALLOW_THREADS
        status = cs_inflate(&stream, CS_FLUSH_FINISH);
        Py_END_ALLOW_THREADS
        if ((status != CS_OK && status != CS_E_BUFFER) || stream.avail_out != 0)
            break;
        if (!cside_room_grow(&room, PY_SSIZE_T_MAX, &stream)) {
            cs_inflate_end(&stream);
            goto done;
        }
    }
    if (status == CS_E_MEMORY)
        PyErr_SetString(PyExc_MemoryError, "Out of memory while decompressing data");
    else if (status != CS_STREAM_END)
        cside_raise_codec(status, "while decompressing data", stream.message);
    cs_inflate_end(&stream);
    if (status == CS_STREAM_END) {
        result = cside_room_take(&room, &stream);
        room.bytes = NULL;
    }
done:
    Py_XDECREF(room.bytes);
    return result;
}
%}

%feature("kwargs") compress;
PyObject *compress(const uint8_t *in, size_t in_nbytes, int32_t level = -1, int32_t wbits = 15);

%feature("kwargs") decompress;
PyObject *decompress(const uint8_t *in, size_t in_nbytes, int32_t wbits = 15, Py_ssize_t bufsize = 16384);

%typemap(in) PyObject *lambda {
    if (!cside_callable($input))
        SWIG_fail;
    $1 = $input;
}
%feature("kwargs") compress_progress;
PyObject *compress_progress(const uint8_t *in, size_t in_nbytes, PyObject *lambda, int32_t level = -1,
                            int32_t wbits = 15);
