/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_decompress.c - decompressobj() and the type of its streams, Decompress.
 */
#include "add.h"
#include "buffers.h"
#include "codec_errors.h"
#include "codec_inflate.h"
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
    if (core_inflate_created(state, status, self->stream.message) == 0 && self->zdict != NULL && window_bits < 0) {
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

/** The part of a call that runs while the lock is held. */
static void inflate_locked(decompress_object *self, core_inflate_call *call, int32_t flush, size_t first, size_t limit)
{
    cs_stream *stream = &self->stream;
    core_output output = {NULL, 0, 0};

    stream->next_in = call->input.data;
    stream->avail_in = call->input.nbytes;
    call->raised = core_output_start(&output, stream, first, limit) < 0;
    if (call->raised || !core_inflate(stream, call, flush, &output)) {
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
    core_inflate_text(stream, call);
    stream->next_in = NULL;
    stream->avail_in = 0;
    core_output_drop(&output);
}

static PyObject *decompress_decompress(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    decompress_object *self = (decompress_object *)object;
    core_inflate_call call = {.doing = "while decompressing data"};
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
    core_inflate_call call = {.doing = "while decompressing data"};
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

static PyMethodDef methods[] = {
    {"decompressobj", CORE_FUNCTION(decompressobj), METH_FASTCALL | METH_KEYWORDS, DOC_decompressobj},
    {NULL, NULL, 0, NULL},
};

int core_add_codec_decompress(PyObject *module)
{
    core_state *state = core_state_of(module);

    if (core_add_type(module, &decompress_spec, NULL, &state->decompress_type) < 0 ||
        core_add_codec_decompressor(module) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
