/* SPDX-License-Identifier: Apache-2.0
 *
 * decompressobj, and Decompress, the class of its objects; the class _ZlibDecompressor.
 */
%{
typedef struct Decompress {
    PyObject *unused_data;
    PyObject *unconsumed_tail;
    bool eof;
    cs_stream stream;
    PyThread_type_lock lock;
    PyObject *zdict; /* bytes, or a memoryview, which fixes the size of its object; NULL: none */
} Decompress;

static void cside_decompress_free(Decompress *self)
{
    if (self == NULL)
        return;
    if (self->stream.engine != NULL)
        cs_inflate_end(&self->stream);
    if (self->lock != NULL)
        PyThread_free_lock(self->lock);
    Py_XDECREF(self->unused_data);
    Py_XDECREF(self->unconsumed_tail);
    Py_XDECREF(self->zdict);
    free(self);
}

static Decompress *cside_decompress_new(void)
{
    Decompress *self = calloc(1, sizeof *self);

    if (self == NULL) {
        PyErr_NoMemory();
    } else if (!cside_lock_new(&self->lock) || (self->unused_data = PyBytes_FromStringAndSize("", 0)) == NULL ||
               (self->unconsumed_tail = PyBytes_FromStringAndSize("", 0)) == NULL) {
        cside_decompress_free(self);
        self = NULL;
    }
    return self;
}

/* An object whose memory can be read later, with the lock held, without running Python code. */
static PyObject *cside_zdict(PyObject *object)
{
    PyObject *memory = NULL;

    if (!PyObject_CheckBuffer(object)) {
        PyErr_SetString(PyExc_TypeError, "zdict argument must support the buffer protocol");
    } else if (PyBytes_CheckExact(object)) {
        memory = Py_NewRef(object);
    } else if ((memory = PyMemoryView_FromObject(object)) != NULL &&
               !PyBuffer_IsContiguous(PyMemoryView_GET_BUFFER(memory), 'C')) {
        Py_CLEAR(memory);
        PyErr_SetString(PyExc_BufferError, "zdict is not contiguous");
    }
    return memory;
}

static bool cside_zdict_set(cs_stream *stream, PyObject *zdict)
{
    const uint8_t *start;
    size_t nbytes;
    cs_status status;

    if (PyBytes_CheckExact(zdict)) {
        start = (const uint8_t *)PyBytes_AS_STRING(zdict);
        nbytes = (size_t)PyBytes_GET_SIZE(zdict);
    } else {
        const Py_buffer *view = PyMemoryView_GET_BUFFER(zdict);
        start = view->buf;
        nbytes = (size_t)view->len;
    }
    status = cs_inflate_set_dictionary(stream, start, nbytes);
    if (status >= 0)
        return true;
    cside_raise_codec(status, "while setting zdict", stream->message);
    return false;
}

/* Start a stream, and give a raw one its dictionary, which is NULL if there is none. */
static bool cside_inflate_open(cs_stream *stream, int32_t wbits, PyObject *zdict)
{
    const cs_status status = cs_inflate_init(stream, wbits);

    if (status >= 0)
        return zdict == NULL || wbits >= 0 || cside_zdict_set(stream, zdict);
    cside_raise_open(status, "Invalid initialization option", "creating", "decompression", stream->message);
    return false;
}

/* The loop of all methods that decompress, with the lock held. Returns the status that ended it. CS_E_ABORTED means
 * that an exception is raised: the library returns it only for a stream with a progress callback, which these have
 * not. */
static cs_status cside_inflate_run(cs_stream *stream, PyObject *zdict, cside_room *room, size_t first, size_t limit,
                                   int32_t flush)
{
    cs_status status;

    if (!cside_room_open(room, first, stream))
        return CS_E_ABORTED;
    for (;;) {
        Py_BEGIN_ALLOW_THREADS
        status = cs_inflate(stream, flush);
        Py_END_ALLOW_THREADS
        if (status == CS_NEED_DICT && zdict != NULL) {
            if (!cside_zdict_set(stream, zdict))
                return CS_E_ABORTED;
            continue;
        }
        if ((status != CS_OK && status != CS_E_BUFFER) || stream->avail_out != 0 || room->nbytes >= limit)
            return status;
        if (!cside_room_grow(room, limit, stream))
            return CS_E_ABORTED;
    }
}

/* Keep the input that is left: after the end of the stream in unused_data, before it in unconsumed_tail. */
static bool cside_leftovers_keep(Decompress *self, cs_status status)
{
    cs_stream *stream = &self->stream;

    if (status == CS_STREAM_END && stream->avail_in > 0) {
        const size_t before = (size_t)PyBytes_GET_SIZE(self->unused_data);
        PyObject *unused = cside_bytes_new(before + stream->avail_in);
        if (unused == NULL)
            return false;
        memcpy(cside_bytes_start(unused), PyBytes_AS_STRING(self->unused_data), before);
        memcpy(cside_bytes_start(unused) + before, stream->next_in, stream->avail_in);
        Py_SETREF(self->unused_data, unused);
        stream->avail_in = 0;
    }
    if (stream->avail_in > 0 || PyBytes_GET_SIZE(self->unconsumed_tail) > 0) {
        const char *left = stream->avail_in > 0 ? (const char *)stream->next_in : NULL;
        PyObject *tail = PyBytes_FromStringAndSize(left, (Py_ssize_t)stream->avail_in);
        if (tail == NULL)
            return false;
        Py_SETREF(self->unconsumed_tail, tail);
    }
    return true;
}

static cs_status cside_decompress_loop(Decompress *self, cside_room *room, size_t first, size_t limit, int32_t flush)
{
    const cs_status status = cside_inflate_run(&self->stream, self->zdict, room, first, limit, flush);

    return status == CS_E_ABORTED || cside_leftovers_keep(self, status) ? status : CS_E_ABORTED;
}

static PyObject *cside_decompress_run(Decompress *self, const uint8_t *in, size_t in_nbytes, size_t limit)
{
    cs_stream *stream = &self->stream;
    cside_room room = {NULL, 0};
    PyObject *result = NULL;
    cs_status status;

    cside_lock_enter(self->lock);
    stream->next_in = in;
    stream->avail_in = in_nbytes;
    status = cside_decompress_loop(self, &room, limit < CS_OUT_FIRST_NBYTES ? limit : CS_OUT_FIRST_NBYTES, limit,
                                   CS_FLUSH_SYNC);
    if (status == CS_STREAM_END)
        self->eof = true;
    if (status == CS_OK || status == CS_STREAM_END || status == CS_E_BUFFER) {
        result = cside_room_take(&room, stream);
        room.bytes = NULL;
    } else if (status != CS_E_ABORTED) {
        cside_raise_codec(status, "while decompressing data", stream->message);
    }
    stream->next_in = NULL;
    stream->avail_in = 0;
    PyThread_release_lock(self->lock);
    Py_XDECREF(room.bytes);
    return result;
}

static PyObject *cside_decompress_flush(Decompress *self, size_t length)
{
    cs_stream *stream = &self->stream;
    cside_room room = {NULL, 0};
    PyObject *result = NULL;
    PyObject *tail;
    cs_status status;

    cside_lock_enter(self->lock);
    tail = Py_NewRef(self->unconsumed_tail);
    stream->next_in = (const uint8_t *)PyBytes_AS_STRING(tail);
    stream->avail_in = (size_t)PyBytes_GET_SIZE(tail);
    status = cside_decompress_loop(self, &room, length, PY_SSIZE_T_MAX, CS_FLUSH_FINISH);
    if (status == CS_STREAM_END) {
        self->eof = true;
        if ((status = cs_inflate_end(stream)) < 0) {
            cside_raise_codec(status, "while finishing decompression", stream->message);
            status = CS_E_ABORTED;
        }
    }
    /* After the end of the stream, and while input is missing, flush() returns what there is. Corruption raises an
     * exception, as it does in the zlib module of CPython 3.14. */
    if (status == CS_OK || status == CS_E_BUFFER || status == CS_E_STREAM) {
        result = cside_room_take(&room, stream);
        room.bytes = NULL;
    } else if (status != CS_E_ABORTED) {
        cside_raise_codec(status, "while decompressing data", stream->message);
    }
    stream->next_in = NULL;
    stream->avail_in = 0;
    PyThread_release_lock(self->lock);
    Py_XDECREF(room.bytes);
    Py_DECREF(tail);
    return result;
}

/* A copy, made while no other thread uses `self`. */
static Decompress *cside_decompress_copy(Decompress *self)
{
    Decompress *copy = cside_decompress_new();
    cs_status status;

    if (copy == NULL)
        return NULL;
    cside_lock_enter(self->lock);
    status = cs_inflate_copy(&copy->stream, &self->stream);
    if (status >= 0) {
        Py_SETREF(copy->unused_data, Py_NewRef(self->unused_data));
        Py_SETREF(copy->unconsumed_tail, Py_NewRef(self->unconsumed_tail));
        copy->zdict = Py_XNewRef(self->zdict);
        copy->eof = self->eof;
    }
    PyThread_release_lock(self->lock);
    if (status < 0) {
        cside_raise_open(status, "Inconsistent stream state", "copying", "decompression", self->stream.message);
        cside_decompress_free(copy);
        copy = NULL;
    }
    return copy;
}

static Decompress *decompressobj(int32_t wbits, PyObject *zdict)
{
    PyObject *memory = NULL;
    Decompress *self;

    if (zdict != NULL && (memory = cside_zdict(zdict)) == NULL)
        return NULL;
    if ((self = cside_decompress_new()) == NULL) {
        Py_XDECREF(memory);
        return NULL;
    }
    self->zdict = memory;
    if (!cside_inflate_open(&self->stream, wbits, memory)) {
        cside_decompress_free(self);
        return NULL;
    }
    return self;
}
%}

