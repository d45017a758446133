/* arguments.hpp - types of arguments, with the casters that make them from objects of Python, and exceptions.
 *
 * A function takes an `integer<int32_t>` and not an `int32_t`, because pybind11's own caster answers a number that is too
 * large with TypeError. A caster throws what is raised; no function is overloaded, so that none returns false.
 */
#ifndef CSIDE_ARGUMENTS_HPP
#define CSIDE_ARGUMENTS_HPP

#include <pybind11/pybind11.h>

#include "native.hpp"

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>

namespace py = pybind11;

/** What is thrown while Python's error is set. The error stays set, and a translator lets it pass as it is. */
class python_error : public std::exception
{
};

/** Throw unless a function of convert.h has succeeded. */
inline void check(int status)
{
    if (status < 0) {
        throw python_error();
    }
}

/** The object of a new reference. Throws where there is none. */
inline py::object stolen(PyObject *object)
{
    if (object == nullptr) {
        throw python_error();
    }
    return py::reinterpret_steal<py::object>(object);
}

/* ---- types of arguments ----------------------------------------------------------------------- */

/** Anything with __index__, else TypeError; OverflowError for one that T does not have. */
template <typename T> struct integer {
    T value;
};

inline int to(PyObject *object, int8_t *out)
{
    return cside_as_int8(object, "int8_t", out);
}
inline int to(PyObject *object, uint8_t *out)
{
    return cside_as_uint8(object, "uint8_t", out);
}
inline int to(PyObject *object, int16_t *out)
{
    return cside_as_int16(object, "int16_t", out);
}
inline int to(PyObject *object, uint16_t *out)
{
    return cside_as_uint16(object, "uint16_t", out);
}
inline int to(PyObject *object, int32_t *out)
{
    return cside_as_int32(object, "int32_t", out);
}
inline int to(PyObject *object, uint32_t *out)
{
    return cside_as_uint32(object, "uint32_t", out);
}
inline int to(PyObject *object, int64_t *out)
{
    return cside_as_int64(object, "int64_t", out);
}
inline int to(PyObject *object, uint64_t *out)
{
    return cside_as_uint64(object, "uint64_t", out);
}

struct real {
    double value;
};

struct truth {
    bool value;
};

/* For all below, `nullable` is whether None is taken for NULL. */

/** The bytes of a buffer, which are `writable` or only read. */
template <bool writable, bool nullable> struct bytes_of : native::bytes {};

/** UTF-8 without NUL. */
template <bool nullable> struct text {
    cside_text value;
};

template <bool nullable> struct address {
    void *value;
};

template <bool nullable> struct callable {
    PyObject *value;
};

/** An object of the bound class T that is not closed. */
template <typename T, bool nullable> struct object_of {
    cside_handle value;
};

/* ---- objects of the library ------------------------------------------------------------------- */

/** What a class of Python holds.
 *
 *  `Class.__new__(Class)` makes an object of Python without one of C++. When it is used, pybind11 takes memory for one from
 *  this operator new and does not construct it: that memory is zero, which is a closed object. */
template <void (*free_it)(cside_object *)> struct held : native::owner<free_it> {
    static void *operator new(size_t nbytes)
    {
        void *memory = std::calloc(1, nbytes);

        if (memory == nullptr) {
            throw std::bad_alloc();
        }
        return memory;
    }

    static void operator delete(void *memory)
    {
        std::free(memory);
    }
};

/** The name of a class, for exceptions. core.cpp sets it. */
template <typename T> const char *name_of = nullptr;

/* ---- casters ---------------------------------------------------------------------------------- */

namespace pybind11::detail
{

template <typename T> struct type_caster<integer<T>> {
    PYBIND11_TYPE_CASTER(integer<T>, const_name("SupportsIndex"));

    bool load(handle source, bool)
    {
        check(to(source.ptr(), &value.value));
        return true;
    }
};

template <> struct type_caster<real> {
    PYBIND11_TYPE_CASTER(real, const_name("SupportsFloat"));

    bool load(handle source, bool)
    {
        check(cside_as_double(source.ptr(), &value.value));
        return true;
    }
};

template <> struct type_caster<truth> {
    PYBIND11_TYPE_CASTER(truth, const_name("object"));

    bool load(handle source, bool)
    {
        check(cside_as_bool(source.ptr(), &value.value));
        return true;
    }
};

template <bool writable, bool nullable> struct type_caster<bytes_of<writable, nullable>> {
    using argument = bytes_of<writable, nullable>;
    PYBIND11_TYPE_CASTER(argument, const_name("Buffer"));

    bool load(handle source, bool)
    {
        if constexpr (nullable) {
            check(cside_as_nullable(source.ptr(), writable, &value));
        } else if constexpr (writable) {
            check(cside_as_writable(source.ptr(), &value));
        } else {
            check(cside_as_bytes(source.ptr(), &value));
        }
        return true;
    }
};

template <bool nullable> struct type_caster<text<nullable>> {
    PYBIND11_TYPE_CASTER(text<nullable>, const_name("str"));

    bool load(handle source, bool)
    {
        check(cside_as_text(source.ptr(), nullable, &value.value));
        return true;
    }
};

template <bool nullable> struct type_caster<address<nullable>> {
    PYBIND11_TYPE_CASTER(address<nullable>, const_name("int"));

    bool load(handle source, bool)
    {
        check(cside_as_address(source.ptr(), nullable, &value.value));
        return true;
    }
};

template <bool nullable> struct type_caster<callable<nullable>> {
    PYBIND11_TYPE_CASTER(callable<nullable>, const_name("Callable"));

    bool load(handle source, bool)
    {
        check(cside_as_callable(source.ptr(), nullable, &value.value));
        return true;
    }
};

template <typename T, bool nullable> struct type_caster<object_of<T, nullable>> {
    using argument = object_of<T, nullable>;
    PYBIND11_TYPE_CASTER(argument, make_caster<T>::name);

    bool load(handle source, bool)
    {
        value.value.self = source.ptr();
        value.value.object = nullptr;
        if (nullable && source.is_none()) {
            return true;
        }
        make_caster<T> inner;

        /* The caster would look up an attribute of any other object, by a new str each time. */
        if (!PyObject_TypeCheck(source.ptr(), inner.typeinfo->type) || !inner.load(source, false)) {
            check(cside_bad_type(name_of<T>, source.ptr()));
        }
        value.value.object = &static_cast<T *>(inner)->object;
        check(value.value.object->at == nullptr ? cside_closed() : 0);
        return true;
    }
};

} // namespace pybind11::detail

#endif
