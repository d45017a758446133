# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
# cython: binding=False
# cython: auto_pickle=False
# cython: autotestdict=False
# cython: embedsignature=True
# cython: embedsignature.format=clinic
# cython: freethreading_compatible=True
# Each directive is here for a reason that the README gives with its measurement.
"""The compiled module: one for all nouns, written in one .pxi per noun."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_CheckExact, PyByteArray_GET_SIZE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsUnsignedLongMask, PyLong_Check, PyLong_CheckExact
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyCallable_Check, PyObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset, strlen

from .cside_codec cimport *
from .cside_idioms cimport *
from .cside_pkcs11 cimport *
from .cside_pkcs11_shim cimport *
from .cside_status cimport *
from .cside_trace cimport *

include "arguments.pxi"
include "results.pxi"
include "status.pxi"
include "idioms_knobs.pxi"
include "idioms.pxi"
include "structs.pxi"
include "callbacks.pxi"
include "trace.pxi"
include "codec_knobs.pxi"
include "codec.pxi"
include "streams.pxi"
include "pkcs11_calls.pxi"
include "pkcs11_memory.pxi"
include "pkcs11_templates.pxi"
include "pkcs11_results.pxi"
include "pkcs11_structs.pxi"
include "pkcs11_callbacks.pxi"
include "pkcs11_attributes.pxi"
include "pkcs11_functions.pxi"
include "pkcs11.pxi"
