// SPDX-License-Identifier: Apache-2.0
//
// codec_oneshot.cpp - functions that compress or decompress all data in one call.
#include "arguments.hpp"
#include "buffers.hpp"
#include "codec_errors.hpp"
#include "codec_output.hpp"
#include "docstrings.hpp"
#include "gil.hpp"

namespace
{

/** A stream of zeros that is ended when the call is over. */
template <cs_status (*end)(cs_stream *)> struct stream_of_call : cs_stream {
    stream_of_call() : cs_stream{}
    {
    }

    stream_of_call(const stream_of_call &) = delete;
    stream_of_call &operator=(const stream_of_call &) = delete;

    ~stream_of_call()
    {
        if (engine != nullptr) {
            (void)end(this);
        }
    }
};

// ---- compress ----------------------------------------------------------------------------------

/** Throw the exception of compress() and compress_progress() for a negative status. */
[[noreturn]] void throw_compressing(cs_status status, const char *message)
{
    switch (status) {
    case CS_E_STREAM:
        throw_codec_error("Bad compression level");
    case CS_E_MEMORY:
        throw_error(PyExc_MemoryError, "Out of memory while compressing data");
    default:
        throw_codec_error(status, "while compressing data", message);
    }
}

py::bytes compress(const input &data, i32 level, i32 window_bits)
{
    const std::size_t capacity = cs_compress_bound(data.nbytes());
    py::bytes out = new_bytes(capacity);
    std::size_t out_nbytes = 0;
    cs_status status = CS_OK;
    {
        const released_gil released;
        status = cs_compress(data.data(), data.nbytes(), contents(out), capacity, level, window_bits, &out_nbytes);
    }
    if (status < 0) {
        throw_compressing(status, nullptr);
    }
    resize(out, out_nbytes);
    return out;
}

// ---- decompress --------------------------------------------------------------------------------

[[noreturn]] void throw_decompressing(cs_status status, const char *message)
{
    if (status == CS_E_MEMORY) {
        throw_error(PyExc_MemoryError, "Out of memory while decompressing data");
    }
    // CS_OK means that the engine has used all input and did not find the end of the stream.
    throw_codec_error(status == CS_OK ? CS_E_BUFFER : status, "while decompressing data", message);
}

/** Decompress the whole stream into a buffer of `bufsize` bytes that doubles when it is full, as zlib does. */
py::object decompress(const input &data, i32 window_bits, integer<py::ssize_t> bufsize)
{
    stream_of_call<cs_inflate_end> stream;
    output out;
    cs_status status = CS_OK;

    if (bufsize < 0) {
        throw_error(PyExc_ValueError, "bufsize must be non-negative");
    }
    stream.next_in = data.data();
    stream.avail_in = data.nbytes();
    status = cs_inflate_init(&stream, window_bits);
    if (status == CS_E_MEMORY) {
        throw_decompressing(status, nullptr);
    }
    if (status < 0) {
        throw_codec_error(status, "while preparing to decompress data", stream.message);
    }
    if (!out.start(stream, bufsize == 0 ? 1 : static_cast<std::size_t>(bufsize.value),
                   static_cast<std::size_t>(PY_SSIZE_T_MAX))) {
        throw_no_room();
    }
    for (;;) {
        {
            const released_gil released;
            status = cs_inflate(&stream, CS_FLUSH_FINISH);
        }
        if ((status != CS_OK && status != CS_E_BUFFER) || stream.avail_out != 0) {
            break;
        }
        if (out.grow(stream) != output::growth::grown) {
            throw_no_room();
        }
    }
    if (status != CS_STREAM_END) {
        throw_decompressing(status, stream.message);
    }
    py::object result = out.finish(stream);

    if (!result) {
        throw_no_memory();
    }
    return result;
}

// ---- compress with progress --------------------------------------------------------------------

/** What compress_progress() and its callback share. The callback runs on the thread that has released the GIL. */
struct progress_call {
    py::handle callback;
    released_gil *released;
    bool raised;
    bool stopped;
};

std::int32_t progress(void *user, std::uint64_t total_in, std::uint64_t total_out)
{
    auto *call = static_cast<progress_call *>(user);

    call->released->take();
    {
        // No exception of C++ may pass through the library, which is C. What the callback raises stays Python's error.
        const auto in = py::reinterpret_steal<py::object>(PyLong_FromUnsignedLongLong(total_in));
        const auto out = py::reinterpret_steal<py::object>(PyLong_FromUnsignedLongLong(total_out));
        py::object returned;

        if (in && out) {
            returned = py::reinterpret_steal<py::object>(
                PyObject_CallFunctionObjArgs(call->callback.ptr(), in.ptr(), out.ptr(), nullptr));
        }
        call->raised = !returned;
        call->stopped = returned.ptr() == Py_False;
    }
    call->released->give();
    return call->stopped || call->raised ? 1 : 0;
}

py::object compress_progress(const input &data, callable callback, i32 level, i32 window_bits)
{
    const std::size_t capacity = cs_compress_bound(data.nbytes());
    progress_call call{callback.object, nullptr, false, false};
    stream_of_call<cs_deflate_end> stream;
    output out;
    cs_status status = CS_OK;

    stream.progress = progress;
    stream.progress_user = &call;
    status =
        cs_deflate_init(&stream, level, CS_METHOD_DEFLATED, window_bits, CS_MEM_LEVEL_DEFAULT, CS_STRATEGY_DEFAULT);
    if (status < 0) {
        throw_compressing(status, stream.message);
    }
    if (!out.start(stream, capacity, capacity)) {
        throw_no_room();
    }
    stream.next_in = data.data();
    stream.avail_in = data.nbytes();
    {
        released_gil released;

        call.released = &released;
        status = cs_deflate(&stream, CS_FLUSH_FINISH);
    }
    if (call.raised) {
        throw_python_error();
    }
    if (call.stopped) {
        throw_codec_error("compression stopped by the callback");
    }
    if (status != CS_STREAM_END) {
        throw_compressing(status, stream.message);
    }
    py::object result = out.finish(stream);

    if (!result) {
        throw_no_memory();
    }
    return result;
}

void fail_after(i64 allocations)
{
    cs_codec_fail_after(allocations);
}

} // namespace

void bind_codec_oneshot(py::module_ &m)
{
    m.def("compress", compress, py::arg("data"), py::pos_only(), py::arg("level") = CS_LEVEL_DEFAULT,
          py::arg("wbits") = CS_WINDOW_BITS_MAX, DOC_compress);
    m.def("decompress", decompress, py::arg("data"), py::pos_only(), py::arg("wbits") = CS_WINDOW_BITS_MAX,
          py::arg("bufsize") = CS_OUT_FIRST_NBYTES, DOC_decompress);
    m.def("compress_progress", compress_progress, py::arg("data"), py::arg("callback"), py::pos_only(),
          py::arg("level") = CS_LEVEL_DEFAULT, py::arg("wbits") = CS_WINDOW_BITS_MAX, DOC_compress_progress);
    m.def("fail_after", fail_after, DOC_fail_after);
}