%feature("kwargs") Decompress::decompress;
%typemap(out) PyObject *unused_data, PyObject *unconsumed_tail "$result = Py_NewRef($1);"

%copies(Decompress, decompress)

typedef struct Decompress {
    %immutable;
    PyObject *unused_data;
    PyObject *unconsumed_tail;
    bool eof;
    %mutable;
    %extend {
        ~Decompress()
        {
            cside_decompress_free($self);
        }
        PyObject *decompress(const uint8_t *in, size_t in_nbytes, Py_ssize_t max_length = 0)
        {
            if (max_length < 0) {
                PyErr_SetString(PyExc_ValueError, "max_length must be non-negative");
                return NULL;
            }
            return cside_decompress_run($self, in, in_nbytes, max_length ? (size_t)max_length : PY_SSIZE_T_MAX);
        }
        PyObject *flush(Py_ssize_t length = 16384)
        {
            if (length <= 0) {
                PyErr_SetString(PyExc_ValueError, "length must be greater than zero");
                return NULL;
            }
            return cside_decompress_flush($self, (size_t)length);
        }
    }
} Decompress;

%newobject decompressobj;
%raises_itself(decompressobj)
%feature("kwargs") decompressobj;
Decompress *decompressobj(int32_t wbits = 15, PyObject *zdict = NULL);

