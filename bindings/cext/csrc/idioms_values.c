/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_values.c - enumerations, flags, a tagged union, bit-fields, constants, a macro and an inline function.
 */
#include "add.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"
#include "tables.h"
#include "tuples.h"

#include "cside/idioms.h"

#include <string.h>

static PyObject *color_next(PyObject *Py_UNUSED(module), PyObject *color)
{
    int32_t value = 0;
    cs_color next = CS_COLOR_INVALID;

    if (core_as_int32(color, &value) < 0) {
        return NULL;
    }
    next = cs_color_next((cs_color)value);
    if (next == CS_COLOR_INVALID) {
        PyErr_SetString(PyExc_ValueError, "not a color");
        return NULL;
    }
    return PyLong_FromLong(next);
}

static PyObject *flags_toggle(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    uint32_t flags = 0;
    uint32_t mask = 0;
    uint32_t result = 0;
    cs_status status = CS_OK;

    if (nargs != 2) {
        return core_bad_count("flags_toggle", 2, nargs);
    }
    if (core_as_uint32(args[0], &flags) < 0 || core_as_uint32(args[1], &mask) < 0) {
        return NULL;
    }
    status = cs_flags_toggle(flags, mask, &result);
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    return PyLong_FromUnsignedLong(result);
}

static PyObject *variant_double(PyObject *module, PyObject *value)
{
    cs_variant variant = {0};
    cs_status status = CS_OK;

    if (PyLong_Check(value)) {
        variant.kind = CS_VARIANT_INTEGER;
        if (core_as_int64(value, &variant.as.integer) < 0) {
            return NULL;
        }
        status = cs_variant_double(&variant);
        if (status >= 0) {
            return PyLong_FromLongLong(variant.as.integer);
        }
    } else if (PyFloat_Check(value)) {
        variant.kind = CS_VARIANT_REAL;
        variant.as.real = PyFloat_AS_DOUBLE(value);
        status = cs_variant_double(&variant);
        if (status >= 0) {
            return PyFloat_FromDouble(variant.as.real);
        }
    } else if (PyBytes_Check(value)) {
        if (PyBytes_GET_SIZE(value) != (Py_ssize_t)sizeof(variant.as.bytes)) {
            PyErr_SetString(PyExc_ValueError, "need 8 bytes");
            return NULL;
        }
        variant.kind = CS_VARIANT_BYTES;
        memcpy(variant.as.bytes, PyBytes_AS_STRING(value), sizeof(variant.as.bytes));
        status = cs_variant_double(&variant);
        if (status >= 0) {
            return PyBytes_FromStringAndSize((const char *)variant.as.bytes, (Py_ssize_t)sizeof(variant.as.bytes));
        }
    } else {
        core_bad_type("an int, a float or bytes", value);
        return NULL;
    }
    return core_raise(core_state_of(module), status);
}

static PyObject *bits_pack(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int64_t mode = 0;
    int64_t level = 0;
    int64_t delta = 0;
    int64_t flag = 0;
    cs_bits bits = {0};

    if (nargs != 4) {
        return core_bad_count("bits_pack", 4, nargs);
    }
    if (core_as_int(args[0], 0, 7, "the field mode", &mode) < 0 ||
        core_as_int(args[1], 0, 31, "the field level", &level) < 0 ||
        core_as_int(args[2], -8, 7, "the field delta", &delta) < 0 ||
        core_as_int(args[3], 0, 1, "the field flag", &flag) < 0) {
        return NULL;
    }
    bits.mode = (unsigned)mode & 7u;
    bits.level = (unsigned)level & 31u;
    bits.delta = (signed)delta;
    bits.flag = (unsigned)flag & 1u;
    return PyLong_FromUnsignedLong(cs_bits_pack(&bits));
}

static PyObject *bits_unpack(PyObject *Py_UNUSED(module), PyObject *word)
{
    uint32_t value = 0;
    cs_bits bits = {0};

    if (core_as_uint32(word, &value) < 0) {
        return NULL;
    }
    cs_bits_unpack(value, &bits);
    return core_tuple_of_4(PyLong_FromLong(bits.mode), PyLong_FromLong(bits.level), PyLong_FromLong(bits.delta),
                           PyLong_FromLong(bits.flag));
}

static PyObject *const_text(PyObject *Py_UNUSED(module), PyObject *name)
{
    const char *utf8 = NULL;
    const char *text = NULL;

    if (core_as_text(name, &utf8) < 0) {
        return NULL;
    }
    text = cs_const_text(utf8);
    if (text == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), NULL);
}

static PyObject *macro_clamp(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int32_t x = 0;
    int32_t lo = 0;
    int32_t hi = 0;

    if (nargs != 3) {
        return core_bad_count("macro_clamp", 3, nargs);
    }
    if (core_as_int32(args[0], &x) < 0 || core_as_int32(args[1], &lo) < 0 || core_as_int32(args[2], &hi) < 0) {
        return NULL;
    }
    return PyLong_FromLong(CS_MACRO_CLAMP(x, lo, hi));
}

static PyObject *inline_rotl(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    uint32_t value = 0;
    uint32_t bits = 0;

    if (nargs != 2) {
        return core_bad_count("inline_rotl", 2, nargs);
    }
    if (core_as_uint32(args[0], &value) < 0 || core_as_uint32(args[1], &bits) < 0) {
        return NULL;
    }
    return PyLong_FromUnsignedLong(cs_inline_rotl(value, bits));
}

static PyMethodDef methods[] = {
    {"color_next", color_next, METH_O, DOC_color_next},
    {"flags_toggle", CORE_FUNCTION(flags_toggle), METH_FASTCALL, DOC_flags_toggle},
    {"variant_double", variant_double, METH_O, DOC_variant_double},
    {"bits_pack", CORE_FUNCTION(bits_pack), METH_FASTCALL, DOC_bits_pack},
    {"bits_unpack", bits_unpack, METH_O, DOC_bits_unpack},
    {"const_text", const_text, METH_O, DOC_const_text},
    {"macro_clamp", CORE_FUNCTION(macro_clamp), METH_FASTCALL, DOC_macro_clamp},
    {"inline_rotl", CORE_FUNCTION(inline_rotl), METH_FASTCALL, DOC_inline_rotl},
    {NULL, NULL, 0, NULL},
};

static const core_constant constants[] = {
    {"CONST_INT", CS_CONST_INT},   {"CONST_NEGATIVE", CS_CONST_NEGATIVE},
    {"CONST_CAST", CS_CONST_CAST}, {"CONST_SHIFT", CS_CONST_SHIFT},
    {"CONST_EXPR", CS_CONST_EXPR}, {"CONST_CHAR", CS_CONST_CHAR},
    {"COLOR_RED", CS_COLOR_RED},   {"COLOR_GREEN", CS_COLOR_GREEN},
    {"COLOR_BLUE", CS_COLOR_BLUE}, {"FLAG_READ", CS_FLAG_READ},
    {"FLAG_WRITE", CS_FLAG_WRITE}, {"FLAG_EXEC", CS_FLAG_EXEC},
    {"FLAG_ALL", CS_FLAG_ALL},     {NULL, 0},
};

int core_add_idioms_values(PyObject *module)
{
    if (core_add_constants(module, constants) < 0 ||
        core_add_value(module, "CONST_HEX", PyLong_FromUnsignedLongLong(CS_CONST_HEX)) < 0 ||
        core_add_value(module, "CONST_FLOAT", PyFloat_FromDouble(CS_CONST_FLOAT)) < 0 ||
        core_add_value(module, "CONST_STRING", PyUnicode_FromString(CS_CONST_STRING)) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
