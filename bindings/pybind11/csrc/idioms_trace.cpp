// SPDX-License-Identifier: Apache-2.0
//
// idioms_trace.cpp - the library's trace: counters and latency histograms of its functions.
#include "arguments.hpp"
#include "docstrings.hpp"

#include <pybind11/gil_safe_call_once.h>

#include <structseq.h>

#include <cside/trace.h>

namespace
{

// The class is made once for each interpreter, and freed with it.
PYBIND11_CONSTINIT py::gil_safe_call_once_and_store<py::object> trace_record;

PyStructSequence_Field trace_record_fields[] = {
    {"calls", DOC_TraceRecord_calls},
    {"errors", DOC_TraceRecord_errors},
    {"in_nbytes", DOC_TraceRecord_in_nbytes},
    {"out_nbytes", DOC_TraceRecord_out_nbytes},
    {"total_ns", DOC_TraceRecord_total_ns},
    {"histogram", DOC_TraceRecord_histogram},
    {nullptr, nullptr},
};

PyStructSequence_Desc trace_record_description = {"cside_pybind11._core.TraceRecord", DOC_TraceRecord,
                                                  trace_record_fields, 6};

/** A named tuple of Python's own, which pybind11 has no class for. */
py::object make_trace_record()
{
    return stolen(reinterpret_cast<PyObject *>(PyStructSequence_NewType(&trace_record_description)));
}

void trace_enable(truth on)
{
    cs_trace_enable(on);
}

/** An index that does not fit size_t is past the end. */
std::size_t index_of(u64 index)
{
    return index > SIZE_MAX ? SIZE_MAX : static_cast<std::size_t>(index);
}

/** pybind11 makes a str of the result, and None where it is null. */
const char *trace_name(u64 index)
{
    return cs_trace_name(index_of(index));
}

/** The counts of the histogram as a tuple. */
py::object histogram_of(const cs_trace_record &record)
{
    py::tuple histogram(CS_TRACE_BUCKETS);

    for (py::ssize_t i = 0; i < CS_TRACE_BUCKETS; i++) {
        PyTuple_SET_ITEM(histogram.ptr(), i, py::int_(record.histogram[i]).release().ptr());
    }
    return histogram;
}

py::object trace_read(u64 index)
{
    cs_trace_record record;

    check(cs_trace_read(index_of(index), &record));
    py::object items[] = {py::int_(record.calls),      py::int_(record.errors),   py::int_(record.in_nbytes),
                          py::int_(record.out_nbytes), py::int_(record.total_ns), histogram_of(record)};
    auto *type = reinterpret_cast<PyTypeObject *>(trace_record.get_stored().ptr());
    py::object result = stolen(PyStructSequence_New(type));

    for (py::ssize_t i = 0; i < 6; i++) {
        PyStructSequence_SetItem(result.ptr(), i, items[i].release().ptr());
    }
    return result;
}

} // namespace

void bind_idioms_trace(py::module_ &m)
{
    m.attr("TraceRecord") = trace_record.call_once_and_store_result(make_trace_record).get_stored();
    m.def("trace_enable", trace_enable, DOC_trace_enable);
    m.def("trace_enabled", cs_trace_enabled, DOC_trace_enabled);
    m.def("trace_reset", cs_trace_reset, DOC_trace_reset);
    m.def("trace_count", cs_trace_count, DOC_trace_count);
    m.def("trace_name", trace_name, DOC_trace_name);
    m.def("trace_read", trace_read, DOC_trace_read);
}
