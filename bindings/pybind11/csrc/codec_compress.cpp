// SPDX-License-Identifier: Apache-2.0
//
// codec_compress.cpp - compressobj() and the class of its streams, Compress.
#include "arguments.hpp"
#include "buffers.hpp"
#include "codec_errors.hpp"
#include "codec_lock.hpp"
#include "codec_output.hpp"
#include "docstrings.hpp"

#include <memory>
#include <optional>

namespace
{

struct compress_stream : locked_stream {
    cs_stream stream{}; // the library demands that its address does not change; the object is on the heap

    ~compress_stream()
    {
        if (stream.engine != nullptr) {
            (void)cs_deflate_end(&stream);
        }
    }
};

using stream_pointer = std::unique_ptr<compress_stream>;

[[noreturn]] void throw_creating(cs_status status, const char *message)
{
    switch (status) {
    case CS_E_MEMORY:
        throw_error(PyExc_MemoryError, "Can't allocate memory for compression object");
    case CS_E_STREAM:
        throw_error(PyExc_ValueError, "Invalid initialization option");
    default:
        throw_codec_error(status, "while creating compression object", message);
    }
}

stream_pointer compressobj(i32 level, i32 method, i32 window_bits, i32 mem_level, i32 strategy, py::handle zdict)
{
    input dictionary;

    if (!zdict.is_none()) {
        dictionary.open(zdict);
    }
    auto self = std::make_unique<compress_stream>();
    cs_status status = cs_deflate_init(&self->stream, level, method, window_bits, mem_level, strategy);

    if (status < 0) {
        throw_creating(status, self->stream.message);
    }
    if (!zdict.is_none()) {
        status = cs_deflate_set_dictionary(&self->stream, dictionary.data(), dictionary.nbytes());
        if (status < 0) {
            throw_error(PyExc_ValueError, status == CS_E_STREAM ? "Invalid dictionary" : "deflateSetDictionary()");
        }
    }
    return self;
}

/** The result of a call of the engine, which is looked at after the lock is released. */
struct deflate_result {
    py::object bytes;
    std::optional<codec_text> failure;

    /** Throw the exception of the call, or return its bytes. */
    py::object get()
    {
        if (failure) {
            throw_codec_error(failure->text);
        }
        if (!bytes) {
            throw_no_room();
        }
        return std::move(bytes);
    }
};

/** Call the engine until it needs no more room. The caller holds the lock. Returns the engine's last status. */
cs_status deflate_all(cs_stream &stream, std::int32_t flush, const char *doing, deflate_result &result)
{
    output out;
    cs_status status = CS_OK;

    if (!out.start(stream, CS_OUT_FIRST_NBYTES, static_cast<std::size_t>(PY_SSIZE_T_MAX))) {
        return CS_OK;
    }
    for (;;) {
        {
            const released_gil released;
            status = cs_deflate(&stream, flush);
        }
        if (status != CS_OK || stream.avail_out != 0) {
            break;
        }
        if (out.grow(stream) != output::growth::grown) {
            return CS_OK;
        }
    }
    if (status == CS_E_BUFFER) {
        status = CS_OK; // the engine had nothing to do, which is not an error here
    }
    if (status < 0) {
        result.failure.emplace(status, doing, stream.message);
    } else {
        result.bytes = out.finish(stream);
    }
    return status;
}

py::object compress(compress_stream &self, const input &data)
{
    deflate_result result;
    {
        const turn taken(self);

        self.stream.next_in = data.data();
        self.stream.avail_in = data.nbytes();
        deflate_all(self.stream, CS_FLUSH_NONE, "while compressing data", result);
        self.stream.next_in = nullptr;
        self.stream.avail_in = 0;
    }
    return result.get();
}

py::object flush(compress_stream &self, i32 mode)
{
    deflate_result result;

    if (mode == CS_FLUSH_NONE) {
        return py::bytes(); // as in zlib, also for a stream that has ended
    }
    {
        const turn taken(self);

        self.stream.next_in = nullptr;
        self.stream.avail_in = 0;
        if (deflate_all(self.stream, mode, "while flushing", result) == CS_STREAM_END && mode == CS_FLUSH_FINISH) {
            const cs_status ended = cs_deflate_end(&self.stream);

            if (ended < 0) {
                result.failure.emplace(ended, "while finishing compression", self.stream.message);
            }
        }
    }
    return result.get();
}

stream_pointer copy(compress_stream &self)
{
    auto other = std::make_unique<compress_stream>();
    std::optional<codec_text> failure;
    cs_status status = CS_OK;
    {
        const turn taken(self);

        status = cs_deflate_copy(&other->stream, &self.stream);
        if (status < 0) {
            failure.emplace(status, "while copying compression object", self.stream.message);
        }
    }
    switch (status) {
    case CS_E_STREAM:
        throw_error(PyExc_ValueError, "Inconsistent stream state");
    case CS_E_MEMORY:
        throw_error(PyExc_MemoryError, "Can't allocate memory for compression object");
    default:
        if (failure) {
            throw_codec_error(failure->text);
        }
        return other;
    }
}

stream_pointer deepcopy(compress_stream &self, py::handle)
{
    return copy(self);
}

} // namespace

void bind_codec_compress(py::module_ &m)
{
    py::class_<compress_stream>(m, "Compress", py::is_final(), DOC_Compress, py::custom_type_setup(refuse_construction))
        .def("compress", compress, DOC_Compress_compress)
        .def("flush", flush, py::arg("mode") = CS_FLUSH_FINISH, py::pos_only(), DOC_Compress_flush)
        .def("copy", copy, DOC_Compress_copy)
        .def("__copy__", copy, DOC_Compress___copy__)
        .def("__deepcopy__", deepcopy, DOC_Compress___deepcopy__)
        .def("__reduce__", refuse_pickle, "__reduce__(self, /)\n--\n\nRaise `TypeError`.");
    m.def("compressobj", compressobj, py::arg("level") = CS_LEVEL_DEFAULT, py::arg("method") = CS_METHOD_DEFLATED,
          py::arg("wbits") = CS_WINDOW_BITS_MAX, py::arg("memLevel") = CS_MEM_LEVEL_DEFAULT,
          py::arg("strategy") = CS_STRATEGY_DEFAULT, py::arg("zdict") = py::none(), DOC_compressobj);
}
