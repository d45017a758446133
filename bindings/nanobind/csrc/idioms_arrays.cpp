/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_arrays.cpp - arrays of structs that point into the memory of Python objects.
 */
#include "arguments.hpp"
#include "buffers.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "status.hpp"

#include <cside/idioms.h>

#include <memory>
#include <new>

namespace cside
{

namespace
{

/** An array of `count` elements: on the stack if they are few, as in most calls of such interfaces. */
template <typename T> class array
{
  public:
    /** False with MemoryError. */
    bool reserve(size_t count)
    {
        if (count > FEW) {
            many.reset(new (std::nothrow) T[count]);
            if (many == nullptr) {
                PyErr_NoMemory();
                return false;
            }
            first = many.get();
        }
        return true;
    }

    T *data()
    {
        return first;
    }
    T &operator[](size_t i)
    {
        return first[i];
    }

  private:
    static constexpr size_t FEW = 8;

    T few[FEW];
    std::unique_ptr<T[]> many;
    T *first = few;
};

/** A list or tuple as a tuple. A conversion may run Python code, which could change a list but not a tuple. */
nb::object frozen(nb::handle sequence)
{
    if (PyTuple_Check(sequence.ptr())) {
        return nb::borrow(sequence);
    }
    if (PyList_Check(sequence.ptr())) {
        return nb::steal(PyList_AsTuple(sequence.ptr()));
    }
    return fail_type("a list or tuple", sequence);
}

nb::handle item(nb::handle tuple, size_t i)
{
    return PyTuple_GET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i));
}

nb::object attrs_digest(nb::handle sequence)
{
    array<cs_attr> attrs;
    array<input> values;
    nb::object pairs = frozen(sequence);

    if (!pairs.is_valid()) {
        return pairs;
    }
    size_t count = static_cast<size_t>(PyTuple_GET_SIZE(pairs.ptr()));
    if (!attrs.reserve(count) || !values.reserve(count)) {
        return nb::object();
    }
    for (size_t i = 0; i < count; i++) {
        nb::handle pair = item(pairs, i);

        if (!PyTuple_Check(pair.ptr()) || PyTuple_GET_SIZE(pair.ptr()) != 2) {
            return fail(PyExc_TypeError, "an attribute is a tuple (type, value)");
        }
        if (!convert(item(pair, 0), attrs[i].type) || !values[i].open(item(pair, 1))) {
            return nb::object();
        }
        attrs[i].value = const_cast<uint8_t *>(values[i].data()); /* the library only reads from it */
        attrs[i].value_nbytes = values[i].nbytes();
    }
    return nb::cast(cs_attrs_digest(attrs.data(), count));
}

nb::object attrs_get(nb::handle types)
{
    array<cs_attr> attrs;
    array<nb::object> values;
    nb::object numbers = PyTuple_CheckExact(types.ptr()) ? nb::borrow(types) : nb::steal(PySequence_Tuple(types.ptr()));

    if (!numbers.is_valid()) {
        return numbers;
    }
    size_t count = static_cast<size_t>(PyTuple_GET_SIZE(numbers.ptr()));
    if (!attrs.reserve(count) || !values.reserve(count)) {
        return nb::object();
    }
    for (size_t i = 0; i < count; i++) {
        attrs[i] = {0, nullptr, 0};
        if (!convert(item(numbers, i), attrs[i].type)) {
            return nb::object();
        }
    }
    cs_status status = cs_attrs_get(attrs.data(), count);
    if (status < 0) {
        return fail_status(status);
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = new_bytes(attrs[i].value_nbytes);
        if (!values[i].is_valid()) {
            return nb::object();
        }
        attrs[i].value = bytes_data(values[i]);
    }
    status = cs_attrs_get(attrs.data(), count);
    if (status < 0) {
        return fail_status(status);
    }
    /* The list is made after the values are written: PyPy copies a bytes object when a list takes it, and would miss
     * what is written later. */
    nb::list_builder list(count);
    for (size_t i = 0; i < count; i++) {
        nb::tuple_builder pair(2);

        pair.put(attrs[i].type);
        pair.put(std::move(values[i]));
        list.put(pair.commit());
    }
    return list.commit();
}

} // namespace

void bind_idioms_arrays(nb::module_ &m)
{
    m.def("attrs_digest", attrs_digest, DOC_attrs_digest);
    m.def("attrs_get", attrs_get, DOC_attrs_get);
}

} // namespace cside
