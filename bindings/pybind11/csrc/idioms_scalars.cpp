// SPDX-License-Identifier: Apache-2.0
//
// idioms_scalars.cpp - a call without arguments, scalars of each width, six arguments, variadic calls.
#include "arguments.hpp"
#include "docstrings.hpp"

#include <cside/idioms.h>

static std::int8_t i8_add(i8 a, i8 b)
{
    return cs_i8_add(a, b);
}

static std::uint8_t u8_add(u8 a, u8 b)
{
    return cs_u8_add(a, b);
}

static std::int16_t i16_add(i16 a, i16 b)
{
    return cs_i16_add(a, b);
}

static std::uint16_t u16_add(u16 a, u16 b)
{
    return cs_u16_add(a, b);
}

static std::int32_t i32_add(i32 a, i32 b)
{
    return cs_i32_add(a, b);
}

static std::uint32_t u32_add(u32 a, u32 b)
{
    return cs_u32_add(a, b);
}

static std::int64_t i64_add(i64 a, i64 b)
{
    return cs_i64_add(a, b);
}

static std::uint64_t u64_add(u64 a, u64 b)
{
    return cs_u64_add(a, b);
}

static double f32_add(real a, real b)
{
    return cs_f32_add(static_cast<float>(a), static_cast<float>(b));
}

static double f64_add(real a, real b)
{
    return cs_f64_add(a, b);
}

static bool bool_not(truth value)
{
    return cs_bool_not(value);
}

static double mixed_sum(i32 a, u64 b, real c, truth d, i8 e, real f)
{
    return cs_mixed_sum(a, b, c, d, e, static_cast<float>(f));
}

static std::int64_t varargs_sum(const py::args &values)
{
    std::int64_t v[CS_VARARGS_MAX] = {};
    const std::size_t count = values.size();

    if (count > CS_VARARGS_MAX) {
        PyErr_Format(PyExc_TypeError, "varargs_sum() takes at most %d arguments (%zu given)", CS_VARARGS_MAX, count);
        throw_python_error();
    }
    for (std::size_t i = 0; i < count; i++) {
        v[i] = to<std::int64_t>(PyTuple_GET_ITEM(values.ptr(), static_cast<py::ssize_t>(i)));
    }
    // The number of arguments of a C call is fixed at compile time. A variadic function may ignore the last ones.
    return cs_varargs_sum(static_cast<std::uint32_t>(count), v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

void bind_idioms_scalars(py::module_ &m)
{
    m.def("noop", cs_noop, DOC_noop);
    m.def("i8_add", i8_add, DOC_i8_add);
    m.def("u8_add", u8_add, DOC_u8_add);
    m.def("i16_add", i16_add, DOC_i16_add);
    m.def("u16_add", u16_add, DOC_u16_add);
    m.def("i32_add", i32_add, DOC_i32_add);
    m.def("u32_add", u32_add, DOC_u32_add);
    m.def("i64_add", i64_add, DOC_i64_add);
    m.def("u64_add", u64_add, DOC_u64_add);
    m.def("f32_add", f32_add, DOC_f32_add);
    m.def("f64_add", f64_add, DOC_f64_add);
    m.def("bool_not", bool_not, DOC_bool_not);
    m.def("mixed_sum", mixed_sum, DOC_mixed_sum);
    m.def("varargs_sum", varargs_sum, DOC_varargs_sum);
}
