// SPDX-License-Identifier: Apache-2.0
//
// arguments.hpp - types of arguments, with the casters that make them from Python objects.
//
// A function takes an `integer<std::int32_t>` and not an `std::int32_t`, because pybind11's own caster refuses a number
// that does not fit with TypeError; the contract has OverflowError. The same holds for floats, truth values and text.
// Where an object is refused, a caster throws the exception of the contract. No function here has a second overload for
// which pybind11 would need the result false.
#pragma once

#include "errors.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// ---- integers ----------------------------------------------------------------------------------

/** The value of any object with __index__, within the limits of T, else OverflowError. */
template <typename T> struct integer {
    T value;

    operator T() const
    {
        return value;
    }
};

using i8 = integer<std::int8_t>;
using u8 = integer<std::uint8_t>;
using i16 = integer<std::int16_t>;
using u16 = integer<std::uint16_t>;
using i32 = integer<std::int32_t>;
using u32 = integer<std::uint32_t>;
using i64 = integer<std::int64_t>;
using u64 = integer<std::uint64_t>;

/** The value of any object with __index__, modulo 2**32. */
struct u32_modulo {
    std::uint32_t value;

    operator std::uint32_t() const
    {
        return value;
    }
};

/** Throw OverflowError: "Python int too large to convert to `what`", or too small. */
[[noreturn]] void throw_out_of_range(bool large, const char *what);

/** The value of any object with __index__. OverflowError, which names `what`, if it is not from `low` to `high`. */
std::int64_t to_integer_slowly(py::handle object, std::int64_t low, std::int64_t high, const char *what);
std::uint64_t to_u64_slowly(py::handle object);
std::uint32_t to_u32_modulo_slowly(py::handle object);

/** The value of an int that is read without a call, for which CPython has functions from 3.12 on. Otherwise false. */
inline bool read_compact(py::handle object, std::int64_t &out)
{
#if !defined(PYPY_VERSION) && PY_VERSION_HEX >= 0x030C0000
    if (PyLong_Check(object.ptr())) {
        const auto *number = reinterpret_cast<const PyLongObject *>(object.ptr());

        if (PyUnstable_Long_IsCompact(number)) {
            out = PyUnstable_Long_CompactValue(number);
            return true;
        }
    }
#else
    (void)object, (void)out;
#endif
    return false;
}

/** As to_integer_slowly(), with a fast path for small numbers. */
inline std::int64_t to_integer(py::handle object, std::int64_t low, std::int64_t high, const char *what)
{
    std::int64_t value = 0;

    if (read_compact(object, value) && low <= value && value <= high) {
        return value;
    }
    return to_integer_slowly(object, low, high, what);
}

/** The name of an integer type in messages. */
template <typename T> constexpr const char *name_of()
{
    constexpr const char *names[2][4] = {{"uint8_t", "uint16_t", "uint32_t", "uint64_t"},
                                         {"int8_t", "int16_t", "int32_t", "int64_t"}};
    return names[std::is_signed_v<T> ? 1 : 0][sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3];
}

template <typename T> T to(py::handle object)
{
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        std::int64_t value = 0;

        return read_compact(object, value) && value >= 0 ? static_cast<T>(value) : to_u64_slowly(object);
    } else {
        using limits = std::numeric_limits<T>;

        return static_cast<T>(to_integer(object, limits::min(), limits::max(), name_of<T>()));
    }
}

/** An integer that a field of a struct limits further. Each field has a name and limits of its own. */
template <std::int64_t low, std::int64_t high> struct limited {
    std::int64_t value;

    operator std::int64_t() const
    {
        return value;
    }
};

// ---- floats and truth --------------------------------------------------------------------------

/** The value of any object that float() takes and that is not text. A C `float` is made of it by conversion. */
struct real {
    double value;

    operator double() const
    {
        return value;
    }
};

inline double to_double(py::handle object)
{
    if (PyFloat_CheckExact(object.ptr())) {
        return PyFloat_AS_DOUBLE(object.ptr());
    }
    const double value = PyFloat_AsDouble(object.ptr());

    if (value == -1.0 && PyErr_Occurred() != nullptr) {
        throw_python_error();
    }
    return value;
}

