/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_decompress.c - decompressobj() and the type of its streams, Decompress; and the type _ZlibDecompressor.
 */
#include "add.h"
#include "buffers.h"
#include "codec_errors.h"
#include "codec_lock.h"
#include "codec_output.h"
#include "convert.h"
#include "docstrings.h"
#include "guard.h"
#include "keywords.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/codec.h"

#include <stddef.h>
#include <string.h>

/* This type supports garbage collection, because zdict can be any object with a buffer and so be part of a cycle. */
typedef struct decompress_object {
    PyObject_HEAD
    cs_stream stream;
    core_lock lock;
    bool eof;
    PyObject *unused_data;     /* bytes */
    PyObject *unconsumed_tail; /* bytes */
    PyObject *zdict;           /* the argument of decompressobj(), or NULL */
} decompress_object;

/** What one call works with. Buffers of Python objects are got before the lock is taken, and exceptions are raised
 *  after it is released. */
typedef struct inflate_call {
    core_bytes input;
    core_bytes dictionary;
    bool with_dictionary;
    bool raised; /* a Python exception is set */
    const char *doing;
    cs_status status;
    PyObject *result;
    char text[CORE_ERROR_TEXT_NBYTES];
} inflate_call;

static const char *const decompressobj_names[] = {"wbits", "zdict"};
static const core_signature decompressobj_signature = {"decompressobj", 0, 0, 2, decompressobj_names};
static const char *const decompress_names[] = {"data", "max_length"};
static const core_signature decompress_signature = {"decompress", 1, 1, 2, decompress_names};

/* ---- construction and destruction ------------------------------------------------------------- */

static decompress_object *decompress_alloc(PyTypeObject *type)
{
    decompress_object *self = (decompress_object *)type->tp_alloc(type, 0); /* all fields are zero */

    if (self == NULL) {
        return NULL;
    }
    self->unused_data = PyBytes_FromStringAndSize(NULL, 0);
    self->unconsumed_tail = PyBytes_FromStringAndSize(NULL, 0);
    if (self->unused_data == NULL || self->unconsumed_tail == NULL || core_lock_make(&self->lock) < 0) {
        Py_CLEAR(self);
    }
    return self;
}

static int decompress_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((decompress_object *)object)->zdict);
    return 0;
}

static int decompress_clear(PyObject *object)
{
    Py_CLEAR(((decompress_object *)object)->zdict);
    return 0;
}

static void decompress_dealloc(PyObject *object)
{
    decompress_object *self = (decompress_object *)object;
    PyTypeObject *type = Py_TYPE(object);

    PyObject_GC_UnTrack(object);
    if (self->stream.engine != NULL) {
        (void)cs_inflate_end(&self->stream);
    }
    core_lock_free(&self->lock);
    Py_XDECREF(self->unused_data);
    Py_XDECREF(self->unconsumed_tail);
    Py_XDECREF(self->zdict);
    type->tp_free(object);
    Py_DECREF(type);
}

/** Raise the exception if a decompression object could not be made. Returns 0 for a status of success, otherwise -1. */
static int check_created(core_state *state, cs_status status, const char *message)
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

