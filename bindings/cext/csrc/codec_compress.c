/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_compress.c - compressobj() and the type of its streams, Compress.
 */
#include "add.h"
#include "buffers.h"
#include "codec_errors.h"
#include "codec_lock.h"
#include "codec_output.h"
#include "convert.h"
#include "docstrings.h"
#include "keywords.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/codec.h"

typedef struct compress_object {
    PyObject_HEAD
    cs_stream stream; /* the library demands that its address does not change; objects do not move */
    core_lock lock;
} compress_object;

static const char *const compressobj_names[] = {"level", "method", "wbits", "memLevel", "strategy", "zdict"};
static const core_signature compressobj_signature = {"compressobj", 0, 0, 6, compressobj_names};

static compress_object *compress_alloc(PyTypeObject *type)
{
    compress_object *self = (compress_object *)type->tp_alloc(type, 0); /* all fields are zero */

    if (self != NULL && core_lock_make(&self->lock) < 0) {
        Py_CLEAR(self);
    }
    return self;
}

static void compress_dealloc(PyObject *object)
{
    compress_object *self = (compress_object *)object;
    PyTypeObject *type = Py_TYPE(object);

    PyObject_GC_UnTrack(object);
    if (self->stream.engine != NULL) {
        (void)cs_deflate_end(&self->stream);
    }
    core_lock_free(&self->lock);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyObject *raise_creating(core_state *state, cs_status status, const char *message)
{
    switch (status) {
    case CS_E_MEMORY:
        PyErr_SetString(PyExc_MemoryError, "Can't allocate memory for compression object");
        return NULL;
    case CS_E_STREAM:
        PyErr_SetString(PyExc_ValueError, "Invalid initialization option");
        return NULL;
    default:
        return core_codec_raise(state, status, "while creating compression object", message);
    }
}

static PyObject *compressobj(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    core_state *state = core_state_of(module);
    PyObject *given[6];
    int32_t options[5] = {CS_LEVEL_DEFAULT, CS_METHOD_DEFLATED, CS_WINDOW_BITS_MAX, CS_MEM_LEVEL_DEFAULT,
                          CS_STRATEGY_DEFAULT};
    core_bytes dictionary = {.data = NULL};
    compress_object *self = NULL;
    cs_status status = CS_OK;
    bool with_dictionary = false;

    if (core_arguments(&compressobj_signature, args, nargs, kwnames, given) < 0) {
        return NULL;
    }
    for (size_t i = 0; i < 5; i++) {
        if (given[i] != NULL && core_as_int32(given[i], &options[i]) < 0) {
            return NULL;
        }
    }
    with_dictionary = given[5] != NULL && given[5] != Py_None;
    if (with_dictionary && core_as_bytes(given[5], &dictionary) < 0) {
        return NULL;
    }
    self = compress_alloc(state->compress_type);
    if (self == NULL) {
        goto exit;
    }
    status = cs_deflate_init(&self->stream, options[0], options[1], options[2], options[3], options[4]);
    if (status < 0) {
        raise_creating(state, status, self->stream.message);
        Py_CLEAR(self);
        goto exit;
    }
    if (with_dictionary) {
        status = cs_deflate_set_dictionary(&self->stream, dictionary.data, dictionary.nbytes);
        if (status < 0) {
            PyErr_SetString(PyExc_ValueError, status == CS_E_STREAM ? "Invalid dictionary" : "deflateSetDictionary()");
            Py_CLEAR(self);
        }
    }
exit:
    core_bytes_release(&dictionary);
    return (PyObject *)self;
}

/** Call the engine until it needs no more room. The caller holds the lock. *status is the engine's last status, and
 *  unless that is a failure, *result is the output. Returns 0, or -1 with MemoryError. */
static int deflate_all(cs_stream *stream, int32_t flush, cs_status *status, PyObject **result)
{
    core_output output = {NULL, 0, 0};
    int outcome = -1;

    if (core_output_start(&output, stream, CS_OUT_FIRST_NBYTES, (size_t)PY_SSIZE_T_MAX) < 0) {
        return -1;
    }
    for (;;) {
        int grown = 0;

        Py_BEGIN_ALLOW_THREADS
        *status = cs_deflate(stream, flush);
        Py_END_ALLOW_THREADS
        if (*status != CS_OK || stream->avail_out != 0) {
            break;
        }
        grown = core_output_grow(&output, stream);
        if (grown < 0) {
            goto exit;
        }
        if (grown == 0) {
            break;
        }
    }
    if (*status == CS_E_BUFFER) {
        *status = CS_OK; /* the engine had nothing to do, which is not an error here */
    }
    if (*status >= 0) {
        *result = core_output_finish(&output, stream);
        if (*result == NULL) {
            goto exit;
        }
    }
    outcome = 0;
exit:
    core_output_drop(&output);
    return outcome;
}

static PyObject *compress_compress(PyObject *object, PyObject *data)
{
    compress_object *self = (compress_object *)object;
    char text[CORE_ERROR_TEXT_NBYTES] = "";
    core_bytes input;
    PyObject *result = NULL;
    cs_status status = CS_OK;
    int outcome = 0;

    if (core_as_bytes(data, &input) < 0) {
        return NULL;
    }
    core_lock_take(&self->lock);
    self->stream.next_in = input.data;
    self->stream.avail_in = input.nbytes;
    outcome = deflate_all(&self->stream, CS_FLUSH_NONE, &status, &result);
    if (outcome == 0 && status < 0) {
        cs_codec_error_text(status, "while compressing data", self->stream.message, text, sizeof(text));
    }
    self->stream.next_in = NULL;
    self->stream.avail_in = 0;
    core_lock_give(&self->lock);
    core_bytes_release(&input);
    if (outcome == 0 && status < 0) {
        PyErr_SetString(core_state_of_instance(object)->codec_error, text);
    }
    return result;
}

static PyObject *compress_flush(PyObject *object, PyObject *const *args, Py_ssize_t nargs)
{
    compress_object *self = (compress_object *)object;
    char text[CORE_ERROR_TEXT_NBYTES] = "";
    const char *doing = "while flushing";
    PyObject *result = NULL;
    int32_t mode = CS_FLUSH_FINISH;
    cs_status status = CS_OK;
    int outcome = 0;

    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError, "flush() takes at most 1 argument (%zd given)", nargs);
        return NULL;
    }
    if (nargs == 1 && core_as_int32(args[0], &mode) < 0) {
        return NULL;
    }
    if (mode == CS_FLUSH_NONE) {
        return PyBytes_FromStringAndSize(NULL, 0); /* as in zlib, also for a stream that has ended */
    }
    core_lock_take(&self->lock);
    self->stream.next_in = NULL;
    self->stream.avail_in = 0;
    outcome = deflate_all(&self->stream, mode, &status, &result);
    if (outcome == 0 && status == CS_STREAM_END && mode == CS_FLUSH_FINISH) {
        doing = "while finishing compression";
        status = cs_deflate_end(&self->stream);
    }
    if (outcome == 0 && status < 0) {
        cs_codec_error_text(status, doing, self->stream.message, text, sizeof(text));
    }
    core_lock_give(&self->lock);
    if (outcome == 0 && status < 0) {
        Py_CLEAR(result);
        PyErr_SetString(core_state_of_instance(object)->codec_error, text);
    }
    return result;
}

