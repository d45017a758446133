/* SPDX-License-Identifier: Apache-2.0
 *
 * decompressobj, and Decompress, the class of its objects.
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

static bool cside_zdict_set(Decompress *self)
{
    const uint8_t *start;
    size_t nbytes;
    cs_status status;

    if (PyBytes_CheckExact(self->zdict)) {
        start = (const uint8_t *)PyBytes_AS_STRING(self->zdict);
        nbytes = (size_t)PyBytes_GET_SIZE(self->zdict);
    } else {
        const Py_buffer *view = PyMemoryView_GET_BUFFER(self->zdict);
        start = view->buf;
        nbytes = (size_t)view->len;
    }
    status = cs_inflate_set_dictionary(&self->stream, start, nbytes);
    if (status >= 0)
        return true;
    cside_raise_codec(status, "while setting zdict", self->stream.message);
    return false;
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

/* The loop of decompress() and flush(), with the lock held. Returns the status that ended it. CS_E_ABORTED means that
 * an exception is raised: the library returns it only for a stream with a progress callback, which this one has not. */
static cs_status cside_decompress_loop(Decompress *self, cside_room *room, size_t first, size_t limit, int32_t flush)
{
    cs_stream *stream = &self->stream;
    cs_status status;

    if (!cside_room_open(room, first, stream))
        return CS_E_ABORTED;
    for (;;) {
        Py_BEGIN_ALLOW_THREADS
        status = cs_inflate(stream, flush);
        Py_END_ALLOW_THREADS
        if (status == CS_NEED_DICT && self->zdict != NULL) {
            if (!cside_zdict_set(self))
                return CS_E_ABORTED;
            continue;
        }
        if ((status != CS_OK && status != CS_E_BUFFER) || stream->avail_out != 0 || room->nbytes >= limit)
            break;
        if (!cside_room_grow(room, limit, stream))
            return CS_E_ABORTED;
    }
    return cside_leftovers_keep(self, status) ? status : CS_E_ABORTED;
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
    Decompress *self = NULL;
    cs_status status;

    if (zdict != NULL && (memory = cside_zdict(zdict)) == NULL)
        return NULL;
    if ((self = cside_decompress_new()) == NULL) {
        Py_XDECREF(memory);
        return NULL;
    }
    self->zdict = memory;
    status = cs_inflate_init(&self->stream, wbits);
    if (status < 0) {
        cside_raise_open(status, "Invalid initialization option", "creating", "decompression",
                         self->stream.message);
    } else if (memory == NULL || wbits >= 0 || cside_zdict_set(self)) {
        return self;
    }
    cside_decompress_free(self);
    return NULL;
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
