/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_checksums.c - crc32, adler32 and their combine functions.
 */
#include "buffers.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "tables.h"

#include "cside/codec.h"

typedef uint32_t (*checksum_function)(uint32_t value, const uint8_t *data, size_t data_nbytes);

static inline PyObject *checksum(const char *name, PyObject *const *args, Py_ssize_t nargs, uint32_t start,
                                 checksum_function function)
{
    core_bytes bytes;
    uint32_t value = start;
    int held = 0;

    if (nargs < 1 || nargs > 2) {
        PyErr_Format(PyExc_TypeError, "%s() takes 1 or 2 positional arguments (%zd given)", name, nargs);
        return NULL;
    }
    /* The conversion of anything but an int may run Python code, which could resize a bytearray that is not held. */
    if (nargs == 1 || PyLong_CheckExact(args[1])) {
        held = core_as_bytes_briefly(args[0], &bytes);
    } else {
        held = core_as_bytes(args[0], &bytes);
    }
    if (held < 0) {
        return NULL;
    }
    if (nargs == 2 && core_as_uint32_modulo(args[1], &value) < 0) {
        core_bytes_release(&bytes);
        return NULL;
    }
    if (bytes.nbytes < CS_CHECKSUM_LONG_NBYTES) {
        value = function(value, bytes.data, bytes.nbytes);
    } else {
        if (bytes.view.obj == NULL && core_as_bytes(args[0], &bytes) < 0) {
            return NULL;
        }
        Py_BEGIN_ALLOW_THREADS
        value = function(value, bytes.data, bytes.nbytes);
        Py_END_ALLOW_THREADS
    }
    core_bytes_release(&bytes);
    return PyLong_FromUnsignedLong(value);
}

static PyObject *crc32(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    return checksum("crc32", args, nargs, 0, cs_crc32);
}

#if !defined(CORE_KNOBS_ONLY)

typedef uint32_t (*combine_function)(uint32_t first, uint32_t second, uint64_t second_nbytes);

static PyObject *adler32(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    return checksum("adler32", args, nargs, 1, cs_adler32);
}

static PyObject *combine(const char *name, PyObject *const *args, Py_ssize_t nargs, combine_function function)
{
    uint32_t first = 0;
    uint32_t second = 0;
    uint64_t nbytes = 0;

    if (nargs != 3) {
        return core_bad_count(name, 3, nargs);
    }
    if (core_as_uint32_modulo(args[0], &first) < 0 || core_as_uint32_modulo(args[1], &second) < 0 ||
        core_as_uint64(args[2], &nbytes) < 0) {
        return NULL;
    }
    return PyLong_FromUnsignedLong(function(first, second, nbytes));
}

static PyObject *crc32_combine(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    return combine("crc32_combine", args, nargs, cs_crc32_combine);
}

static PyObject *adler32_combine(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    return combine("adler32_combine", args, nargs, cs_adler32_combine);
}

#endif /* !CORE_KNOBS_ONLY */

static PyMethodDef methods[] = {
    {"crc32", CORE_FUNCTION(crc32), METH_FASTCALL, DOC_crc32},
#if !defined(CORE_KNOBS_ONLY)
    {"adler32", CORE_FUNCTION(adler32), METH_FASTCALL, DOC_adler32},
    {"crc32_combine", CORE_FUNCTION(crc32_combine), METH_FASTCALL, DOC_crc32_combine},
    {"adler32_combine", CORE_FUNCTION(adler32_combine), METH_FASTCALL, DOC_adler32_combine},
#endif
    {NULL, NULL, 0, NULL},
};

int core_add_codec_checksums(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
