# SPDX-License-Identifier: Apache-2.0
# Idioms, trace: the library's counters and histograms of each function.

cdef extern from "Python.h":
    ctypedef struct PyStructSequence_Field:
        const char *name
        const char *doc
    ctypedef struct PyStructSequence_Desc:
        const char *name
        const char *doc
        PyStructSequence_Field *fields
        int n_in_sequence
    object PyStructSequence_NewType(PyStructSequence_Desc *desc)


cdef object make_record_type():
    """Make TraceRecord as a struct sequence: importing `collections` would take longer than importing this module."""
    cdef PyStructSequence_Field[7] fields
    cdef PyStructSequence_Desc desc
    fields[0].name, fields[0].doc = "calls", "calls that returned"
    fields[1].name, fields[1].doc = "errors", "calls that returned a negative status"
    fields[2].name, fields[2].doc = "in_nbytes", "bytes of input"
    fields[3].name, fields[3].doc = "out_nbytes", "bytes of output"
    fields[4].name, fields[4].doc = "total_ns", "time of all calls together"
    fields[5].name, fields[5].doc = "histogram", "40 counts; bucket i is 2**(i-1) to below 2**i ns"
    fields[6].name, fields[6].doc = NULL, NULL
    desc.name = "cside_cython._core.TraceRecord"
    desc.doc = "Counters of one traced function."
    desc.fields = fields
    desc.n_in_sequence = 6
    return PyStructSequence_NewType(&desc)


TraceRecord = make_record_type()


def trace_enable(on, /):
    """Switch tracing on or off for the process."""
    cs_trace_enable(on)


def trace_enabled():
    """Whether tracing is on."""
    return cs_trace_enabled()


def trace_reset():
    """Set all counters to zero."""
    cs_trace_reset()


def trace_count():
    """Number of traced functions."""
    return cs_trace_count()


def trace_name(position, /):
    """Name of a traced function, or None past the end."""
    return text_or_none(cs_trace_name(as_u64(position)))


def trace_read(position, /):
    """Counters of one traced function, summed over all threads."""
    cdef cs_trace_record counters
    cdef Py_ssize_t i
    check(cs_trace_read(as_u64(position), &counters))
    histogram = tuple([counters.histogram[i] for i in range(CS_TRACE_BUCKETS)])
    return TraceRecord(
        (counters.calls, counters.errors, counters.in_nbytes, counters.out_nbytes, counters.total_ns, histogram)
    )
