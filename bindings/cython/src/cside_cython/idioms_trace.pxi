# SPDX-License-Identifier: Apache-2.0
# Idioms, trace: the library's counters and histograms of each function.

from cpython.object cimport PyTypeObject

cdef extern from "Python.h":
    # These are declared with PyObject *, because they pass a new reference on: Cython has none to count then.
    PyObject *new_count "PyLong_FromUnsignedLongLong"(unsigned long long value) except NULL
    PyObject *new_tuple "PyTuple_New"(Py_ssize_t count) except NULL
    void set_in_tuple "PyTuple_SET_ITEM"(PyObject *items, Py_ssize_t position, PyObject *item)
    void set_in_record "PyStructSequence_SetItem"(object record, Py_ssize_t position, PyObject *item)
    object PyStructSequence_New(PyTypeObject *record_type)
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
    fields[0].name, fields[0].doc = "calls", "The number of calls."
    fields[1].name, fields[1].doc = "errors", "The number of calls that failed."
    fields[2].name, fields[2].doc = "in_nbytes", "The number of bytes that were given to the function."
    fields[3].name, fields[3].doc = "out_nbytes", "The number of bytes that the function gave back."
    fields[4].name, fields[4].doc = "total_ns", "The time that all calls took together, in nanoseconds."
    fields[5].name, fields[5].doc = "histogram", (
        "The number of calls in each of 40 ranges of duration.\n"
        "\n"
        "Item 0 counts calls of less than 1 ns, item i those from 2**(i-1) to less than 2**i ns. The\n"
        "last item also counts all longer calls."
    )
    fields[6].name, fields[6].doc = NULL, NULL
    desc.name = "cside_cython._core.TraceRecord"
    desc.doc = "What the trace counted of one function: a named tuple of these fields, in this order."
    desc.fields = fields
    desc.n_in_sequence = 6
    return PyStructSequence_NewType(&desc)


cdef object RECORD_TYPE = make_record_type()
TraceRecord = RECORD_TYPE


def trace_enable(on, /):
    """Switch the trace on or off for the whole process, by the truth value of ``on``."""
    cs_trace_enable(on)


def trace_enabled():
    """Return whether the trace is on."""
    return cs_trace_enabled()


def trace_reset():
    """Set everything that the trace has counted to zero, for all threads."""
    cs_trace_reset()


def trace_count():
    """Return the number of functions that the trace counts; their indices start at 0."""
    return cs_trace_count()


def trace_name(index, /):
    """Return the C name of a function that the trace counts, or None past the last one.

    Raises `OverflowError` if ``index`` does not fit ``size_t``; `TypeError` if it has no
    ``__index__``.
    """
    return text_or_none(cs_trace_name(as_u64(index)))


def trace_read(index, /):
    """Return what the trace counted of one function, summed over all threads.

    Raises `LookupError` if ``index`` is past the last function; `OverflowError` if it does not
    fit ``size_t``; `TypeError` if it has no ``__index__``.
    """
    cdef cs_trace_record counters
    cdef PyObject *histogram
    cdef Py_ssize_t i
    check(cs_trace_read(as_u64(index), &counters))
    record = PyStructSequence_New(<PyTypeObject *>RECORD_TYPE)
    set_in_record(record, 0, new_count(counters.calls))
    set_in_record(record, 1, new_count(counters.errors))
    set_in_record(record, 2, new_count(counters.in_nbytes))
    set_in_record(record, 3, new_count(counters.out_nbytes))
    set_in_record(record, 4, new_count(counters.total_ns))
    histogram = new_tuple(CS_TRACE_BUCKETS)
    set_in_record(record, 5, histogram)
    for i in range(CS_TRACE_BUCKETS):
        set_in_tuple(histogram, i, new_count(counters.histogram[i]))
    return record
