/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_compress.cpp - compressobj() and the type of its streams, Compress.
 */
#include "arguments.hpp"
#include "buffers.hpp"
#include "classes.hpp"
#include "codec_errors.hpp"
#include "codec_output.hpp"
#include "codec_stream.hpp"
#include "docstrings.h"
#include "gil.hpp"
#include "groups.hpp"

#include <cside/codec.h>

namespace cside
{

namespace
{

struct compress_stream {
    cs_stream stream = {};
    std::mutex lock;

    compress_stream() = default;
    compress_stream(const compress_stream &) = delete;
    compress_stream &operator=(const compress_stream &) = delete;

    ~compress_stream()
    {
        if (stream.engine != nullptr) {
            (void)cs_deflate_end(&stream);
        }
    }
};

const PyType_Slot compress_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(refuse_creation)},
    {0, nullptr},
};

nb::object fail_creating(cs_status status, const char *message)
{
    switch (status) {
    case CS_E_MEMORY:
        return fail(PyExc_MemoryError, "Can't allocate memory for compression object");
    case CS_E_STREAM:
        return fail(PyExc_ValueError, "Invalid initialization option");
    default:
        return fail_engine(status, "while creating compression object", message);
    }
}

nb::object compressobj(nb::handle level, nb::handle method, nb::handle wbits, nb::handle mem_level, nb::handle strategy,
                       nb::handle zdict)
{
    int32_t c_level = 0;
    int32_t c_method = 0;
    int32_t window_bits = 0;
    int32_t c_mem_level = 0;
    int32_t c_strategy = 0;
    input dictionary;
    nb::object object;

    if (!convert(level, c_level) || !convert(method, c_method) || !convert(wbits, window_bits) ||
        !convert(mem_level, c_mem_level) || !convert(strategy, c_strategy) ||
        (!zdict.is_none() && !dictionary.open(zdict))) {
        return nb::object();
    }
    cs_stream &stream = make_stream<compress_stream>(object).stream;
    cs_status status = cs_deflate_init(&stream, c_level, c_method, window_bits, c_mem_level, c_strategy);
    if (status < 0) {
        return fail_creating(status, stream.message);
    }
    if (!zdict.is_none()) {
        status = cs_deflate_set_dictionary(&stream, dictionary.data(), dictionary.nbytes());
        if (status < 0) {
            return fail(PyExc_ValueError, status == CS_E_STREAM ? "Invalid dictionary" : "deflateSetDictionary()");
        }
    }
    return object;
}

/** Call the engine until it needs no more room. The caller holds the lock. `status` becomes the engine's last status, and
 *  unless that is a failure, the output is returned; null with MemoryError, or without an exception if it is. */
nb::object deflate_all(cs_stream &stream, int32_t flush, cs_status &status)
{
    growing_output output;

    status = CS_OK;
    if (!output.start(stream, CS_OUT_FIRST_NBYTES, static_cast<size_t>(PY_SSIZE_T_MAX))) {
        return nb::object();
    }
    for (;;) {
        {
            gil_released released;

            status = cs_deflate(&stream, flush);
        }
        if (status != CS_OK || stream.avail_out != 0) {
            break;
        }
        growing_output::growth growth = output.grow(stream);
        if (growth == growing_output::growth::no_memory) {
            return nb::object();
        }
        if (growth == growing_output::growth::at_limit) {
            break;
        }
    }
    if (status == CS_E_BUFFER) {
        status = CS_OK; /* the engine had nothing to do, which is not an error here */
    }
    return status < 0 ? nb::object() : output.finish(stream);
}

nb::object compress_compress(compress_stream &self, nb::handle data)
{
    input bytes;
    engine_failure failure;
    nb::object result;
    cs_status status = CS_OK;

    if (!bytes.open(data)) {
        return nb::object();
    }
    {
        stream_guard guard(self.lock);

        self.stream.next_in = bytes.data();
        self.stream.avail_in = bytes.nbytes();
        result = deflate_all(self.stream, CS_FLUSH_NONE, status);
        if (status < 0) {
            failure.note(status, "while compressing data", self.stream.message);
        }
        self.stream.next_in = nullptr;
        self.stream.avail_in = 0;
    }
    return failure ? failure.raise() : result;
}

nb::object compress_flush(compress_stream &self, nb::handle mode)
{
    engine_failure failure;
    nb::object result;
    int32_t flush = 0;
    cs_status status = CS_OK;

    if (!convert(mode, flush)) {
        return nb::object();
    }
    if (flush == CS_FLUSH_NONE) {
        return nb::bytes("", 0); /* as in zlib, also for a stream that has ended */
    }
    {
        stream_guard guard(self.lock);
        const char *doing = "while flushing";

        self.stream.next_in = nullptr;
        self.stream.avail_in = 0;
        result = deflate_all(self.stream, flush, status);
        if (result.is_valid() && status == CS_STREAM_END && flush == CS_FLUSH_FINISH) {
            doing = "while finishing compression";
            status = cs_deflate_end(&self.stream);
        }
        if (status < 0) {
            failure.note(status, doing, self.stream.message);
        }
    }
    return failure ? failure.raise() : result;
}

nb::object compress_copy(compress_stream &self)
{
    engine_failure failure;
    nb::object object;
    compress_stream &copy = make_stream<compress_stream>(object);
    cs_status status = CS_OK;

    {
        stream_guard guard(self.lock);

        status = cs_deflate_copy(&copy.stream, &self.stream);
        if (status < 0) {
            failure.note(status, "while copying compression object", self.stream.message);
        }
    }
    switch (status) {
    case CS_E_STREAM:
        return fail(PyExc_ValueError, "Inconsistent stream state");
    case CS_E_MEMORY:
        return fail(PyExc_MemoryError, "Can't allocate memory for compression object");
    default:
        return failure ? failure.raise() : object;
    }
}

nb::object compress_deepcopy(compress_stream &self, nb::handle)
{
    return compress_copy(self);
}

} // namespace

void bind_codec_compress(nb::module_ &m)
{
    nb::class_<compress_stream>(m, "Compress", nb::is_final(), nb::type_slots(compress_slots), DOC_Compress)
        .def("compress", compress_compress, nb::arg().none(), DOC_Compress_compress)
        .def("flush", compress_flush, nb::arg() = CS_FLUSH_FINISH, DOC_Compress_flush)
        .def("copy", compress_copy, DOC_Compress_copy)
        .def("__copy__", compress_copy, DOC_Compress___copy__)
        .def("__deepcopy__", compress_deepcopy, nb::arg().none(), DOC_Compress___deepcopy__)
        .def("__reduce__", refuse_pickle);
    m.def("compressobj", compressobj, nb::arg("level") = CS_LEVEL_DEFAULT, nb::arg("method") = CS_METHOD_DEFLATED,
          nb::arg("wbits") = CS_WINDOW_BITS_MAX, nb::arg("memLevel") = CS_MEM_LEVEL_DEFAULT,
          nb::arg("strategy") = CS_STRATEGY_DEFAULT, nb::arg("zdict") = nb::none(), DOC_compressobj);
}

} // namespace cside
