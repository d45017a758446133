/* SPDX-License-Identifier: Apache-2.0
 *
 * limited_api.hpp - what the full API does by reading an object's fields, and the limited API by calling a function.
 */
#ifndef CSIDE_NANOBIND_LIMITED_API_HPP
#define CSIDE_NANOBIND_LIMITED_API_HPP

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace cside
{

#if defined(Py_LIMITED_API)

#define CORE_PACKAGE "cside_nanobind.abi3" /* the package of the module */

inline char *bytes_start(nb::handle bytes)
{
    return PyBytes_AsString(bytes.ptr());
}

inline size_t bytes_count(nb::handle bytes)
{
    return static_cast<size_t>(PyBytes_Size(bytes.ptr()));
}

inline char *bytearray_start(nb::handle bytes)
{
    return PyByteArray_AsString(bytes.ptr());
}

inline size_t bytearray_count(nb::handle bytes)
{
    return static_cast<size_t>(PyByteArray_Size(bytes.ptr()));
}

/** Replace bytes by the first of them, or by null with MemoryError: nothing in the limited API changes their size. */
inline void resize(PyObject *&bytes, Py_ssize_t nbytes)
{
    PyObject *part = PyBytes_FromStringAndSize(PyBytes_AsString(bytes), nbytes);

    Py_DECREF(bytes);
    bytes = part;
}

inline PyObject *call_one(PyObject *callable, PyObject *argument)
{
    PyObject *arguments[] = {nullptr, argument}; /* a bound method puts its object into the first place */

    return PyObject_Vectorcall(callable, arguments + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
}

/** End the current thread's state, which is cleared, and release the GIL. */
inline void end_thread()
{
    PyThreadState_Delete(PyEval_SaveThread());
}

#else

#define CORE_PACKAGE "cside_nanobind"

inline char *bytes_start(nb::handle bytes)
{
    return PyBytes_AS_STRING(bytes.ptr());
}

inline size_t bytes_count(nb::handle bytes)
{
    return static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()));
}

inline char *bytearray_start(nb::handle bytes)
{
    return PyByteArray_AS_STRING(bytes.ptr());
}

inline size_t bytearray_count(nb::handle bytes)
{
    return static_cast<size_t>(PyByteArray_GET_SIZE(bytes.ptr()));
}

inline void resize(PyObject *&bytes, Py_ssize_t nbytes)
{
    (void)_PyBytes_Resize(&bytes, nbytes);
}

inline PyObject *call_one(PyObject *callable, PyObject *argument)
{
    return PyObject_CallOneArg(callable, argument);
}

#if !defined(PYPY_VERSION)
inline void end_thread()
{
    PyThreadState_DeleteCurrent();
}
#endif

#endif

/** Set TypeError with the name of the object's type in quotes, between parts of a message. */
inline void type_error(const char *what, const char *before, nb::handle object, const char *after)
{
#if defined(Py_LIMITED_API)
    nb::object name = nb::steal(PyType_GetName(Py_TYPE(object.ptr())));

    if (name.is_valid()) {
        PyErr_Format(PyExc_TypeError, "%s%s'%U'%s", what, before, name.ptr(), after);
    }
#else
    PyErr_Format(PyExc_TypeError, "%s%s'%.100s'%s", what, before, Py_TYPE(object.ptr())->tp_name, after);
#endif
}

} // namespace cside

#endif
