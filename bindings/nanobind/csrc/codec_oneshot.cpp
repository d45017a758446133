/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_oneshot.cpp - functions that compress or decompress all data in one call.
 */
#include "arguments.hpp"
#include "buffers.hpp"
#include "codec_errors.hpp"
#include "codec_output.hpp"
#include "docstrings.h"
#include "gil.hpp"
#include "groups.hpp"

#include <cside/codec.h>

namespace cside
{

namespace
{

/* ---- compress --------------------------------------------------------------------------------- */

/** Set the exception of compress() and compress_progress() for a negative status. */
nb::object fail_compressing(cs_status status, const char *message)
{
    switch (status) {
    case CS_E_STREAM:
        return fail_codec("Bad compression level");
    case CS_E_MEMORY:
        return fail(PyExc_MemoryError, "Out of memory while compressing data");
    default:
        return fail_engine(status, "while compressing data", message);
    }
}

nb::object compress(nb::handle data, nb::handle level, nb::handle wbits)
{
    input bytes;
    int32_t c_level = 0;
    int32_t window_bits = 0;
    size_t nbytes = 0;
    cs_status status = CS_OK;

    if (!bytes.open(data) || !convert(level, c_level) || !convert(wbits, window_bits)) {
        return nb::object();
    }
    size_t capacity = cs_compress_bound(bytes.nbytes());
    nb::object out = new_bytes(capacity);
    if (!out.is_valid()) {
        return out;
    }
    uint8_t *room = bytes_data(out);
    {
        gil_released released;

        status = cs_compress(bytes.data(), bytes.nbytes(), room, capacity, c_level, window_bits, &nbytes);
    }
    if (status < 0) {
        return fail_compressing(status, nullptr);
    }
    resize_bytes(out, nbytes);
    return out;
}

/* ---- decompress ------------------------------------------------------------------------------- */

/** A stream of one call. */
struct inflating : cs_stream {
    inflating() : cs_stream()
    {
    }
    inflating(const inflating &) = delete;
    inflating &operator=(const inflating &) = delete;

    ~inflating()
    {
        if (engine != nullptr) {
            (void)cs_inflate_end(this);
        }
    }
};

cs_status inflate_released(cs_stream &stream)
{
    gil_released released;

    return cs_inflate(&stream, CS_FLUSH_FINISH);
}

nb::object fail_decompressing(cs_status status, const char *doing, const char *message)
{
    return status == CS_E_MEMORY ? fail(PyExc_MemoryError, "Out of memory while decompressing data")
                                 : fail_engine(status, doing, message);
}

nb::object decompress(nb::handle data, nb::handle wbits, nb::handle bufsize)
{
    input bytes;
    inflating stream;
    growing_output output;
    int32_t window_bits = 0;
    int64_t first = 0;

    if (!bytes.open(data) || !convert(wbits, window_bits) ||
        !convert_within(bufsize, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX, "ssize_t", first)) {
        return nb::object();
    }
    if (first < 0) {
        return fail(PyExc_ValueError, "bufsize must be non-negative");
    }
    stream.next_in = bytes.data();
    stream.avail_in = bytes.nbytes();
    cs_status status = cs_inflate_init(&stream, window_bits);
    if (status < 0) {
        return fail_decompressing(status, "while preparing to decompress data", stream.message);
    }
    if (!output.start(stream, first == 0 ? 1 : static_cast<size_t>(first), static_cast<size_t>(PY_SSIZE_T_MAX))) {
        return nb::object();
    }
    status = inflate_released(stream);
    while ((status == CS_OK || status == CS_E_BUFFER) && stream.avail_out == 0) {
        switch (output.grow(stream)) {
        case growing_output::growth::grown:
            break;
        case growing_output::growth::at_limit:
            return nb::steal(PyErr_NoMemory());
        case growing_output::growth::no_memory:
            return nb::object();
        }
        status = inflate_released(stream);
    }
    if (status == CS_STREAM_END) {
        (void)cs_inflate_end(&stream);
        return output.finish(stream);
    }
    /* CS_OK means that the engine has used all input and did not find the end of the stream. */
    return fail_decompressing(status == CS_OK ? CS_E_BUFFER : status, "while decompressing data", stream.message);
}

/* ---- compress with progress ------------------------------------------------------------------- */

/** A stream of one call, which reports its progress. */
struct deflating : cs_stream {
    explicit deflating(nb::handle given) : cs_stream(), callback(given)
    {
        progress = report;
        progress_user = this;
    }
    deflating(const deflating &) = delete;
    deflating &operator=(const deflating &) = delete;

