/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs that are a tuple, a number or a plain value in Python.
 */

/* ---- bit-fields: the compiler's own rules say what fits ---------------------------------------------------------- */

%define %bit_field(TYPE, NAME)
%typemap(in) TYPE NAME {
    cs_bits probe;
    int64_t value;
    if (!cside_as_ranged($input, INT8_MIN, INT8_MAX, "bit-field NAME", &value))
        SWIG_fail;
    probe.NAME = ($1_ltype)value;
    if ((int64_t)probe.NAME != value) {
        cside_overflow("bit-field NAME");
        SWIG_fail;
    }
    $1 = ($1_ltype)value;
}
%enddef

%bit_field(unsigned, mode)
%bit_field(unsigned, level)
%bit_field(signed, delta)
%bit_field(unsigned, flag)

%typemap(in, numinputs=0) cs_bits *out_bits (cs_bits bits) "$1 = &bits;"
%typemap(argout) cs_bits *out_bits {
    %set_result(cside_tuple(4, PyLong_FromLong($1->mode), PyLong_FromLong($1->level), PyLong_FromLong($1->delta),
                            PyLong_FromLong($1->flag)))
}

/* ---- a tagged union, told by the Python type --------------------------------------------------------------------- */

%typemap(in) cs_variant *variant (cs_variant variant) {
    if (PyLong_Check($input)) {
        variant.kind = CS_VARIANT_INTEGER;
        if (!cside_as_i64($input, &variant.as.integer))
            SWIG_fail;
    } else if (PyFloat_Check($input)) {
        variant.kind = CS_VARIANT_REAL;
        variant.as.real = PyFloat_AS_DOUBLE($input);
    } else if (PyBytes_Check($input)) {
        variant.kind = CS_VARIANT_BYTES;
        if (PyBytes_GET_SIZE($input) != (Py_ssize_t)sizeof variant.as.bytes)
            SWIG_exception_fail(SWIG_ValueError, "need 8 bytes");
        memcpy(variant.as.bytes, PyBytes_AS_STRING($input), sizeof variant.as.bytes);
    } else {
        SWIG_exception_fail(SWIG_TypeError, "an int, a float or bytes is required");
    }
    $1 = &variant;
}
%typemap(argout) cs_variant *variant {
    %set_result($1->kind == CS_VARIANT_INTEGER ? cside_long_from_i64($1->as.integer)
                : $1->kind == CS_VARIANT_REAL  ? PyFloat_FromDouble($1->as.real)
                                               : PyBytes_FromStringAndSize((char *)$1->as.bytes, sizeof $1->as.bytes))
}

/* ---- views that are tuples --------------------------------------------------------------------------------------- */

%typemap(in, numinputs=0) cs_config_view *out_view (cs_config_view view) "$1 = &view;"
%typemap(argout) cs_config_view *out_view {
    %set_result(cside_tuple(4, PyLong_FromUnsignedLong($1->version), PyLong_FromUnsignedLong($1->retries),
                            PyFloat_FromDouble($1->timeout_s), PyLong_FromUnsignedLong($1->flags)))
}

%{
static PyTypeObject *cside_TraceRecord;

static PyObject *cside_from_record(const cs_trace_record *record)
{
    const uint64_t numbers[] = {record->calls, record->errors, record->in_nbytes, record->out_nbytes, record->total_ns};
    PyObject *histogram = PyTuple_New(CS_TRACE_BUCKETS);
    PyObject *made = NULL;

    if (histogram == NULL)
        return NULL;
    for (int i = 0; i < CS_TRACE_BUCKETS; i++) {
        PyObject *number = PyLong_FromUnsignedLongLong(record->histogram[i]);
        if (number == NULL)
            goto done;
        PyTuple_SET_ITEM(histogram, i, number);
    }
    if ((made = PyStructSequence_New(cside_TraceRecord)) == NULL)
        goto done;
    for (int i = 0; i < 5; i++) {
        PyObject *number = PyLong_FromUnsignedLongLong(numbers[i]);
        if (number == NULL) {
            Py_CLEAR(made);
            goto done;
        }
        PyStructSequence_SetItem(made, i, number);
    }
    PyStructSequence_SetItem(made, 5, histogram);
    return made;
done:
    Py_DECREF(histogram);
    return NULL;
}
%}

%init %{
{
    static PyStructSequence_Field fields[] = {{"calls", NULL},      {"errors", NULL},   {"in_nbytes", NULL},
                                              {"out_nbytes", NULL}, {"total_ns", NULL}, {"histogram", NULL},
                                              {NULL, NULL}};
    static PyStructSequence_Desc description = {
        "cside_swig.idioms.TraceRecord", "What was counted of one function.", fields, 6};
    cside_TraceRecord = PyStructSequence_NewType(&description);
    if (PyModule_AddObjectRef(m, "TraceRecord", (PyObject *)cside_TraceRecord) < 0)
        return -1;
}
%}

%typemap(in, numinputs=0) cs_trace_record *out_record (cs_trace_record record) "$1 = &record;"
%typemap(argout) cs_trace_record *out_record {
    %set_result(cside_from_record($1))
}

%include "attributes.i"
