/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_decompressor.c - the type _ZlibDecompressor.
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

static const char *const decompress_names[] = {"data", "max_length"};
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
    if (core_inflate_created(state, status, self->stream.message) < 0) {
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
static void decompressor_locked(decompressor_object *self, core_inflate_call *call, size_t first, size_t limit)
{
    cs_stream *stream = &self->stream;
    core_output output = {NULL, 0, 0};

    call->raised = core_output_start(&output, stream, first, limit) < 0 || decompressor_feed(self, &call->input) < 0;
    if (call->raised || !core_inflate(stream, call, CS_FLUSH_SYNC, &output)) {
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
    core_inflate_text(stream, call);
    stream->next_in = NULL;
    stream->avail_in = 0;
    core_output_drop(&output);
}

static PyObject *decompressor_decompress(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    decompressor_object *self = (decompressor_object *)object;
    core_inflate_call call = {.doing = "while decompressing data"};
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

int core_add_codec_decompressor(PyObject *module)
{
    return core_add_type(module, &decompressor_spec, NULL, &core_state_of(module)->decompressor_type);
}