/** The truth value of any object. */
struct truth {
    bool value;

    operator bool() const
    {
        return value;
    }
};

inline bool to_bool(py::handle object)
{
    if (object.ptr() == Py_True || object.ptr() == Py_False) {
        return object.ptr() == Py_True;
    }
    const int value = PyObject_IsTrue(object.ptr());

    if (value < 0) {
        throw_python_error();
    }
    return value != 0;
}

// ---- text --------------------------------------------------------------------------------------

/** The UTF-8 of a str, which the str owns. It may contain NULs. */
struct utf8 {
    const char *data;
    py::ssize_t nbytes;
};

/** The UTF-8 of a str as a NUL-terminated string, which the str owns. ValueError if the str contains a NUL. */
struct text {
    const char *data;

    operator const char *() const
    {
        return data;
    }
};

inline utf8 to_utf8(py::handle object)
{
    utf8 result{nullptr, 0};

    if (!PyUnicode_Check(object.ptr())) {
        throw_bad_type("a str", object);
    }
    result.data = PyUnicode_AsUTF8AndSize(object.ptr(), &result.nbytes);
    if (result.data == nullptr) {
        throw_python_error();
    }
    return result;
}

inline text to_text(py::handle object)
{
    const utf8 found = to_utf8(object);

    if (std::strlen(found.data) != static_cast<std::size_t>(found.nbytes)) {
        throw_error(PyExc_ValueError, "embedded null character");
    }
    return {found.data};
}

// ---- callables ---------------------------------------------------------------------------------

/** An object that can be called, else TypeError. The caller's reference keeps it alive during the call. */
struct callable {
    PyObject *object;
};

inline callable to_callable(py::handle object)
{
    if (PyCallable_Check(object.ptr()) == 0) {
        throw_bad_type("a callable", object);
    }
    return {object.ptr()};
}

// ---- casters -----------------------------------------------------------------------------------

namespace pybind11::detail
{

template <typename T> struct type_caster<integer<T>> {
    PYBIND11_TYPE_CASTER(integer<T>, const_name("typing.SupportsIndex"));

    bool load(handle source, bool)
    {
        value.value = to<T>(source);
        return true;
    }
};

template <> struct type_caster<u32_modulo> {
    PYBIND11_TYPE_CASTER(u32_modulo, const_name("typing.SupportsIndex"));

    bool load(handle source, bool)
    {
        std::int64_t small = 0;

        value.value = read_compact(source, small) ? static_cast<std::uint32_t>(small) : to_u32_modulo_slowly(source);
        return true;
    }
};

template <std::int64_t low, std::int64_t high> struct type_caster<limited<low, high>> {
    using type_of_field = limited<low, high>;
    PYBIND11_TYPE_CASTER(type_of_field, const_name("typing.SupportsIndex"));

    bool load(handle source, bool)
    {
        value.value = to_integer(source, low, high, "the bit-field");
        return true;
    }
};

template <> struct type_caster<real> {
    PYBIND11_TYPE_CASTER(real, const_name("typing.SupportsFloat"));

    bool load(handle source, bool)
    {
        value.value = to_double(source);
        return true;
    }
};

template <> struct type_caster<truth> {
    PYBIND11_TYPE_CASTER(truth, const_name("object"));

    bool load(handle source, bool)
    {
        value.value = to_bool(source);
        return true;
    }
};

template <> struct type_caster<utf8> {
    PYBIND11_TYPE_CASTER(utf8, const_name("str"));

    bool load(handle source, bool)
    {
        value = to_utf8(source);
        return true;
    }
};

template <> struct type_caster<text> {
    PYBIND11_TYPE_CASTER(text, const_name("str"));

    bool load(handle source, bool)
    {
        value = to_text(source);
        return true;
    }
};

template <> struct type_caster<callable> {
    PYBIND11_TYPE_CASTER(callable, const_name("collections.abc.Callable"));

    bool load(handle source, bool)
    {
        value = to_callable(source);
        return true;
    }
};

} // namespace pybind11::detail
