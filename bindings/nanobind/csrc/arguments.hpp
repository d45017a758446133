/* SPDX-License-Identifier: Apache-2.0
 *
 * arguments.hpp - arguments from Python to C++: numbers, truth values, text, callables.
 *
 * A function that is bound takes `nb::handle` for each argument and converts it here, because nanobind's own casters
 * answer an integer that is too large with TypeError and replace what an argument's own method raises. Each convert()
 * returns false with an exception set; the caller then returns a null `nb::object`, which nanobind's dispatcher passes
 * on as that exception. Nothing is thrown, because a C++ exception costs more than the rest of a call.
 */
#ifndef CSIDE_NANOBIND_ARGUMENTS_HPP
#define CSIDE_NANOBIND_ARGUMENTS_HPP

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace nb = nanobind;

namespace cside
{

/** Set an exception and return the null object that tells nanobind so. */
nb::object fail(PyObject *type, const char *message);

/** The same for TypeError with the message "`required` is required, not 'TYPE'". */
nb::object fail_type(const char *required, nb::handle object);

/** The slow paths: an object that is no exact int, and a value that does not fit. `what` names the C type. */
bool convert_slow(nb::handle object, int64_t low, int64_t high, const char *what, int64_t &out);
bool convert_slow(nb::handle object, uint64_t &out);
bool convert_slow(nb::handle object, double &out);

/** The name of a fixed-width integer type, for messages. */
template <typename T> constexpr const char *type_name()
{
    if constexpr (std::is_same_v<T, int8_t>) {
        return "int8_t";
    } else if constexpr (std::is_same_v<T, uint8_t>) {
        return "uint8_t";
    } else if constexpr (std::is_same_v<T, int16_t>) {
        return "int16_t";
    } else if constexpr (std::is_same_v<T, uint16_t>) {
        return "uint16_t";
    } else if constexpr (std::is_same_v<T, int32_t>) {
        return "int32_t";
    } else if constexpr (std::is_same_v<T, uint32_t>) {
        return "uint32_t";
    } else {
        static_assert(std::is_same_v<T, int64_t>, "an integer type without a name");
        return "int64_t";
    }
}

/** Convert anything with __index__ to an integer type. OverflowError if it does not fit. */
template <typename T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
inline bool convert(nb::handle object, T &out)
{
    if (nb::try_cast<T>(object, out,
                        false)) { /* an exact int that fits; it runs no Python code and sets no exception */
        return true;
    }
    if constexpr (std::is_same_v<T, uint64_t>) {
        return convert_slow(object, out);
    } else {
        int64_t value = 0;

        if (!convert_slow(object, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), type_name<T>(),
                          value)) {
            return false;
        }
        out = static_cast<T>(value);
        return true;
    }
}

/** Convert anything with __index__ that is within `low` and `high`. OverflowError, which names `what`, if it is not. */
inline bool convert_within(nb::handle object, int64_t low, int64_t high, const char *what, int64_t &out)
{
    return (nb::try_cast<int64_t>(object, out, false) && low <= out && out <= high) ||
           convert_slow(object, low, high, what, out);
}

/** Convert anything with __index__, modulo 2**32. */
bool convert_modulo(nb::handle object, uint32_t &out);

/** Convert anything that float() takes and that is no text. */
inline bool convert(nb::handle object, double &out)
{
    return nb::try_cast<double>(object, out, false) || convert_slow(object, out);
}

/** The same, rounded to the nearest `float`; a value beyond its range becomes infinite. */
inline bool convert(nb::handle object, float &out)
{
    double value = 0.0;

    if (!convert(object, value)) {
        return false;
    }
    out = static_cast<float>(value);
    return true;
}

/** The truth value of any object. */
inline bool convert(nb::handle object, bool &out)
{
    int truth = 0;

    if (object.ptr() == Py_True || object.ptr() == Py_False) {
        out = object.ptr() == Py_True;
        return true;
    }
    truth = PyObject_IsTrue(object.ptr());
    out = truth > 0;
    return truth >= 0;
}

/** UTF-8 that a `str` owns. It ends with a NUL and may contain others. */
struct utf8 {
    const char *data;
    size_t nbytes;
};

bool convert_slow(nb::handle object, utf8 &out);

inline bool convert(nb::handle object, utf8 &out)
{
#if !defined(PYPY_VERSION) && !defined(Py_LIMITED_API)
    if (PyUnicode_Check(object.ptr()) && PyUnicode_IS_COMPACT_ASCII(object.ptr())) { /* it is stored as UTF-8 */
        out = {reinterpret_cast<const char *>(PyUnicode_1BYTE_DATA(object.ptr())),
               static_cast<size_t>(PyUnicode_GET_LENGTH(object.ptr()))};
        return true;
    }
#endif
    return convert_slow(object, out);
}

/** The UTF-8 of a `str` as a C string, which the `str` owns. ValueError if it contains a NUL. */
inline bool convert(nb::handle object, const char *&out)
{
    utf8 text = {nullptr, 0};

    if (!convert(object, text)) {
        return false;
    }
    if (std::strlen(text.data) != text.nbytes) {
        fail(PyExc_ValueError, "embedded null character");
        return false;
    }
    out = text.data;
    return true;
}

/** Check that an object can be called. */
inline bool check_callable(nb::handle object)
{
    if (!PyCallable_Check(object.ptr())) {
        fail_type("a callable", object);
        return false;
    }
    return true;
}

} // namespace cside

#endif
