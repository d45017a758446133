/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_values.c - values that are more than a number: enum, flags, tagged union, bit-fields, sized struct.
 */
#include "convert.h"

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
    } else if (PyFloat_Check(value)) {
        variant.kind = CS_VARIANT_REAL;
        variant.as.real = PyFloat_AS_DOUBLE(value);
    } else if (PyBytes_Check(value)) {
        if (PyBytes_GET_SIZE(value) != (Py_ssize_t)sizeof(variant.as.bytes)) {
            PyErr_SetString(PyExc_ValueError, "need 8 bytes");
            return NULL;
        }
        variant.kind = CS_VARIANT_BYTES;
        memcpy(variant.as.bytes, PyBytes_AS_STRING(value), sizeof(variant.as.bytes));
    } else {
        PyErr_Format(PyExc_TypeError, "an int, a float or bytes is required, not '%.100s'", Py_TYPE(value)->tp_name);
        return NULL;
    }
    status = cs_variant_double(&variant);
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    switch (variant.kind) {
    case CS_VARIANT_INTEGER:
        return PyLong_FromLongLong(variant.as.integer);
    case CS_VARIANT_REAL:
        return PyFloat_FromDouble(variant.as.real);
    default:
        return PyBytes_FromStringAndSize((const char *)variant.as.bytes, (Py_ssize_t)sizeof(variant.as.bytes));
    }
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
    return Py_BuildValue("(IIiI)", (unsigned)bits.mode, (unsigned)bits.level, (int)bits.delta, (unsigned)bits.flag);
}

static PyObject *config_read(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    cs_config config = {0};
    cs_config_view view = {0};
    uint64_t struct_nbytes = 0;
    cs_status status = CS_OK;

    if (nargs != 4) {
        return core_bad_count("config_read", 4, nargs);
    }
    if (core_as_uint32(args[0], &config.retries) < 0 || core_as_double(args[1], &config.timeout_s) < 0 ||
        core_as_uint32(args[2], &config.flags) < 0 || core_as_uint64(args[3], &struct_nbytes) < 0) {
        return NULL;
    }
#if SIZE_MAX < UINT64_MAX
    if (struct_nbytes > SIZE_MAX) {
        PyErr_SetString(PyExc_OverflowError, "value does not fit size_t");
        return NULL;
    }
#endif
    config.struct_nbytes = (size_t)struct_nbytes;
    status = cs_config_read(&config, &view);
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    return Py_BuildValue("(IIdI)", (unsigned)view.version, (unsigned)view.retries, view.timeout_s,
                         (unsigned)view.flags);
}

static PyMethodDef methods[] = {
    {"color_next", color_next, METH_O, "color_next($module, color, /)\n--\n\nThe next color of three."},
    {"flags_toggle", CORE_FUNCTION(flags_toggle), METH_FASTCALL,
     "flags_toggle($module, flags, mask, /)\n--\n\nExclusive or of flags."},
    {"variant_double", variant_double, METH_O,
     "variant_double($module, value, /)\n--\n\nTwice an int or a float, or eight bytes reversed."},
    {"bits_pack", CORE_FUNCTION(bits_pack), METH_FASTCALL,
     "bits_pack($module, mode, level, delta, flag, /)\n--\n\nFour bit-fields in one number."},
    {"bits_unpack", bits_unpack, METH_O,
     "bits_unpack($module, word, /)\n--\n\nThe bit-fields (mode, level, delta, flag) of a number."},
    {"config_read", CORE_FUNCTION(config_read), METH_FASTCALL,
     "config_read($module, retries, timeout_s, flags, struct_nbytes, /)\n--\n\n"
     "What the library understands of a struct: (version, retries, timeout_s, flags)."},
    {NULL, NULL, 0, NULL},
};

int core_add_values(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
