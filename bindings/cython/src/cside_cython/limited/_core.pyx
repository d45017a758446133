# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
# cython: binding=False
# cython: auto_pickle=False
# cython: autotestdict=False
# cython: embedsignature=True
# cython: embedsignature.format=clinic
"""The functions that every variant has, from the sources of the whole binding; setup.py chooses the limited API."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_CheckExact, PyByteArray_GET_SIZE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsUnsignedLongMask, PyLong_Check, PyLong_CheckExact
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyCallable_Check, PyObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport strlen

from ..cside_codec cimport *
from ..cside_idioms cimport *
from ..cside_status cimport *

cdef extern from *:
    """
    /* What the sources use and the limited API of 3.11 has under another name only */
    #define PyBytes_AS_STRING(bytes) PyBytes_AsString(bytes)
    #define PyBytes_GET_SIZE(bytes) PyBytes_Size(bytes)
    #define PyByteArray_AS_STRING(bytes) PyByteArray_AsString(bytes)
    #define PyByteArray_GET_SIZE(bytes) PyByteArray_Size(bytes)
    #define PyObject_CallOneArg(callable, argument) PyObject_CallFunctionObjArgs(callable, argument, NULL)
    """

include "../arguments.pxi"
include "../status.pxi"
include "../idioms_knobs.pxi"
include "../codec_knobs.pxi"
