/* SPDX-License-Identifier: Apache-2.0
 *
 * compressobj, and Compress, the class of its objects.
 */
%{
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

/* A copy, made while no other thread uses `self`. */
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

%feature("kwargs", "0") Compress::compress; /* codec_oneshot.i sets it for every `compress` */
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

/* The typemap of `data` in typemaps/buffers.i, except that None is no dictionary: then the pointer is NULL, and an
 * empty buffer has another one. */
%typemap(arginit) (const uint8_t *zdict, size_t zdict_nbytes) "view$argnum.obj = NULL;"
%typemap(in) (const uint8_t *zdict, size_t zdict_nbytes) (Py_buffer view) {
    if ($input != Py_None) {
        if (!cside_view($input, &view))
            SWIG_fail;
        $1 = view.buf ? ($1_ltype)view.buf : ($1_ltype)"";
        $2 = (size_t)view.len;
    }
}
%typemap(freearg) (const uint8_t *zdict, size_t zdict_nbytes) {
    if (view$argnum.obj)
        PyBuffer_Release(&view$argnum);
}

%newobject compressobj;
%raises_itself(compressobj)
%feature("kwargs") compressobj;
Compress *compressobj(int32_t level = -1, int32_t method = 8, int32_t wbits = 15, int32_t memLevel = 8,
                      int32_t strategy = 0, const uint8_t *zdict = NULL, size_t zdict_nbytes = 0);