    ~deflating()
    {
        if (engine != nullptr) {
            (void)cs_deflate_end(this);
        }
    }

    bool stopped = false;

  private:
    /* The library calls this on the thread that has released the GIL. Nothing may be thrown through its frames, so the
     * callback is not called by nb::handle's operator. */
    static int32_t report(void *user, uint64_t in, uint64_t out) noexcept
    {
        gil_taken gil;
        deflating *self = static_cast<deflating *>(user);
        nb::object arguments[2] = {nb::steal(PyLong_FromUnsignedLongLong(in)),
                                   nb::steal(PyLong_FromUnsignedLongLong(out))};
        PyObject *pointers[3] = {nullptr, arguments[0].ptr(), arguments[1].ptr()}; /* the call may change the first */

        if (!arguments[0].is_valid() || !arguments[1].is_valid()) {
            return 1;
        }
        nb::object returned = nb::steal(run_python([&] {
            return PyObject_Vectorcall(self->callback.ptr(), pointers + 1, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
        }));
        self->stopped = returned.ptr() == Py_False;
        return !returned.is_valid() || self->stopped ? 1 : 0;
    }

    nb::handle callback;
};

nb::object compress_progress(nb::handle data, nb::handle callback, nb::handle level, nb::handle wbits)
{
    input bytes;
    deflating stream(callback);
    growing_output output;
    int32_t c_level = 0;
    int32_t window_bits = 0;

    if (!bytes.open(data) || !check_callable(callback) || !convert(level, c_level) || !convert(wbits, window_bits)) {
        return nb::object();
    }
    size_t capacity = cs_compress_bound(bytes.nbytes());
    cs_status status =
        cs_deflate_init(&stream, c_level, CS_METHOD_DEFLATED, window_bits, CS_MEM_LEVEL_DEFAULT, CS_STRATEGY_DEFAULT);
    if (status < 0) {
        return fail_compressing(status, stream.message);
    }
    if (!output.start(stream, capacity, capacity)) {
        return nb::object();
    }
    stream.next_in = bytes.data();
    stream.avail_in = bytes.nbytes();
    {
        gil_released released;

        status = cs_deflate(&stream, CS_FLUSH_FINISH);
    }
    if (status == CS_STREAM_END) {
        return output.finish(stream);
    }
    if (stream.stopped) {
        return fail_codec("compression stopped by the callback");
    }
    return PyErr_Occurred() ? nb::object() : fail_compressing(status, stream.message);
}

nb::object fail_after(nb::handle allocations)
{
    int64_t count = 0;

    if (!convert(allocations, count)) {
        return nb::object();
    }
    cs_codec_fail_after(count);
    return nb::none();
}

} // namespace

void bind_codec_oneshot(nb::module_ &m)
{
    m.def("compress", compress, nb::arg().none(), nb::arg("level") = CS_LEVEL_DEFAULT,
          nb::arg("wbits") = CS_WINDOW_BITS_MAX, DOC_compress);
    m.def("decompress", decompress, nb::arg().none(), nb::arg("wbits") = CS_WINDOW_BITS_MAX,
          nb::arg("bufsize") = CS_OUT_FIRST_NBYTES, DOC_decompress);
    m.def("compress_progress", compress_progress, nb::arg().none(), nb::arg().none(),
          nb::arg("level") = CS_LEVEL_DEFAULT, nb::arg("wbits") = CS_WINDOW_BITS_MAX, DOC_compress_progress);
    m.def("fail_after", fail_after, DOC_fail_after);
}

} // namespace cside
