// SPDX-License-Identifier: Apache-2.0
//
// idioms_values.cpp - enumerations, flags, a tagged union, bit-fields, constants, a macro and an inline function.
#include "arguments.hpp"
#include "docstrings.hpp"

#include <cside/idioms.h>

static int color_next(i32 color)
{
    const cs_color next = cs_color_next(static_cast<cs_color>(color.value));

    if (next == CS_COLOR_INVALID) {
        throw_error(PyExc_ValueError, "not a color");
    }
    return next;
}

static std::uint32_t flags_toggle(u32 flags, u32 mask)
{
    std::uint32_t result = 0;

    check(cs_flags_toggle(flags, mask, &result));
    return result;
}

static py::object variant_double(py::handle value)
{
    cs_variant variant{};

    if (PyLong_Check(value.ptr())) {
        variant.kind = CS_VARIANT_INTEGER;
        variant.as.integer = to<std::int64_t>(value);
        check(cs_variant_double(&variant));
        return py::int_(variant.as.integer);
    }
    if (PyFloat_Check(value.ptr())) {
        variant.kind = CS_VARIANT_REAL;
        variant.as.real = PyFloat_AS_DOUBLE(value.ptr());
        check(cs_variant_double(&variant));
        return py::float_(variant.as.real);
    }
    if (PyBytes_Check(value.ptr())) {
        char *const bytes = reinterpret_cast<char *>(variant.as.bytes);

        if (PyBytes_GET_SIZE(value.ptr()) != static_cast<py::ssize_t>(sizeof(variant.as.bytes))) {
            throw_error(PyExc_ValueError, "need 8 bytes");
        }
        variant.kind = CS_VARIANT_BYTES;
        std::memcpy(bytes, PyBytes_AS_STRING(value.ptr()), sizeof(variant.as.bytes));
        check(cs_variant_double(&variant));
        return py::bytes(bytes, sizeof(variant.as.bytes));
    }
    throw_bad_type("an int, a float or bytes", value);
}

static std::uint32_t bits_pack(limited<0, 7> mode, limited<0, 31> level, limited<-8, 7> delta, limited<0, 1> flag)
{
    cs_bits bits{};

    bits.mode = static_cast<unsigned>(mode) & 7u;
    bits.level = static_cast<unsigned>(level) & 31u;
    bits.delta = static_cast<signed>(delta);
    bits.flag = static_cast<unsigned>(flag) & 1u;
    return cs_bits_pack(&bits);
}

static py::tuple bits_unpack(u32 word)
{
    cs_bits bits{};

    cs_bits_unpack(word, &bits);
    // A bit-field cannot be bound to a reference, but its value in an expression can.
    return py::make_tuple(+bits.mode, +bits.level, +bits.delta, +bits.flag);
}

/** pybind11 makes a str of the result, and None where it is null. */
static const char *const_text(text name)
{
    return cs_const_text(name);
}

static std::int32_t macro_clamp(i32 x, i32 lo, i32 hi)
{
    return CS_MACRO_CLAMP(x.value, lo.value, hi.value);
}

static std::uint32_t inline_rotl(u32 value, u32 bits)
{
    return cs_inline_rotl(value, bits);
}

void bind_idioms_values(py::module_ &m)
{
    m.def("color_next", color_next, DOC_color_next);
    m.def("flags_toggle", flags_toggle, DOC_flags_toggle);
    m.def("variant_double", variant_double, DOC_variant_double);
    m.def("bits_pack", bits_pack, DOC_bits_pack);
    m.def("bits_unpack", bits_unpack, DOC_bits_unpack);
    m.def("const_text", const_text, DOC_const_text);
    m.def("macro_clamp", macro_clamp, DOC_macro_clamp);
    m.def("inline_rotl", inline_rotl, DOC_inline_rotl);

    m.attr("COLOR_RED") = static_cast<int>(CS_COLOR_RED);
    m.attr("COLOR_GREEN") = static_cast<int>(CS_COLOR_GREEN);
    m.attr("COLOR_BLUE") = static_cast<int>(CS_COLOR_BLUE);
    m.attr("FLAG_READ") = CS_FLAG_READ;
    m.attr("FLAG_WRITE") = CS_FLAG_WRITE;
    m.attr("FLAG_EXEC") = CS_FLAG_EXEC;
    m.attr("FLAG_ALL") = CS_FLAG_ALL;
    m.attr("CONST_INT") = CS_CONST_INT;
    m.attr("CONST_NEGATIVE") = CS_CONST_NEGATIVE;
    m.attr("CONST_HEX") = CS_CONST_HEX;
    m.attr("CONST_CAST") = CS_CONST_CAST;
    m.attr("CONST_SHIFT") = CS_CONST_SHIFT;
    m.attr("CONST_EXPR") = CS_CONST_EXPR;
    m.attr("CONST_CHAR") = static_cast<int>(CS_CONST_CHAR); // pybind11 makes a str of a char
    m.attr("CONST_FLOAT") = CS_CONST_FLOAT;
    m.attr("CONST_STRING") = CS_CONST_STRING;
}
