// SPDX-License-Identifier: Apache-2.0
//
// codec_decompressor.cpp - the class _ZlibDecompressor.
#include "codec_decompress.hpp"

#include "arguments.hpp"
#include "codec_inflate.hpp"
#include "codec_lock.hpp"
#include "docstrings.hpp"

#include <cstring>
#include <memory>

namespace
{

/** A first output buffer is not larger than this, whatever the limit is; the same bound as in CPython. */
constexpr std::size_t first_nbytes_max = std::size_t{16} * 1024 * 1024;

/** Input that the engine has not used yet. It is memory of its own, since the caller may change or free the input. */
class kept_input
{
  public:
    std::size_t nbytes() const
    {
        return nbytes_;
    }

    /** Add new input to what is kept, and let the stream read it. Throws std::bad_alloc. */
    void feed(cs_stream &stream, const input &more)
    {
        if (more.nbytes() > room_ - start_ - nbytes_) {
            const std::size_t all = nbytes_ + more.nbytes(); // cannot overflow, since both are in memory

            if (all <= room_) {
                std::memmove(memory_.get(), memory_.get() + start_, nbytes_);
            } else {
                const std::size_t room = all > 2 * room_ ? all : 2 * room_;
                // not make_unique(), which would write zeros first
                std::unique_ptr<std::uint8_t[]> memory(new std::uint8_t[room]);

                std::memcpy(memory.get(), memory_.get() + start_, nbytes_);
                memory_ = std::move(memory);
                room_ = room;
            }
            start_ = 0;
        }
        if (more.nbytes() > 0) {
            std::memcpy(memory_.get() + start_ + nbytes_, more.data(), more.nbytes());
            nbytes_ += more.nbytes();
        }
        stream.next_in = memory_.get() + start_;
        stream.avail_in = nbytes_;
    }

    /** Keep what the stream has not used, which it has read from here if anything was kept. Throws std::bad_alloc. */
    void keep(const cs_stream &stream)
    {
        if (stream.avail_in > 0 && nbytes_ > 0) {
            start_ = static_cast<std::size_t>(stream.next_in - memory_.get());
        } else if (stream.avail_in > 0) {
            if (stream.avail_in > room_) {
                memory_.reset(new std::uint8_t[stream.avail_in]);
                room_ = stream.avail_in;
            }
            std::memcpy(memory_.get(), stream.next_in, stream.avail_in);
            start_ = 0;
        }
        nbytes_ = stream.avail_in;
    }

    /** Keep nothing any more. The memory remains. */
    void drop()
    {
        nbytes_ = 0;
    }

    /** Free the memory. */
    void free()
    {
        *this = kept_input();
    }

  private:
    std::unique_ptr<std::uint8_t[]> memory_;
    std::size_t room_ = 0;
    std::size_t start_ = 0;
    std::size_t nbytes_ = 0;
};

/** A stream. The fields that properties read are changed while the lock and the access to them are both held. */
struct decompressor : locked_stream {
    cs_stream stream{}; // the library demands that its address does not change; the object is on the heap
    bool eof = false;
    bool needs_input = true;
    py::object unused_data = py::bytes();
    py::object zdict; // a copy, of type bytes, so that no object can be part of a cycle; or null
    kept_input kept;

