/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_enable, trace_enabled, trace_reset, trace_count, trace_name, trace_read, TraceRecord: what the library counts.
 */
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
    static PyStructSequence_Field fields[] = {{"calls", CSIDE_DOC_TraceRecord_calls},
                                              {"errors", CSIDE_DOC_TraceRecord_errors},
                                              {"in_nbytes", CSIDE_DOC_TraceRecord_in_nbytes},
                                              {"out_nbytes", CSIDE_DOC_TraceRecord_out_nbytes},
                                              {"total_ns", CSIDE_DOC_TraceRecord_total_ns},
                                              {"histogram", CSIDE_DOC_TraceRecord_histogram},
                                              {NULL, NULL}};
    static PyStructSequence_Desc description = {
        "cside_swig.idioms.TraceRecord", CSIDE_DOC_TraceRecord, fields, 6};
    cside_TraceRecord = PyStructSequence_NewType(&description);
    if (PyModule_AddObjectRef(m, "TraceRecord", (PyObject *)cside_TraceRecord) < 0)
        return -1;
}
%}

%rename(trace_enable) cs_trace_enable;
%rename(trace_enabled) cs_trace_enabled;
%rename(trace_reset) cs_trace_reset;
%rename(trace_count) cs_trace_count;
%rename(trace_name) cs_trace_name;

%rename(trace_read) cs_trace_read;
%ignore CS_TRACE_BUCKETS;
%ignore cs_trace_record;
%typemap(in, numinputs=0) cs_trace_record *out_record (cs_trace_record record) "$1 = &record;"
%typemap(argout) cs_trace_record *out_record {
    %set_result(cside_from_record($1))
}

%ignore cs_trace_read_thread;

%include <cside/trace.h>