static PyObject *decompressobj(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    core_state *state = core_state_of(module);
    PyObject *given[2];
    core_bytes dictionary;
    decompress_object *self = NULL;
    int32_t window_bits = CS_WINDOW_BITS_MAX;
    cs_status status = CS_OK;

    if (core_arguments(&decompressobj_signature, args, nargs, kwnames, given) < 0 ||
        (given[0] != NULL && core_as_int32(given[0], &window_bits) < 0)) {
        return NULL;
    }
    if (given[1] != NULL && !PyObject_CheckBuffer(given[1])) {
        PyErr_SetString(PyExc_TypeError, "zdict argument must support the buffer protocol");
        return NULL;
    }
    self = decompress_alloc(state->decompress_type);
    if (self == NULL) {
        return NULL;
    }
    self->zdict = Py_XNewRef(given[1]);
    status = cs_inflate_init(&self->stream, window_bits);
    if (check_created(state, status, self->stream.message) == 0 && self->zdict != NULL && window_bits < 0) {
        /* The engine never asks for the dictionary of a raw stream, so it is set at once. */
        if (core_as_bytes(self->zdict, &dictionary) == 0) {
            status = cs_inflate_set_dictionary(&self->stream, dictionary.data, dictionary.nbytes);
            core_bytes_release(&dictionary);
            if (status < 0) {
                core_codec_raise(state, status, "while setting zdict", self->stream.message);
            }
        }
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

/* ---- decompress and flush --------------------------------------------------------------------- */

/** Replace a field that getters read by `bytes`, a new reference. Returns 0, or -1 if `bytes` is NULL, which means that
 *  MemoryError is set. */
static int replace(decompress_object *self, PyObject **field, PyObject *bytes)
{
    PyObject *old = NULL;

    if (bytes == NULL) {
        return -1;
    }
    CORE_BEGIN_GUARD(self);
    old = *field;
    *field = bytes;
    CORE_END_GUARD();
    Py_DECREF(old);
    return 0;
}

/** Store the input that the engine did not use: in unused_data if the stream has ended, otherwise in unconsumed_tail.
 *  Returns 0, or -1 with MemoryError. */
static int keep_rest(decompress_object *self, cs_status status)
{
    cs_stream *stream = &self->stream;

    if (status == CS_STREAM_END && stream->avail_in > 0) {
        size_t old_nbytes = (size_t)PyBytes_GET_SIZE(self->unused_data);
        PyObject *joined = NULL;

        if (stream->avail_in > (size_t)PY_SSIZE_T_MAX - old_nbytes) {
            PyErr_NoMemory();
            return -1;
        }
        joined = core_new_bytes(old_nbytes + stream->avail_in);
        if (joined == NULL) {
            return -1;
        }
        memcpy(PyBytes_AS_STRING(joined), PyBytes_AS_STRING(self->unused_data), old_nbytes);
        memcpy(PyBytes_AS_STRING(joined) + old_nbytes, stream->next_in, stream->avail_in);
        (void)replace(self, &self->unused_data, joined);
        stream->avail_in = 0;
    }
    if (stream->avail_in > 0 || PyBytes_GET_SIZE(self->unconsumed_tail) > 0) {
        const char *rest = stream->avail_in > 0 ? (const char *)stream->next_in : NULL;

        return replace(self, &self->unconsumed_tail, PyBytes_FromStringAndSize(rest, (Py_ssize_t)stream->avail_in));
    }
    return 0;
}

/** Call the engine until it has used its input, has reached the limit, or has ended or failed; the caller holds the
 *  lock. It sets call->status. Returns false, with call->raised set, if memory runs out, and if a dictionary is
 *  refused. */
static bool inflate_engine(cs_stream *stream, inflate_call *call, int32_t flush, core_output *output)
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

/** Write the text of the error if the engine failed. The caller holds the lock. */
static void inflate_text(const cs_stream *stream, inflate_call *call)
{
    if (call->status < 0 || call->status == CS_NEED_DICT) {
        cs_codec_error_text(call->status, call->doing, stream->message, call->text, sizeof(call->text));
    }
}

/** The part of a call that runs while the lock is held. */
static void inflate_locked(decompress_object *self, inflate_call *call, int32_t flush, size_t first, size_t limit)
{
    cs_stream *stream = &self->stream;
    core_output output = {NULL, 0, 0};

    stream->next_in = call->input.data;
    stream->avail_in = call->input.nbytes;
    call->raised = core_output_start(&output, stream, first, limit) < 0;
    if (call->raised || !inflate_engine(stream, call, flush, &output)) {
        goto exit;
    }
    if (keep_rest(self, call->status) < 0) {
        call->raised = true;
        goto exit;
    }
    if (call->status == CS_STREAM_END) {
        CORE_BEGIN_GUARD(self);
        self->eof = true;
        CORE_END_GUARD();
    }
    call->result = core_output_finish(&output, stream);
    call->raised = call->result == NULL;
exit:
    inflate_text(stream, call);
    stream->next_in = NULL;
    stream->avail_in = 0;
    core_output_drop(&output);
}

static PyObject *decompress_decompress(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    decompress_object *self = (decompress_object *)object;
    inflate_call call = {.doing = "while decompressing data"};
    PyObject *given[2];
    Py_ssize_t max_length = 0;

    if (core_arguments(&decompress_signature, args, nargs, kwnames, given) < 0 ||
        core_as_bytes(given[0], &call.input) < 0) {
        return NULL;
    }
    if (given[1] != NULL && core_as_ssize(given[1], &max_length) < 0) {
        goto exit;
    }
    if (max_length < 0) {
        PyErr_SetString(PyExc_ValueError, "max_length must be non-negative");
        goto exit;
    }
    if (self->zdict != NULL) {
        if (core_as_bytes(self->zdict, &call.dictionary) < 0) {
            goto exit;
        }
        call.with_dictionary = true;
    }
    core_lock_take(&self->lock);
    inflate_locked(self, &call, CS_FLUSH_SYNC, CS_OUT_FIRST_NBYTES,
                   max_length == 0 ? (size_t)PY_SSIZE_T_MAX : (size_t)max_length);
    core_lock_give(&self->lock);
    if (!call.raised && (call.status < 0 || call.status == CS_NEED_DICT)) {
        Py_CLEAR(call.result);
        PyErr_SetString(core_state_of_instance(object)->codec_error, call.text);
    }
exit:
    core_bytes_release(&call.dictionary);
    core_bytes_release(&call.input);
    return call.result;
}

static PyObject *decompress_flush(PyObject *object, PyObject *const *args, Py_ssize_t nargs)
{
    decompress_object *self = (decompress_object *)object;
    inflate_call call = {.doing = "while decompressing data"};
    PyObject *tail = NULL;
    Py_ssize_t length = CS_OUT_FIRST_NBYTES;
    cs_status ended = CS_OK;

    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError, "flush() takes at most 1 argument (%zd given)", nargs);
        return NULL;
    }
    if (nargs == 1 && core_as_ssize(args[0], &length) < 0) {
        return NULL;
    }
    if (length <= 0) {
        PyErr_SetString(PyExc_ValueError, "length must be greater than zero");
        return NULL;
    }
    core_lock_take(&self->lock);
    tail = Py_NewRef(self->unconsumed_tail); /* it is replaced only under the lock, which is held */
    (void)core_as_bytes(tail, &call.input);  /* cannot fail for an exact bytes */
    inflate_locked(self, &call, CS_FLUSH_FINISH, (size_t)length, (size_t)PY_SSIZE_T_MAX);
    if (!call.raised && call.status == CS_STREAM_END) {
        ended = cs_inflate_end(&self->stream);
        if (ended < 0) {
            cs_codec_error_text(ended, "while finishing decompression", self->stream.message, call.text,
                                sizeof(call.text));
        }
    }
    core_lock_give(&self->lock);
    Py_DECREF(tail);
    /* To flush a stream that has ended is no error. Corrupt data is one, as in the zlib of Python 3.14 and later. */
    if (ended < 0 || (!call.raised && call.status != CS_E_STREAM && (call.status < 0 || call.status == CS_NEED_DICT))) {
        Py_CLEAR(call.result);
        PyErr_SetString(core_state_of_instance(object)->codec_error, call.text);
    }
    return call.result;
}

