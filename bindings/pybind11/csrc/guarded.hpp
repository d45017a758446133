// SPDX-License-Identifier: Apache-2.0
//
// guarded.hpp - an argument that is an object of a bound class, and the object of Python that holds it.
//
// Without a GIL another thread may assign to a struct while it is read. Critical sections are of objects of Python, which
// pybind11 does not tell a function that takes the struct alone. With a GIL they are nothing.
#pragma once

#include "_core.hpp"

#include <pybind11/critical_section.h>

/** An object of the bound class T. None and any other object is TypeError. */
template <typename T> struct guarded {
    T *value;
    py::handle object;

    /** A copy, all of whose fields are of one moment. */
    T copied() const
    {
        const py::scoped_critical_section section(object);

        return *value;
    }
};

namespace pybind11::detail
{

template <typename T> struct type_caster<guarded<T>> {
    PYBIND11_TYPE_CASTER(guarded<T>, make_caster<T>::name);

    bool load(handle source, bool)
    {
        make_caster<T> inner;

        // The caster would ask any other object for an attribute of pybind11's by a new str; see python_error.
        if (!PyObject_TypeCheck(source.ptr(), inner.typeinfo->type)) {
            return false;
        }
        if (!inner.load(source, false)) { // pybind11 takes None for a pointer if a conversion is allowed
            return false;
        }
        value = {static_cast<T *>(inner), source};
        return true;
    }
};

} // namespace pybind11::detail
