// SPDX-License-Identifier: Apache-2.0
//
// idioms_arrays.cpp - arrays of structs that point into the memory of other objects.
#include "arguments.hpp"
#include "buffers.hpp"
#include "docstrings.hpp"

#include <cside/idioms.h>

#include <array>
#include <memory>

namespace
{

/** `count` elements, each as its type's constructor makes it: on the stack if they are few, as they are in most calls. */
template <typename T> class elements
{
  public:
    explicit elements(std::size_t count) : many_(count > few_.size() ? new T[count]() : nullptr)
    {
    }

    T &operator[](std::size_t i)
    {
        return data()[i];
    }

    T *data()
    {
        return many_ ? many_.get() : few_.data();
    }

  private:
    std::array<T, 8> few_{};
    std::unique_ptr<T[]> many_;
};

/** A list or tuple as a tuple. A conversion may run Python code, which could change a list but not a tuple. */
py::tuple frozen(py::handle sequence)
{
    if (PyTuple_Check(sequence.ptr())) {
        return py::reinterpret_borrow<py::tuple>(sequence);
    }
    if (PyList_Check(sequence.ptr())) {
        return stolen<py::tuple>(PyList_AsTuple(sequence.ptr()));
    }
    throw_bad_type("a list or tuple", sequence);
}

py::handle item(py::handle tuple, std::size_t i)
{
    return PyTuple_GET_ITEM(tuple.ptr(), static_cast<py::ssize_t>(i));
}

std::uint64_t attrs_digest(py::handle sequence)
{
    const py::tuple pairs = frozen(sequence);
    const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(pairs.ptr()));
    elements<cs_attr> attrs(count);
    elements<input> values(count);

    for (std::size_t i = 0; i < count; i++) {
        const py::handle pair = item(pairs, i);

        if (!PyTuple_Check(pair.ptr()) || PyTuple_GET_SIZE(pair.ptr()) != 2) {
            throw_error(PyExc_TypeError, "an attribute is a tuple (type, value)");
        }
        attrs[i].type = to<std::uint32_t>(item(pair, 0));
        values[i].open(item(pair, 1));
        attrs[i].value = const_cast<std::uint8_t *>(values[i].data()); // the library only reads from it
        attrs[i].value_nbytes = values[i].nbytes();
    }
    return cs_attrs_digest(attrs.data(), count);
}

py::list attrs_get(py::handle types)
{
    const py::tuple numbers = stolen<py::tuple>(PySequence_Tuple(types.ptr()));
    const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(numbers.ptr()));
    elements<cs_attr> attrs(count);
    elements<py::object> values(count);

    for (std::size_t i = 0; i < count; i++) {
        attrs[i].type = to<std::uint32_t>(item(numbers, i));
    }
    check(cs_attrs_get(attrs.data(), count));
    for (std::size_t i = 0; i < count; i++) {
        values[i] = new_bytes(attrs[i].value_nbytes);
        attrs[i].value = PyBytes_AS_STRING(values[i].ptr());
    }
    check(cs_attrs_get(attrs.data(), count));
    // The list is made after the values are written: PyPy copies a bytes object when a tuple takes it, and would miss
    // what is written later.
    py::list result(count);

    for (std::size_t i = 0; i < count; i++) {
        py::object pair = stolen(PyTuple_New(2));

        PyTuple_SET_ITEM(pair.ptr(), 0, py::int_(attrs[i].type).release().ptr());
        PyTuple_SET_ITEM(pair.ptr(), 1, values[i].release().ptr());
        PyList_SET_ITEM(result.ptr(), static_cast<py::ssize_t>(i), pair.release().ptr());
    }
    return result;
}

} // namespace

void bind_idioms_arrays(py::module_ &m)
{
    m.def("attrs_digest", attrs_digest, DOC_attrs_digest);
    m.def("attrs_get", attrs_get, DOC_attrs_get);
}