static PyObject *decompress_copy(PyObject *object, PyObject *Py_UNUSED(none))
{
    decompress_object *self = (decompress_object *)object;
    core_state *state = core_state_of_instance(object);
    char text[CORE_ERROR_TEXT_NBYTES] = "";
    decompress_object *copy = decompress_alloc(state->decompress_type);
    cs_status status = CS_OK;

    if (copy == NULL) {
        return NULL;
    }
    copy->zdict = Py_XNewRef(self->zdict);
    core_lock_take(&self->lock);
    status = cs_inflate_copy(&copy->stream, &self->stream);
    if (status < 0) {
        cs_codec_error_text(status, "while copying decompression object", self->stream.message, text, sizeof(text));
    } else {
        Py_SETREF(copy->unused_data, Py_NewRef(self->unused_data));
        Py_SETREF(copy->unconsumed_tail, Py_NewRef(self->unconsumed_tail));
        copy->eof = self->eof;
    }
    core_lock_give(&self->lock);
    if (status < 0) {
        Py_CLEAR(copy);
        if (status == CS_E_STREAM) {
            PyErr_SetString(PyExc_ValueError, "Inconsistent stream state");
        } else if (status == CS_E_MEMORY) {
            PyErr_SetString(PyExc_MemoryError, "Can't allocate memory for decompression object");
        } else {
            PyErr_SetString(state->codec_error, text);
        }
    }
    return (PyObject *)copy;
}

