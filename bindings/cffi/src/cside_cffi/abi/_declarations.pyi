# SPDX-License-Identifier: Apache-2.0
from cside_cffi._core import FFI

ffi: FFI
