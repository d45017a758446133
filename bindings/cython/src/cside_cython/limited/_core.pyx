# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
# cython: binding=False
# cython: auto_pickle=False
# cython: autotestdict=False
# cython: embedsignature=True
# cython: embedsignature.format=clinic
"""The groups that the functions of a variant belong to, from the files of the whole binding, for the limited API.

`idioms.py` and `codec.py` export the functions of a variant; the other functions of these groups are compiled and not
exported. setup.py selects the version of the limited API.
"""

cimport cython
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from ..cside_codec cimport *
from ..cside_idioms cimport *
from ..cside_status cimport *

cdef extern from *:
    """
    /* The files below use these names, for which the limited API of 3.11 has only other ones. */
    #define PyBytes_AS_STRING(bytes) PyBytes_AsString(bytes)
    #define PyBytes_GET_SIZE(bytes) PyBytes_Size(bytes)
    #define PyByteArray_AS_STRING(bytes) PyByteArray_AsString(bytes)
    #define PyByteArray_GET_SIZE(bytes) PyByteArray_Size(bytes)
    #define PyObject_CallOneArg(callable, argument) PyObject_CallFunctionObjArgs(callable, argument, NULL)
    #define PyThreadState_DeleteCurrent() PyThreadState_Delete(PyEval_SaveThread())
    #define _PyBytes_Resize(bytes, nbytes) cside_shorten(bytes, nbytes)

    /* The limited API cannot change the size of a bytes object: copy what is kept. */
    static int cside_shorten(PyObject **bytes, Py_ssize_t nbytes)
    {
        PyObject *shorter = PyBytes_FromStringAndSize(PyBytes_AsString(*bytes), nbytes);
        Py_DECREF(*bytes);
        *bytes = shorter;
        return shorter == NULL ? -1 : 0;
    }
    """

include "../arguments.pxi"
include "../memory.pxi"
include "../status.pxi"

include "../idioms_scalars.pxi"
include "../idioms_buffers.pxi"
include "../idioms_text.pxi"
include "../idioms_structs.pxi"
include "../idioms_callbacks.pxi"
include "../idioms_errors.pxi"

include "../codec_checksums.pxi"
