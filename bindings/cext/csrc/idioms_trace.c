/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_trace.c - the library's trace: counters and latency histograms of its functions.
 */
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/trace.h"

#include <structseq.h>

static PyObject *trace_enable(PyObject *Py_UNUSED(module), PyObject *on)
{
    bool truth = false;

    if (core_as_bool(on, &truth) < 0) {
        return NULL;
    }
    cs_trace_enable(truth);
    Py_RETURN_NONE;
}

static inline PyObject *trace_enabled_body(PyObject *Py_UNUSED(module))
{
    return PyBool_FromLong(cs_trace_enabled());
}

CORE_DEFINE_NO_ARGUMENTS(trace_enabled)

static inline PyObject *trace_reset_body(PyObject *Py_UNUSED(module))
{
    cs_trace_reset();
    Py_RETURN_NONE;
}

CORE_DEFINE_NO_ARGUMENTS(trace_reset)

static inline PyObject *trace_count_body(PyObject *Py_UNUSED(module))
{
    return PyLong_FromSize_t(cs_trace_count());
}

CORE_DEFINE_NO_ARGUMENTS(trace_count)

/** An index of a traced function. A number that does not fit size_t becomes SIZE_MAX, which is past the end. */
static int as_index(PyObject *object, size_t *out)
{
    uint64_t value = 0;

    if (core_as_uint64(object, &value) < 0) {
        return -1;
    }
    *out = value > SIZE_MAX ? SIZE_MAX : (size_t)value;
    return 0;
}

static PyObject *trace_name(PyObject *Py_UNUSED(module), PyObject *index)
{
    const char *name = NULL;
    size_t number = 0;

    if (as_index(index, &number) < 0) {
        return NULL;
    }
    name = cs_trace_name(number);
    if (name == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(name);
}

/** The counts of the histogram as a tuple. */
static PyObject *trace_histogram(const cs_trace_record *record)
{
    PyObject *histogram = PyTuple_New(CS_TRACE_BUCKETS);

    if (histogram == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < CS_TRACE_BUCKETS; i++) {
        PyObject *count = PyLong_FromUnsignedLongLong(record->histogram[i]);

        if (count == NULL) {
            Py_DECREF(histogram);
            return NULL;
        }
        PyTuple_SET_ITEM(histogram, i, count);
    }
    return histogram;
}

static PyObject *trace_read(PyObject *module, PyObject *index)
{
    core_state *state = core_state_of(module);
    cs_trace_record record;
    size_t number = 0;
    cs_status status = CS_OK;
    PyObject *result = NULL;
    bool made = true;

    if (as_index(index, &number) < 0) {
        return NULL;
    }
    status = cs_trace_read(number, &record);
    if (status < 0) {
        return core_raise(state, status);
    }
    result = PyStructSequence_New(state->trace_record_type);
    if (result == NULL) {
        return NULL;
    }
    {
        PyObject *const items[] = {
            PyLong_FromUnsignedLongLong(record.calls),     PyLong_FromUnsignedLongLong(record.errors),
            PyLong_FromUnsignedLongLong(record.in_nbytes), PyLong_FromUnsignedLongLong(record.out_nbytes),
            PyLong_FromUnsignedLongLong(record.total_ns),  trace_histogram(&record)};

        for (Py_ssize_t i = 0; i < 6; i++) {
            made = made && items[i] != NULL;
            PyStructSequence_SetItem(result, i, items[i]);
        }
    }
    if (!made) {
        Py_CLEAR(result);
    }
    return result;
}

static PyStructSequence_Field trace_record_fields[] = {
    {"calls", DOC_TraceRecord_calls},
    {"errors", DOC_TraceRecord_errors},
    {"in_nbytes", DOC_TraceRecord_in_nbytes},
    {"out_nbytes", DOC_TraceRecord_out_nbytes},
    {"total_ns", DOC_TraceRecord_total_ns},
    {"histogram", DOC_TraceRecord_histogram},
    {NULL, NULL},
};

static PyStructSequence_Desc trace_record_description = {
    .name = "cside_cext._core.TraceRecord",
    .doc = DOC_TraceRecord,
    .fields = trace_record_fields,
    .n_in_sequence = 6,
};

static PyMethodDef methods[] = {
    {"trace_enable", trace_enable, METH_O, DOC_trace_enable},
    {"trace_enabled", CORE_FUNCTION(trace_enabled), CORE_NO_ARGUMENTS, DOC_trace_enabled},
    {"trace_reset", CORE_FUNCTION(trace_reset), CORE_NO_ARGUMENTS, DOC_trace_reset},
    {"trace_count", CORE_FUNCTION(trace_count), CORE_NO_ARGUMENTS, DOC_trace_count},
    {"trace_name", trace_name, METH_O, DOC_trace_name},
    {"trace_read", trace_read, METH_O, DOC_trace_read},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_trace(PyObject *module)
{
    core_state *state = core_state_of(module);

    state->trace_record_type = PyStructSequence_NewType(&trace_record_description);
    if (state->trace_record_type == NULL || PyModule_AddType(module, state->trace_record_type) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
