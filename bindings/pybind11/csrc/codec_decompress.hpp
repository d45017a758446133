// SPDX-License-Identifier: Apache-2.0
//
// codec_decompress.hpp - the parts of what decompresses in parts.
#pragma once

#include "_core.hpp"

/** Add the class _ZlibDecompressor. `absent` is the default of its argument zdict, which is not an empty dictionary. */
void bind_codec_decompressor(py::module_ &m, const py::object &absent);
