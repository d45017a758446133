// SPDX-License-Identifier: Apache-2.0
//
// _core.cpp - the module `_core`, which is made of one part for each group of functions.
#include "errors.hpp"

// The objects of Python that C++ keeps are in py::gil_safe_call_once_and_store, which has one for each interpreter.
PYBIND11_MODULE(_core, m, py::mod_gil_not_used(), py::multiple_interpreters::per_interpreter_gil())
{
    // The docstrings begin with the signatures of the contract, which inspect reads.
    py::options options;
    options.disable_function_signatures();

    m.doc() = "libcside, bound with pybind11; see cside_pybind11.idioms and cside_pybind11.codec.";
    register_python_error();
    bind_idioms_errors(m);
    bind_idioms_scalars(m);
    bind_idioms_buffers(m);
    bind_idioms_text(m);
    bind_idioms_structs(m);
    bind_idioms_arrays(m);
    bind_idioms_callbacks(m);
    bind_idioms_handles(m);
    bind_idioms_values(m);
    bind_idioms_threads(m);
    bind_idioms_trace(m);
    bind_codec_errors(m);
    bind_codec_constants(m);
    bind_codec_checksums(m);
    bind_codec_oneshot(m);
    bind_codec_compress(m);
    bind_codec_decompress(m);
#if defined(PYPY_VERSION)
    py::module_::import("cside_pybind11._methods")
        .attr("show_signatures")(m.attr("Counter"), m.attr("Compress"), m.attr("Decompress"),
                                 m.attr("_ZlibDecompressor"));
#endif
}
