// SPDX-License-Identifier: Apache-2.0
//
// _core.hpp - the parts of the module `_core`: for each group, a function that adds its functions, types and constants.
#pragma once

#include <pybind11/pybind11.h>

namespace py = pybind11;

// What follows bind_ is the name of the file that defines the function.
void bind_idioms_scalars(py::module_ &m);
void bind_idioms_buffers(py::module_ &m);
void bind_idioms_text(py::module_ &m);
void bind_idioms_structs(py::module_ &m);
void bind_idioms_arrays(py::module_ &m);
void bind_idioms_callbacks(py::module_ &m);
void bind_idioms_handles(py::module_ &m);
void bind_idioms_errors(py::module_ &m);
void bind_idioms_values(py::module_ &m);
void bind_idioms_threads(py::module_ &m);
void bind_idioms_trace(py::module_ &m);
void bind_codec_errors(py::module_ &m);
void bind_codec_constants(py::module_ &m);
void bind_codec_checksums(py::module_ &m);
void bind_codec_oneshot(py::module_ &m);
void bind_codec_compress(py::module_ &m);
void bind_codec_decompress(py::module_ &m);