    ~decompressor()
    {
        if (stream.engine != nullptr) {
            (void)cs_inflate_end(&stream);
        }
    }
};

std::unique_ptr<decompressor> make(i32 window_bits, const py::object &zdict)
{
    input dictionary;

    if (zdict) {
        check_dictionary(zdict);
        dictionary.open(zdict);
    }
    auto self = std::make_unique<decompressor>();

    if (zdict) {
        self->zdict = stolen(PyBytes_FromStringAndSize(reinterpret_cast<const char *>(dictionary.data()),
                                                       static_cast<py::ssize_t>(dictionary.nbytes())));
    }
    check_created(self->stream, cs_inflate_init(&self->stream, window_bits));
    if (zdict && window_bits < 0) {
        set_raw_dictionary(self->stream, dictionary);
    }
    return self;
}

/** Store the input that the engine did not use, for the next call or, after the end, as unused_data. Throws
 *  std::bad_alloc. */
void keep_rest(decompressor &self, bool ended)
{
    const cs_stream &stream = self.stream;
    py::object unused;

    if (ended && stream.avail_in > 0) {
        unused = py::reinterpret_steal<py::object>(PyBytes_FromStringAndSize(
            reinterpret_cast<const char *>(stream.next_in), static_cast<py::ssize_t>(stream.avail_in)));
        if (!unused) {
            PyErr_Clear();
            throw std::bad_alloc();
        }
    }
    if (ended) {
        self.kept.free();
    } else {
        self.kept.keep(stream);
    }
    const brief_access access(self);

    if (unused) {
        std::swap(self.unused_data, unused);
    }
    self.eof = ended;
    self.needs_input = !ended && stream.avail_in == 0;
}

/** Call the engine with what was kept and the new input, and keep what it has not used. Throws std::bad_alloc. */
void inflate(decompressor &self, inflate_call &call, const input &data, std::size_t first, std::size_t limit)
{
    cs_stream &stream = self.stream;
    output out;

    call.no_room = !out.start(stream, first, limit);
    if (call.no_room) {
        return;
    }
    if (self.kept.nbytes() == 0) {
        stream.next_in = data.data();
        stream.avail_in = data.nbytes();
    } else {
        self.kept.feed(stream, data);
    }
    if (!call.run(stream, CS_FLUSH_SYNC, out) || call.failed()) {
        return;
    }
    const bool ended = call.status == CS_STREAM_END;

    keep_rest(self, ended);
    if (ended) { // the engine's memory is of no use any more, and the object may live on
        const cs_status status = cs_inflate_end(&stream);

        if (status < 0) {
            call.failure.emplace(status, "while finishing decompression", stream.message);
            return;
        }
    }
    call.result = out.finish(stream);
}

/** The part of a call that runs while the lock is held. */
void inflate_locked(decompressor &self, inflate_call &call, const input &data, std::size_t first, std::size_t limit)
{
    try {
        inflate(self, call, data, first, limit);
    } catch (const std::bad_alloc &) {
        call.no_memory = true;
        call.result = py::object();
    }
    if (!call.result) {
        self.kept.drop(); // an error drops the input, of which the engine has used an unknown part
    }
    self.stream.next_in = nullptr;
    self.stream.avail_in = 0;
}

py::object decompress(decompressor &self, const input &data, integer<py::ssize_t> max_length)
{
    inflate_call call;
    std::size_t first = CS_OUT_FIRST_NBYTES;
    std::size_t limit = static_cast<std::size_t>(PY_SSIZE_T_MAX);
    bool ended = false;

    if (max_length >= 0 && max_length != PY_SSIZE_T_MAX) {
        // A reader of a file asks for blocks of one size, and nearly always gets a full one.
        limit = static_cast<std::size_t>(max_length.value);
        first = limit < first_nbytes_max ? limit : first_nbytes_max;
    }
    if (self.zdict) {
        call.dictionary.open(self.zdict);
        call.with_dictionary = true;
    }
    {
        const turn taken(self);

        ended = self.eof;
        if (!ended) {
            inflate_locked(self, call, data, first, limit);
        }
    }
    if (ended) {
        throw_error(PyExc_EOFError, "End of stream already reached");
    }
    return call.get();
}

py::object unused_data(const decompressor &self)
{
    return read(self, self.unused_data);
}

template <bool decompressor::*field> bool flag(const decompressor &self)
{
    const brief_access access(self);

    return self.*field;
}

} // namespace

void bind_codec_decompressor(py::module_ &m, const py::object &absent)
{
    py::class_<decompressor>(m, "_ZlibDecompressor", py::is_final(), DOC__ZlibDecompressor)
        .def(py::init([absent](i32 window_bits, const py::object &zdict) {
                 return make(window_bits, zdict.is(absent) ? py::object() : zdict);
             }),
             py::arg("wbits") = CS_WINDOW_BITS_MAX, py::arg_v("zdict", absent, "b''"),
             "__init__(self, wbits=15, zdict=b'')\n--\n\nMake a stream, as the class says.")
        .def("decompress", decompress, py::arg("data"), py::arg("max_length") = -1, DOC__ZlibDecompressor_decompress)
        .def("__reduce__", refuse_pickle, "__reduce__(self, /)\n--\n\nRaise `TypeError`.")
        .def_property_readonly("unused_data", unused_data, DOC__ZlibDecompressor_unused_data)
        .def_property_readonly("needs_input", flag<&decompressor::needs_input>, DOC__ZlibDecompressor_needs_input)
        .def_property_readonly("eof", flag<&decompressor::eof>, DOC__ZlibDecompressor_eof);
}
