# SPDX-License-Identifier: Apache-2.0
"""The functions of a variant, written as Cython's tutorial teaches, as far as the contract allows.

No directive is set, and there are no fast paths. Integers are converted by ``__index__``, which the contract requires:
a typed argument would be converted by ``__int__``. Buffers are opened as ``Py_buffer``, because a typed memoryview
refuses formats and shapes that the contract allows.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.number cimport PyNumber_Index
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from ..cside_codec cimport CS_CHECKSUM_LONG_NBYTES, cs_crc32
from ..cside_idioms cimport *
from ..cside_status cimport *

include "status.pxi"

include "idioms_errors.pxi"
include "idioms_scalars.pxi"
include "idioms_buffers.pxi"
include "idioms_text.pxi"
include "idioms_structs.pxi"
include "idioms_callbacks.pxi"

include "codec_checksums.pxi"