/* ---- attributes ------------------------------------------------------------------------------- */

/* These are getters and not PyMemberDef, because without a GIL a plain read could race with replace(). They do not wait
 * for the lock of the stream. */
static PyObject *get_unused_data(PyObject *object, void *Py_UNUSED(closure))
{
    PyObject *value = NULL;

    CORE_BEGIN_GUARD(object);
    value = Py_NewRef(((decompress_object *)object)->unused_data);
    CORE_END_GUARD();
    return value;
}

static PyObject *get_unconsumed_tail(PyObject *object, void *Py_UNUSED(closure))
{
    PyObject *value = NULL;

    CORE_BEGIN_GUARD(object);
    value = Py_NewRef(((decompress_object *)object)->unconsumed_tail);
    CORE_END_GUARD();
    return value;
}

static PyObject *get_eof(PyObject *object, void *Py_UNUSED(closure))
{
    bool eof = false;

    CORE_BEGIN_GUARD(object);
    eof = ((decompress_object *)object)->eof;
    CORE_END_GUARD();
    return PyBool_FromLong(eof);
}

static PyGetSetDef decompress_getset[] = {
    {"unused_data", get_unused_data, NULL, DOC_Decompress_unused_data, NULL},
    {"unconsumed_tail", get_unconsumed_tail, NULL, DOC_Decompress_unconsumed_tail, NULL},
    {"eof", get_eof, NULL, DOC_Decompress_eof, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef decompress_methods[] = {
    {"decompress", CORE_FUNCTION(decompress_decompress), METH_FASTCALL | METH_KEYWORDS, DOC_Decompress_decompress},
    {"flush", CORE_FUNCTION(decompress_flush), METH_FASTCALL, DOC_Decompress_flush},
    {"copy", decompress_copy, METH_NOARGS, DOC_Decompress_copy},
    {"__copy__", decompress_copy, METH_NOARGS, DOC_Decompress___copy__},
    {"__deepcopy__", decompress_copy, METH_O, DOC_Decompress___deepcopy__},
    {"__reduce_ex__", core_codec_reduce, METH_O, "__reduce_ex__($self, protocol, /)\n--\n\n"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot decompress_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC_Decompress},
    {Py_tp_dealloc, CORE_SLOT(decompress_dealloc)},
    {Py_tp_traverse, CORE_SLOT(decompress_traverse)},
    {Py_tp_clear, CORE_SLOT(decompress_clear)},
    {Py_tp_methods, decompress_methods},
    {Py_tp_getset, decompress_getset},
    {0, NULL},
};

static PyType_Spec decompress_spec = {
    .name = "cside_cext._core.Decompress",
    .basicsize = sizeof(decompress_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = decompress_slots,
};

/* ---- _ZlibDecompressor ------------------------------------------------------------------------ */

/* The dictionary is a copy, so that no object can be part of a cycle except the type and its module. The fields are
 * changed while both the lock and the guard are held, so the lock's owner may read them without the guard, and the
 * getters by the guard alone, without waiting for the engine. */
typedef struct decompressor_object {
    PyObject_HEAD
    cs_stream stream;
    core_lock lock;
    bool eof;
    bool needs_input;
    PyObject *unused_data; /* bytes */
    PyObject *zdict;       /* bytes, or NULL */
    uint8_t *kept;         /* memory for input that the engine has not used yet, or NULL */
    size_t kept_room;      /* size of that memory */
    size_t kept_start;     /* offset of the first byte that was not used */
    size_t kept_nbytes;    /* number of bytes that were not used */
} decompressor_object;

/** A first output buffer is not larger than this, whatever the limit is; the same bound as in CPython. */
#define DECOMPRESSOR_FIRST_NBYTES ((size_t)16 * 1024 * 1024)

static const core_signature decompressor_signature = {"decompress", 0, 1, 2, decompress_names};

static void decompressor_dealloc(PyObject *object)
{
    decompressor_object *self = (decompressor_object *)object;
    PyTypeObject *type = Py_TYPE(object);

    PyObject_GC_UnTrack(object);
    if (self->stream.engine != NULL) {
        (void)cs_inflate_end(&self->stream);
    }
    core_lock_free(&self->lock);
    PyMem_Free(self->kept);
    Py_XDECREF(self->unused_data);
    Py_XDECREF(self->zdict);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyObject *decompressor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"wbits", "zdict", NULL};
    core_state *state = PyType_GetModuleState(type);
    PyObject *wbits = NULL;
    PyObject *zdict = NULL;
    decompressor_object *self = NULL;
    core_bytes dictionary = {.data = NULL};
    int32_t window_bits = CS_WINDOW_BITS_MAX;
    cs_status status = CS_OK;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:_ZlibDecompressor", names, &wbits, &zdict) ||
        (wbits != NULL && core_as_int32(wbits, &window_bits) < 0)) {
        return NULL;
    }
    if (zdict != NULL && !PyObject_CheckBuffer(zdict)) {
        PyErr_SetString(PyExc_TypeError, "zdict argument must support the buffer protocol");
        return NULL;
    }
    if (zdict != NULL && core_as_bytes(zdict, &dictionary) < 0) {
        return NULL;
    }
    self = (decompressor_object *)type->tp_alloc(type, 0); /* all fields are zero */
    if (self == NULL) {
        goto exit;
    }
    self->needs_input = true;
    self->unused_data = PyBytes_FromStringAndSize(NULL, 0);
    if (self->unused_data == NULL || core_lock_make(&self->lock) < 0) {
        Py_CLEAR(self);
        goto exit;
    }
    if (zdict != NULL) {
        self->zdict = PyBytes_FromStringAndSize((const char *)dictionary.data, (Py_ssize_t)dictionary.nbytes);
        if (self->zdict == NULL) {
            Py_CLEAR(self);
            goto exit;
        }
    }
    status = cs_inflate_init(&self->stream, window_bits);
    if (check_created(state, status, self->stream.message) < 0) {
        Py_CLEAR(self);
        goto exit;
    }
    if (self->zdict != NULL && window_bits < 0) {
        /* The engine never asks for the dictionary of a raw stream, so it is set at once. */
        status = cs_inflate_set_dictionary(&self->stream, dictionary.data, dictionary.nbytes);
        if (status < 0) {
            core_codec_raise(state, status, "while setting zdict", self->stream.message);
            Py_CLEAR(self);
        }
    }
exit:
    core_bytes_release(&dictionary);
    return (PyObject *)self;
}

/** Let the stream read the kept input and then the new one. Returns 0, or -1 with MemoryError. */
static int decompressor_feed(decompressor_object *self, const core_bytes *input)
{
    if (self->kept_nbytes == 0) {
        self->stream.next_in = input->data;
        self->stream.avail_in = input->nbytes;
        return 0;
    }
    if (input->nbytes > self->kept_room - self->kept_start - self->kept_nbytes) {
        size_t nbytes = self->kept_nbytes + input->nbytes; /* cannot overflow, since both are in memory */

        if (nbytes <= self->kept_room) {
            memmove(self->kept, self->kept + self->kept_start, self->kept_nbytes);
        } else {
            size_t room = nbytes > 2 * self->kept_room ? nbytes : 2 * self->kept_room;
            uint8_t *memory = PyMem_Malloc(room);

            if (memory == NULL) {
                PyErr_NoMemory();
                return -1;
            }
            memcpy(memory, self->kept + self->kept_start, self->kept_nbytes);
            PyMem_Free(self->kept);
            self->kept = memory;
            self->kept_room = room;
        }
        self->kept_start = 0;
    }
    if (input->nbytes > 0) {
        memcpy(self->kept + self->kept_start + self->kept_nbytes, input->data, input->nbytes);
        self->kept_nbytes += input->nbytes;
    }
    self->stream.next_in = self->kept + self->kept_start;
    self->stream.avail_in = self->kept_nbytes;
    return 0;
}

/** Store the input that the engine did not use, for the next call or, after the end, as unused_data. Returns 0, or -1
 *  with MemoryError. */
static int decompressor_keep(decompressor_object *self, bool ended)
{
    cs_stream *stream = &self->stream;
    PyObject *unused = NULL;

    if (ended && stream->avail_in > 0) {
        unused = core_new_bytes(stream->avail_in);
        if (unused == NULL) {
            return -1;
        }
        memcpy(PyBytes_AS_STRING(unused), stream->next_in, stream->avail_in);
    } else if (stream->avail_in > 0 && self->kept_nbytes > 0) { /* the stream read from the kept input */
        self->kept_start = (size_t)(stream->next_in - self->kept);
    } else if (stream->avail_in > 0) {
        if (stream->avail_in > self->kept_room) {
            uint8_t *memory = PyMem_Malloc(stream->avail_in);

            if (memory == NULL) {
                PyErr_NoMemory();
                return -1;
            }
            PyMem_Free(self->kept);
            self->kept = memory;
            self->kept_room = stream->avail_in;
        }
        memcpy(self->kept, stream->next_in, stream->avail_in);
        self->kept_start = 0;
    }
    self->kept_nbytes = ended ? 0 : stream->avail_in;
    if (ended) {
        PyMem_Free(self->kept);
        self->kept = NULL;
        self->kept_room = 0;
    }
    CORE_BEGIN_GUARD(self);
    if (unused != NULL) {
        Py_SETREF(self->unused_data, unused);
    }
    self->eof = ended;
    self->needs_input = !ended && stream->avail_in == 0;
    CORE_END_GUARD();
    return 0;
}

/** The part of a call that runs while the lock is held. */
static void decompressor_locked(decompressor_object *self, inflate_call *call, size_t first, size_t limit)
{
    cs_stream *stream = &self->stream;
    core_output output = {NULL, 0, 0};

    call->raised = core_output_start(&output, stream, first, limit) < 0 || decompressor_feed(self, &call->input) < 0;
    if (call->raised || !inflate_engine(stream, call, CS_FLUSH_SYNC, &output)) {
        goto exit;
    }
    if (call->status < 0 || call->status == CS_NEED_DICT) {
        goto exit;
    }
    call->raised = decompressor_keep(self, call->status == CS_STREAM_END) < 0;
    if (!call->raised && call->status == CS_STREAM_END) {
        cs_status ended = cs_inflate_end(stream); /* its memory is of no use any more, and the object may live on */

        if (ended < 0) {
            call->status = ended;
            call->doing = "while finishing decompression";
            goto exit;
        }
    }
    if (!call->raised) {
        call->result = core_output_finish(&output, stream);
        call->raised = call->result == NULL;
    }
exit:
    if (call->result == NULL) {
        self->kept_nbytes = 0; /* an error drops the input, of which the engine has used an unknown part */
    }
    inflate_text(stream, call);
    stream->next_in = NULL;
    stream->avail_in = 0;
    core_output_drop(&output);
}

static PyObject *decompressor_decompress(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    decompressor_object *self = (decompressor_object *)object;
    inflate_call call = {.doing = "while decompressing data"};
    PyObject *given[2];
    Py_ssize_t max_length = -1;
    size_t first = CS_OUT_FIRST_NBYTES;
    size_t limit = (size_t)PY_SSIZE_T_MAX;
    bool ended = false;

    if (core_arguments(&decompressor_signature, args, nargs, kwnames, given) < 0 ||
        core_as_bytes(given[0], &call.input) < 0) {
        return NULL;
    }
    if (given[1] != NULL && core_as_ssize(given[1], &max_length) < 0) {
        goto exit;
    }
    if (max_length >= 0 && max_length != PY_SSIZE_T_MAX) {
        /* A reader of a file asks for blocks of one size, and nearly always gets a full one. */
        limit = (size_t)max_length;
        first = limit < DECOMPRESSOR_FIRST_NBYTES ? limit : DECOMPRESSOR_FIRST_NBYTES;
    }
    if (self->zdict != NULL) {
        core_bytes_of_bytes(self->zdict, &call.dictionary);
        call.with_dictionary = true;
    }
    core_lock_take(&self->lock);
    ended = self->eof;
    if (!ended) {
        decompressor_locked(self, &call, first, limit);
    }
    core_lock_give(&self->lock);
    if (ended) {
        PyErr_SetString(PyExc_EOFError, "End of stream already reached");
    } else if (!call.raised && (call.status < 0 || call.status == CS_NEED_DICT)) {
        PyErr_SetString(core_state_of_instance(object)->codec_error, call.text);
    }
exit:
    core_bytes_release(&call.input);
    return call.result;
}

static PyObject *decompressor_unused_data(PyObject *object, void *Py_UNUSED(closure))
{
    PyObject *value = NULL;

    CORE_BEGIN_GUARD(object);
    value = Py_NewRef(((decompressor_object *)object)->unused_data);
    CORE_END_GUARD();
    return value;
}

static PyObject *decompressor_flag(PyObject *object, void *offset)
{
    bool flag = false;

    CORE_BEGIN_GUARD(object);
    flag = *(const bool *)((const char *)object + (uintptr_t)offset);
    CORE_END_GUARD();
    return PyBool_FromLong(flag);
}

static PyGetSetDef decompressor_getset[] = {
    {"unused_data", decompressor_unused_data, NULL, DOC__ZlibDecompressor_unused_data, NULL},
    {"needs_input", decompressor_flag, NULL, DOC__ZlibDecompressor_needs_input,
     (void *)offsetof(decompressor_object, needs_input)},
    {"eof", decompressor_flag, NULL, DOC__ZlibDecompressor_eof, (void *)offsetof(decompressor_object, eof)},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef decompressor_methods[] = {
    {"decompress", CORE_FUNCTION(decompressor_decompress), METH_FASTCALL | METH_KEYWORDS,
     DOC__ZlibDecompressor_decompress},
    {"__reduce_ex__", core_codec_reduce, METH_O, "__reduce_ex__($self, protocol, /)\n--\n\n"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot decompressor_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC__ZlibDecompressor},
    {Py_tp_new, CORE_SLOT(decompressor_new)},
    {Py_tp_dealloc, CORE_SLOT(decompressor_dealloc)},
    {Py_tp_traverse, CORE_SLOT(core_visit_type)},
    {Py_tp_methods, decompressor_methods},
    {Py_tp_getset, decompressor_getset},
    {0, NULL},
};

static PyType_Spec decompressor_spec = {
    .name = "cside_cext.codec._ZlibDecompressor",
    .basicsize = sizeof(decompressor_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = decompressor_slots,
};

static PyMethodDef methods[] = {
    {"decompressobj", CORE_FUNCTION(decompressobj), METH_FASTCALL | METH_KEYWORDS, DOC_decompressobj},
    {NULL, NULL, 0, NULL},
};

int core_add_codec_decompress(PyObject *module)
{
    core_state *state = core_state_of(module);

    if (core_add_type(module, &decompress_spec, NULL, &state->decompress_type) < 0 ||
        core_add_type(module, &decompressor_spec, NULL, &state->decompressor_type) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
