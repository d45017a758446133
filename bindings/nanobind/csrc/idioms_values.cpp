/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_values.cpp - enumerations, flags, a tagged union, bit-fields, constants, a macro and an inline function.
 */
#include "arguments.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "scalars.hpp"
#include "status.hpp"

#include <cside/idioms.h>

namespace cside
{

namespace
{

nb::object color_next(nb::handle color)
{
    int32_t value = 0;

    if (!convert(color, value)) {
        return nb::object();
    }
    if (value < CS_COLOR_RED || value > CS_COLOR_BLUE) { /* in C++ an enumeration cannot hold every int */
        return fail(PyExc_ValueError, "not a color");
    }
    return nb::cast(static_cast<int>(cs_color_next(static_cast<cs_color>(value))));
}

nb::object flags_toggle(nb::handle flags, nb::handle mask)
{
    uint32_t value = 0;
    uint32_t toggled = 0;
    uint32_t result = 0;

    if (!convert(flags, value) || !convert(mask, toggled)) {
        return nb::object();
    }
    cs_status status = cs_flags_toggle(value, toggled, &result);
    return status < 0 ? fail_status(status) : nb::cast(result);
}

nb::object variant_double(nb::handle value)
{
    cs_variant variant = {};
    cs_status status = CS_OK;

    if (PyLong_Check(value.ptr())) {
        variant.kind = CS_VARIANT_INTEGER;
        if (!convert(value, variant.as.integer)) {
            return nb::object();
        }
        status = cs_variant_double(&variant);
        return status < 0 ? fail_status(status) : nb::cast(variant.as.integer);
    }
    if (PyFloat_Check(value.ptr())) {
        variant.kind = CS_VARIANT_REAL;
        variant.as.real = PyFloat_AS_DOUBLE(value.ptr());
        status = cs_variant_double(&variant);
        return status < 0 ? fail_status(status) : nb::cast(variant.as.real);
    }
    if (PyBytes_Check(value.ptr())) {
        if (PyBytes_GET_SIZE(value.ptr()) != static_cast<Py_ssize_t>(sizeof(variant.as.bytes))) {
            return fail(PyExc_ValueError, "need 8 bytes");
        }
        variant.kind = CS_VARIANT_BYTES;
        std::memcpy(variant.as.bytes, PyBytes_AS_STRING(value.ptr()), sizeof(variant.as.bytes));
        status = cs_variant_double(&variant);
        return status < 0 ? fail_status(status) : nb::bytes(variant.as.bytes, sizeof(variant.as.bytes));
    }
    return fail_type("an int, a float or bytes", value);
}

nb::object bits_pack(nb::handle mode, nb::handle level, nb::handle delta, nb::handle flag)
{
    int64_t values[4] = {0};
    cs_bits bits = {};

    if (!convert_within(mode, 0, 7, "the field mode", values[0]) ||
        !convert_within(level, 0, 31, "the field level", values[1]) ||
        !convert_within(delta, -8, 7, "the field delta", values[2]) ||
        !convert_within(flag, 0, 1, "the field flag", values[3])) {
        return nb::object();
    }
    bits.mode = static_cast<unsigned>(values[0]) & 7u;
    bits.level = static_cast<unsigned>(values[1]) & 31u;
    bits.delta = static_cast<signed>(values[2]);
    bits.flag = static_cast<unsigned>(values[3]) & 1u;
    return nb::cast(cs_bits_pack(&bits));
}

nb::object bits_unpack(nb::handle word)
{
    uint32_t value = 0;
    cs_bits bits = {};

    if (!convert(word, value)) {
        return nb::object();
    }
    cs_bits_unpack(value, &bits);
    /* A bit-field has no address, so it is copied before it is passed by reference. */
    return nb::make_tuple(unsigned(bits.mode), unsigned(bits.level), int(bits.delta), unsigned(bits.flag));
}

nb::object const_text(nb::handle name)
{
    const char *utf8 = nullptr;

    if (!convert(name, utf8)) {
        return nb::object();
    }
    const char *text = cs_const_text(utf8);
    return text == nullptr ? nb::none()
                           : nb::steal(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), nullptr));
}

int32_t macro_clamp(int32_t x, int32_t lo, int32_t hi)
{
    return CS_MACRO_CLAMP(x, lo, hi);
}

} // namespace

void bind_idioms_values(nb::module_ &m)
{
    m.def("color_next", color_next, DOC_color_next);
    m.def("flags_toggle", flags_toggle, DOC_flags_toggle);
    m.def("variant_double", variant_double, DOC_variant_double);
    m.def("bits_pack", bits_pack, DOC_bits_pack);
    m.def("bits_unpack", bits_unpack, DOC_bits_unpack);
    m.def("const_text", const_text, DOC_const_text);
    m.def("macro_clamp", scalar_call<macro_clamp>::call, DOC_macro_clamp);
    m.def("inline_rotl", scalar_call<cs_inline_rotl>::call, DOC_inline_rotl);

    m.attr("CONST_INT") = CS_CONST_INT;
    m.attr("CONST_NEGATIVE") = CS_CONST_NEGATIVE;
    m.attr("CONST_HEX") = CS_CONST_HEX;
    m.attr("CONST_CAST") = CS_CONST_CAST;
    m.attr("CONST_SHIFT") = CS_CONST_SHIFT;
    m.attr("CONST_EXPR") = CS_CONST_EXPR;
    m.attr("CONST_CHAR") = static_cast<int>(CS_CONST_CHAR); /* in C++ a character literal is a char */
    m.attr("CONST_FLOAT") = CS_CONST_FLOAT;
    m.attr("CONST_STRING") = CS_CONST_STRING;
    m.attr("COLOR_RED") = static_cast<int>(CS_COLOR_RED);
    m.attr("COLOR_GREEN") = static_cast<int>(CS_COLOR_GREEN);
    m.attr("COLOR_BLUE") = static_cast<int>(CS_COLOR_BLUE);
    m.attr("FLAG_READ") = CS_FLAG_READ;
    m.attr("FLAG_WRITE") = CS_FLAG_WRITE;
    m.attr("FLAG_EXEC") = CS_FLAG_EXEC;
    m.attr("FLAG_ALL") = CS_FLAG_ALL;
}

} // namespace cside
