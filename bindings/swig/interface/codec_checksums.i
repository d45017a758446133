/* SPDX-License-Identifier: Apache-2.0
 *
 * crc32, adler32, crc32_combine, adler32_combine.
 */
%{
/* An integer modulo 2^32, which is how zlib takes the checksum that it continues from. */
SWIGINTERNINLINE bool cside_as_modulo(PyObject *object, uint32_t *out)
{
    unsigned long value;

    if (PyLong_Check(object)) {
        value = PyLong_AsUnsignedLongMask(object);
    } else {
        PyObject *index = PyNumber_Index(object);
        if (index == NULL)
            return false;
        value = PyLong_AsUnsignedLongMask(index);
        Py_DECREF(index);
    }
    *out = (uint32_t)value;
    return value != (unsigned long)-1 || !PyErr_Occurred();
}
%}

%typemap(in) uint32_t MODULO "if (!cside_as_modulo($input, &$1)) SWIG_fail;"

/* A checksum function of zlib's signature, whose second argument is optional. The GIL is held for short data and
 * released for long data. */
%define %checksum(NAME, INITIAL)
%rename(NAME) NAME;
%feature("compactdefaultargs") NAME; /* in the variants it is not set for all functions, as in core.i */
%exception NAME {
    if (arg2 < CS_CHECKSUM_LONG_NBYTES) {
        $action
    } else {
        Py_BEGIN_ALLOW_THREADS
        $action
        Py_END_ALLOW_THREADS
    }
}
%header {
static uint32_t NAME(const uint8_t *data, size_t data_nbytes, uint32_t value)
{
    return cs_##NAME(value, data, data_nbytes);
}
}
uint32_t NAME(const uint8_t *data, size_t data_nbytes, uint32_t MODULO = INITIAL);
%enddef

%checksum(crc32, 0)

#ifndef CSIDE_PARTIAL
%checksum(adler32, 1)

%apply uint32_t MODULO { uint32_t first, uint32_t second };
%rename(crc32_combine) cs_crc32_combine;
uint32_t cs_crc32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);
%rename(adler32_combine) cs_adler32_combine;
uint32_t cs_adler32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);
#endif
