/* SPDX-License-Identifier: Apache-2.0
 *
 * Compressing: in one go, with a progress callback, and by a Compress: a cs_stream and the lock at which threads queue.
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

/* Called back without the GIL, on the thread that called. */
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

typedef struct Compress {
    cs_stream stream;
    PyThread_type_lock lock;
} Compress;

static void cside_compress_free(Compress *self)
{
    if (self == NULL)
        return;
    if (self->stream.engine != NULL)
        cs_deflate_end(&self->stream);
    if (self->lock != NULL)
        PyThread_free_lock(self->lock);
    free(self);
}

static Compress *cside_compress_new(void)
{
    Compress *self = calloc(1, sizeof *self);

    if (self == NULL) {
        PyErr_NoMemory();
    } else if (!cside_lock_new(&self->lock)) {
        cside_compress_free(self);
        self = NULL;
    }
    return self;
}

static PyObject *cside_compress_run(Compress *self, const uint8_t *in, size_t in_nbytes, int32_t flush,
                                    const char *doing)
{
    cs_stream *stream = &self->stream;
    cside_room room = {NULL, 0};
    PyObject *result = NULL;
    cs_status status;

    cside_lock_enter(self->lock);
    if (!cside_room_open(&room, CS_OUT_FIRST_NBYTES, stream))
        goto done;
    stream->next_in = in;
    stream->avail_in = in_nbytes;
    for (;;) {
        Py_BEGIN_ALLOW_THREADS
        status = cs_deflate(stream, flush);
        Py_END_ALLOW_THREADS
        if (status == CS_STREAM_END || stream->avail_out != 0 || (status < 0 && status != CS_E_BUFFER))
            break;
        if (!cside_room_grow(&room, PY_SSIZE_T_MAX, stream))
            goto done;
    }
    if (status == CS_STREAM_END && (status = cs_deflate_end(stream)) < 0) {
        cside_raise_codec(status, "while finishing compression", stream->message);
    } else if (status < 0 && status != CS_E_BUFFER) {
        cside_raise_codec(status, doing, stream->message);
    } else {
        result = cside_room_take(&room, stream);
        room.bytes = NULL;
    }
done:
    stream->next_in = NULL;
    stream->avail_in = 0;
    PyThread_release_lock(self->lock);
    Py_XDECREF(room.bytes);
    return result;
}

/* A copy, made while no other thread is using `self`. */
static Compress *cside_compress_copy(Compress *self)
{
    Compress *copy = cside_compress_new();
    cs_status status;

    if (copy == NULL)
        return NULL;
    cside_lock_enter(self->lock);
    status = cs_deflate_copy(&copy->stream, &self->stream);
    PyThread_release_lock(self->lock);
    if (status < 0) {
        cside_raise_open(status, "Inconsistent stream state", "copying", "compression", self->stream.message);
        cside_compress_free(copy);
        copy = NULL;
    }
    return copy;
}

static Compress *compressobj(int32_t level, int32_t method, int32_t wbits, int32_t memLevel,
                             int32_t strategy, const uint8_t *zdict, size_t zdict_nbytes)
{
    Compress *self = cside_compress_new();
    cs_status status;

    if (self == NULL)
        return NULL;
    status = cs_deflate_init(&self->stream, level, method, wbits, memLevel, strategy);
    if (status < 0) {
        cside_raise_open(status, "Invalid initialization option", "creating", "compression",
                         self->stream.message);
        goto fail;
    }
    if (zdict != NULL && (status = cs_deflate_set_dictionary(&self->stream, zdict, zdict_nbytes)) < 0) {
        PyErr_SetString(PyExc_ValueError, status == CS_E_STREAM ? "Invalid dictionary" : "deflateSetDictionary()");
        goto fail;
    }
    return self;
fail:
    cside_compress_free(self);
    return NULL;
}
%}

%feature("kwargs") compress;
PyObject *compress(const uint8_t *in, size_t in_nbytes, int32_t level = -1, int32_t wbits = 15);

%typemap(in) PyObject *lambda {
    if (!cside_callable($input))
        SWIG_fail;
    $1 = $input;
}
%feature("kwargs") compress_progress;
PyObject *compress_progress(const uint8_t *in, size_t in_nbytes, PyObject *lambda, int32_t level = -1,
                            int32_t wbits = 15);

%feature("kwargs", "0") Compress::compress; /* that of the function means every `compress` */
%copies(Compress, compress)

typedef struct Compress {
    %extend {
        ~Compress()
        {
            cside_compress_free($self);
        }
        PyObject *compress(const uint8_t *data, size_t data_nbytes)
        {
            return cside_compress_run($self, data, data_nbytes, CS_FLUSH_NONE, "while compressing data");
        }
        PyObject *flush(int32_t mode = 4)
        {
            if (mode == CS_FLUSH_NONE)
                return PyBytes_FromStringAndSize("", 0);
            return cside_compress_run($self, NULL, 0, mode, "while flushing");
        }
    }
} Compress;

%newobject compressobj;
%raises_itself(compressobj)
%feature("kwargs") compressobj;
Compress *compressobj(int32_t level = -1, int32_t method = 8, int32_t wbits = 15, int32_t memLevel = 8,
                      int32_t strategy = 0, const uint8_t *zdict = NULL, size_t zdict_nbytes = 0);