static PyObject *compress_copy(PyObject *object, PyObject *Py_UNUSED(none))
{
    compress_object *self = (compress_object *)object;
    core_state *state = core_state_of_instance(object);
    char text[CORE_ERROR_TEXT_NBYTES] = "";
    compress_object *copy = compress_alloc(state->compress_type);
    cs_status status = CS_OK;

    if (copy == NULL) {
        return NULL;
    }
    core_lock_take(&self->lock);
    status = cs_deflate_copy(&copy->stream, &self->stream);
    if (status < 0) {
        cs_codec_error_text(status, "while copying compression object", self->stream.message, text, sizeof(text));
    }
    core_lock_give(&self->lock);
    if (status < 0) {
        Py_CLEAR(copy);
        if (status == CS_E_STREAM) {
            PyErr_SetString(PyExc_ValueError, "Inconsistent stream state");
        } else if (status == CS_E_MEMORY) {
            PyErr_SetString(PyExc_MemoryError, "Can't allocate memory for compression object");
        } else {
            PyErr_SetString(state->codec_error, text);
        }
    }
    return (PyObject *)copy;
}

static PyMethodDef compress_methods[] = {
    {"compress", compress_compress, METH_O, DOC_Compress_compress},
    {"flush", CORE_FUNCTION(compress_flush), METH_FASTCALL, DOC_Compress_flush},
    {"copy", compress_copy, METH_NOARGS, DOC_Compress_copy},
    {"__copy__", compress_copy, METH_NOARGS, DOC_Compress___copy__},
    {"__deepcopy__", compress_copy, METH_O, DOC_Compress___deepcopy__},
    {"__reduce_ex__", core_codec_reduce, METH_O, "__reduce_ex__($self, protocol, /)\n--\n\n"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot compress_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC_Compress},
    {Py_tp_dealloc, CORE_SLOT(compress_dealloc)},
    {Py_tp_traverse, CORE_SLOT(core_visit_type)},
    {Py_tp_methods, compress_methods},
    {0, NULL},
};

static PyType_Spec compress_spec = {
    .name = "cside_cext._core.Compress",
    .basicsize = sizeof(compress_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = compress_slots,
};

static PyMethodDef methods[] = {
    {"compressobj", CORE_FUNCTION(compressobj), METH_FASTCALL | METH_KEYWORDS, DOC_compressobj},
    {NULL, NULL, 0, NULL},
};

int core_add_codec_compress(PyObject *module)
{
    if (core_add_type(module, &compress_spec, NULL, &core_state_of(module)->compress_type) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
