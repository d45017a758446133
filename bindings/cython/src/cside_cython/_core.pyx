# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
# cython: binding=False
# cython: auto_pickle=False
# cython: autotestdict=False
# cython: embedsignature=True
# cython: embedsignature.format=clinic
# cython: freethreading_compatible=True
# The README gives the reason for each directive, with a measurement.
"""The compiled module of the whole binding. Its functions are in the .pxi files: one file for each group."""

cimport cython
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from .cside_codec cimport *
from .cside_idioms cimport *
from .cside_pkcs11 cimport *
from .cside_pkcs11_shim cimport *
from .cside_status cimport *
from .cside_trace cimport *

# A file may use the C types of files before it, and the functions of all files.

# What several groups share
include "arguments.pxi"
include "memory.pxi"
include "status.pxi"
include "construction.pxi"

include "idioms_scalars.pxi"
include "idioms_buffers.pxi"
include "idioms_text.pxi"
include "idioms_structs.pxi"
include "idioms_arrays.pxi"
include "idioms_callbacks.pxi"
include "idioms_handles.pxi"
include "idioms_errors.pxi"
include "idioms_values.pxi"
include "idioms_threads.pxi"
include "idioms_trace.pxi"

include "codec_constants.pxi"
include "codec_errors.pxi"
include "codec_output.pxi"
include "codec_checksums.pxi"
include "codec_oneshot.pxi"
include "codec_compress.pxi"
include "codec_decompress.pxi"

include "pkcs11_calls.pxi"
include "pkcs11_errors.pxi"
include "pkcs11_arguments.pxi"
include "pkcs11_memory.pxi"
include "pkcs11_templates.pxi"
include "pkcs11_parameters.pxi"
include "pkcs11_results.pxi"
include "pkcs11_structs.pxi"
include "pkcs11_callbacks.pxi"
include "pkcs11_locks.pxi"
include "pkcs11_attributes.pxi"
include "pkcs11_functions.pxi"
include "pkcs11_module.pxi"
