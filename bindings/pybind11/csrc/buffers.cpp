// SPDX-License-Identifier: Apache-2.0
//
// buffers.cpp - what buffers.hpp does not do inline.
#include "buffers.hpp"

void brief_output::open(py::handle object)
{
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
    if (PyByteArray_CheckExact(object.ptr())) {
        resizable_ = object.ptr();
        return;
    }
#endif
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_WRITABLE) < 0) {
        view_.obj = nullptr;
#if defined(PYPY_VERSION)
        if (PyErr_ExceptionMatches(PyExc_ValueError)) { // PyPy raises it for a read-only buffer
            throw_error(PyExc_BufferError, "Object is not writable.");
        }
#endif
        throw_python_error();
    }
}

py::bytes new_bytes(std::size_t nbytes)
{
    // For a size that leaves no room for the object's header, PyPy aborts instead of raising.
    if (nbytes > static_cast<std::size_t>(PY_SSIZE_T_MAX) - 4096) {
        throw_no_memory();
    }
    PyObject *made = PyBytes_FromStringAndSize(nullptr, static_cast<py::ssize_t>(nbytes));

    if (made == nullptr) { // PyPy raises a SystemError, caused by a MemoryError, if memory runs out
        throw_no_memory();
    }
    return py::reinterpret_steal<py::bytes>(made);
}

void resize(py::bytes &bytes, std::size_t nbytes)
{
    PyObject *object = bytes.release().ptr();

    if (_PyBytes_Resize(&object, static_cast<py::ssize_t>(nbytes)) < 0) { // which has freed the object
        throw_python_error();
    }
    bytes = py::reinterpret_steal<py::bytes>(object);
}