/* ---- _ZlibDecompressor ------------------------------------------------------------------------------------------- */

%{
/* Input that was not used is kept in memory of its own, and the stream's next_in points into it between two calls. */
typedef struct ZlibDecompressor {
    PyObject *unused_data;
    bool needs_input;
    bool eof;
    cs_stream stream;
    PyThread_type_lock lock;
    PyObject *zdict; /* bytes; NULL: none */
    uint8_t *kept;   /* `kept_room` bytes; NULL: none */
    size_t kept_room;
} ZlibDecompressor;

static void cside_decompressor_free(ZlibDecompressor *self)
{
    if (self->stream.engine != NULL)
        cs_inflate_end(&self->stream);
    if (self->lock != NULL)
        PyThread_free_lock(self->lock);
    Py_XDECREF(self->unused_data);
    Py_XDECREF(self->zdict);
    PyMem_Free(self->kept);
    free(self);
}

/* The dictionary as bytes: a copy, unless it is bytes. */
static PyObject *cside_zdict_copy(PyObject *object)
{
    PyObject *bytes;
    Py_buffer view;

    if (PyBytes_CheckExact(object))
        return Py_NewRef(object);
    if (!PyObject_CheckBuffer(object)) {
        PyErr_SetString(PyExc_TypeError, "zdict argument must support the buffer protocol");
        return NULL;
    }
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    bytes = PyBytes_FromStringAndSize(view.buf, view.len);
    PyBuffer_Release(&view);
    return bytes;
}

static ZlibDecompressor *cside_decompressor_new(int32_t wbits, PyObject *zdict)
{
    ZlibDecompressor *self = calloc(1, sizeof *self);

    if (self == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    self->needs_input = true;
    if ((zdict != NULL && (self->zdict = cside_zdict_copy(zdict)) == NULL) || !cside_lock_new(&self->lock) ||
        (self->unused_data = PyBytes_FromStringAndSize("", 0)) == NULL ||
        !cside_inflate_open(&self->stream, wbits, self->zdict)) {
        cside_decompressor_free(self);
        return NULL;
    }
    return self;
}

/* Put `in` behind the input that was kept, of which there is some. */
static bool cside_kept_append(ZlibDecompressor *self, const uint8_t *in, size_t in_nbytes)
{
    cs_stream *stream = &self->stream;
    const size_t nbytes = stream->avail_in;
    const size_t before = (size_t)(stream->next_in - self->kept);

    if (in_nbytes > self->kept_room - before - nbytes) {
        if (in_nbytes > PY_SSIZE_T_MAX - nbytes) {
            PyErr_NoMemory();
            return false;
        }
        if (before > 0) {
            memmove(self->kept, stream->next_in, nbytes);
            stream->next_in = self->kept;
        }
        if (in_nbytes > self->kept_room - nbytes) {
            uint8_t *kept = PyMem_Realloc(self->kept, nbytes + in_nbytes);
            if (kept == NULL) {
                PyErr_NoMemory();
                return false;
            }
            self->kept = kept;
            self->kept_room = nbytes + in_nbytes;
            stream->next_in = kept;
        }
    }
    if (in_nbytes > 0)
        memcpy(self->kept + (stream->next_in - self->kept) + nbytes, in, in_nbytes);
    stream->avail_in = nbytes + in_nbytes;
    return true;
}

/* Keep the end of the caller's input, of which there is some. */
static bool cside_kept_start(ZlibDecompressor *self)
{
    cs_stream *stream = &self->stream;

    if (self->kept_room < stream->avail_in) {
        uint8_t *kept = PyMem_Malloc(stream->avail_in);
        if (kept == NULL) {
            PyErr_NoMemory();
            return false;
        }
        PyMem_Free(self->kept);
        self->kept = kept;
        self->kept_room = stream->avail_in;
    }
    memcpy(self->kept, stream->next_in, stream->avail_in);
    stream->next_in = self->kept;
    return true;
}

/* The end of the stream: release what only a running stream needs. */
static bool cside_decompressor_finish(ZlibDecompressor *self)
{
    cs_stream *stream = &self->stream;
    PyObject *unused = NULL;
    cs_status status;

    if (stream->avail_in > 0) {
        if ((unused = PyBytes_FromStringAndSize((const char *)stream->next_in, (Py_ssize_t)stream->avail_in)) == NULL)
            return false;
        Py_SETREF(self->unused_data, unused);
    }
    stream->avail_in = 0;
    self->eof = true;
    self->needs_input = false;
    PyMem_Free(self->kept);
    self->kept = NULL;
    self->kept_room = 0;
    if ((status = cs_inflate_end(stream)) >= 0)
        return true;
    cside_raise_codec(status, "while finishing decompression", stream->message);
    return false;
}

/* The first output buffer of a call with a limit has at most this size, as in CPython. */
#define CSIDE_OUT_FIRST_MAX_NBYTES ((size_t)16 << 20)

static PyObject *cside_decompressor_run(ZlibDecompressor *self, const uint8_t *in, size_t in_nbytes, size_t limit)
{
    cs_stream *stream = &self->stream;
    cside_room room = {NULL, 0};
    PyObject *result = NULL;
    bool from_kept, done = false;
    size_t first;
    cs_status status;

    cside_lock_enter(self->lock);
    if (self->eof) {
        PyErr_SetString(PyExc_EOFError, "End of stream already reached");
        goto leave;
    }
    from_kept = stream->avail_in > 0;
    if (from_kept) {
        if (!cside_kept_append(self, in, in_nbytes))
            goto leave; /* what was kept before is still there */
    } else {
        stream->next_in = in;
        stream->avail_in = in_nbytes;
    }
    if (limit == PY_SSIZE_T_MAX)
        first = CS_OUT_FIRST_NBYTES;
    else
        first = limit < CSIDE_OUT_FIRST_MAX_NBYTES ? limit : CSIDE_OUT_FIRST_MAX_NBYTES;
    status = cside_inflate_run(stream, self->zdict, &room, first, limit, CS_FLUSH_SYNC);
    if (status == CS_STREAM_END) {
        done = cside_decompressor_finish(self);
    } else if (status == CS_OK || status == CS_E_BUFFER) {
        self->needs_input = stream->avail_in == 0;
        done = self->needs_input || from_kept || cside_kept_start(self);
    } else if (status != CS_E_ABORTED) {
        cside_raise_codec(status, "while decompressing data", stream->message);
    }
    if (done) {
        result = cside_room_take(&room, stream);
        room.bytes = NULL;
    }
    if (!done || stream->avail_in == 0) {
        stream->next_in = NULL;
        stream->avail_in = 0;
    }
leave:
    PyThread_release_lock(self->lock);
    Py_XDECREF(room.bytes);
    return result;
}
%}

%rename(_ZlibDecompressor) ZlibDecompressor;
%raises_itself(ZlibDecompressor::ZlibDecompressor)
%feature("kwargs") ZlibDecompressor::ZlibDecompressor;
%feature("kwargs") ZlibDecompressor::decompress;

typedef struct ZlibDecompressor {
    %immutable;
    PyObject *unused_data;
    bool needs_input;
    bool eof;
    %mutable;
    %extend {
        ZlibDecompressor(int32_t wbits = 15, PyObject *zdict = NULL)
        {
            return cside_decompressor_new(wbits, zdict);
        }
        ~ZlibDecompressor()
        {
            cside_decompressor_free($self);
        }
        PyObject *decompress(const uint8_t *data, size_t data_nbytes, Py_ssize_t max_length = -1)
        {
            return cside_decompressor_run($self, data, data_nbytes,
                                          max_length < 0 ? PY_SSIZE_T_MAX : (size_t)max_length);
        }
        PyObject *__reduce_ex__(PyObject *protocol)
        {
            (void)protocol;
            PyErr_SetString(PyExc_TypeError, "cannot pickle '_ZlibDecompressor' object");
            return NULL;
        }
    }
} ZlibDecompressor;
