/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_trace.cpp - the library's trace: counters and latency histograms of its functions.
 */
#include "arguments.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "status.hpp"

#include <cside/trace.h>

#include <structseq.h>

namespace cside
{

namespace
{

PyTypeObject *trace_record_type = nullptr; /* as status_error in idioms_errors.cpp */

nb::object trace_enable(nb::handle on)
{
    bool truth = false;

    if (!convert(on, truth)) {
        return nb::object();
    }
    cs_trace_enable(truth);
    return nb::none();
}

/** An index of a traced function. A number that does not fit size_t becomes SIZE_MAX, which is past the end. */
bool convert_index(nb::handle object, size_t &out)
{
    uint64_t value = 0;

    if (!convert(object, value)) {
        return false;
    }
    out = value > SIZE_MAX ? SIZE_MAX : static_cast<size_t>(value);
    return true;
}

nb::object trace_name(nb::handle index)
{
    size_t number = 0;

    if (!convert_index(index, number)) {
        return nb::object();
    }
    const char *name = cs_trace_name(number);
    return name == nullptr ? nb::none() : nb::steal(PyUnicode_FromString(name));
}

nb::object trace_histogram(const cs_trace_record &record)
{
    nb::tuple_builder counts(CS_TRACE_BUCKETS);

    for (uint64_t count : record.histogram) {
        counts.put(count);
    }
    return counts.commit();
}

nb::object trace_read(nb::handle index)
{
    cs_trace_record record;
    size_t number = 0;

    if (!convert_index(index, number)) {
        return nb::object();
    }
    cs_status status = cs_trace_read(number, &record);
    if (status < 0) {
        return fail_status(status);
    }
    nb::object result = nb::steal(PyStructSequence_New(trace_record_type));
    if (!result.is_valid()) {
        return result;
    }
    Py_ssize_t place = 0;
    for (uint64_t count : {record.calls, record.errors, record.in_nbytes, record.out_nbytes, record.total_ns}) {
        PyStructSequence_SetItem(result.ptr(), place++, nb::cast(count).release().ptr());
    }
    PyStructSequence_SetItem(result.ptr(), place, trace_histogram(record).release().ptr());
    return result;
}

PyStructSequence_Field trace_record_fields[] = {
    {"calls", DOC_TraceRecord_calls},
    {"errors", DOC_TraceRecord_errors},
    {"in_nbytes", DOC_TraceRecord_in_nbytes},
    {"out_nbytes", DOC_TraceRecord_out_nbytes},
    {"total_ns", DOC_TraceRecord_total_ns},
    {"histogram", DOC_TraceRecord_histogram},
    {nullptr, nullptr},
};

PyStructSequence_Desc trace_record_description = {"cside_nanobind._core.TraceRecord", DOC_TraceRecord,
                                                  trace_record_fields, 6};

} // namespace

void bind_idioms_trace(nb::module_ &m)
{
    trace_record_type = PyStructSequence_NewType(&trace_record_description);
    if (trace_record_type == nullptr) {
        nb::raise_python_error();
    }
    m.attr("TraceRecord") = nb::handle(reinterpret_cast<PyObject *>(trace_record_type));
    m.def("trace_enable", trace_enable, nb::arg().none(), DOC_trace_enable);
    m.def("trace_enabled", cs_trace_enabled, DOC_trace_enabled);
    m.def("trace_reset", cs_trace_reset, DOC_trace_reset);
    m.def("trace_count", cs_trace_count, DOC_trace_count);
    m.def("trace_name", trace_name, DOC_trace_name);
    m.def("trace_read", trace_read, DOC_trace_read);
}

} // namespace cside
