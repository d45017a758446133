/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_decompressor.cpp - the type _ZlibDecompressor.
 */
#include "arguments.hpp"
#include "classes.hpp"
#include "codec_inflate.hpp"
#include "codec_stream.hpp"
#include "docstrings.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace cside
{

namespace
{

/** A first output buffer is not larger than this, whatever the limit is; the same bound as in CPython. */
constexpr size_t FIRST_MAX_NBYTES = static_cast<size_t>(16) << 20;

/** Input that the engine has not used yet. */
class kept_input
{
  public:
    size_t nbytes() const
    {
        return count;
    }
    const uint8_t *data() const
    {
        return memory.get() + start;
    }

    /** Append bytes to those that are kept. False if memory runs out. */
    bool append(const uint8_t *bytes, size_t more)
    {
        if (more > room - start - count) {
            size_t total = count + more; /* cannot overflow, since both are in memory */

            if (total > room && !enlarge(std::max(total, 2 * room))) {
                return false;
            }
            if (start > 0) {
                std::memmove(memory.get(), memory.get() + start, count);
                start = 0;
            }
        }
        if (more > 0) {
            std::memcpy(memory.get() + start + count, bytes, more);
            count += more;
        }
        return true;
    }

    /** Keep the last `rest` bytes only. */
    void drop_until(size_t rest)
    {
        start += count - rest;
        count = rest;
    }

    void clear()
    {
        start = 0;
        count = 0;
    }

    void free()
    {
        clear();
        memory.reset();
        room = 0;
    }

  private:
    bool enlarge(size_t nbytes)
    {
        std::unique_ptr<uint8_t[]> larger(new (std::nothrow) uint8_t[nbytes]);

        if (larger == nullptr) {
            return false;
        }
        if (count > 0) {
            std::memcpy(larger.get(), memory.get() + start, count);
        }
        memory = std::move(larger);
        room = nbytes;
        start = 0;
        return true;
    }

    std::unique_ptr<uint8_t[]> memory;
    size_t room = 0;  /* size of that memory */
    size_t start = 0; /* offset of the first byte that was not used */
    size_t count = 0; /* number of bytes that were not used */
};

/* The dictionary is a copy, so that no object can be part of a cycle except the type and its module. */
struct decompressor {
    cs_stream stream = {};
    std::mutex lock;
    kept_input kept;
    nb::object zdict;    /* bytes, or null */
    nb::ft_mutex fields; /* for the fields below, which getters read without waiting for the engine */
    bool eof = false;
    bool needs_input = true;
    nb::object unused_data = nb::bytes("", 0);

    decompressor() = default;
    decompressor(const decompressor &) = delete;
    decompressor &operator=(const decompressor &) = delete;

    ~decompressor()
    {
        if (stream.engine != nullptr) {
            (void)cs_inflate_end(&stream);
        }
    }

    bool init(int32_t window_bits, const input *dictionary);
    bool feed(const input &source);
    bool keep(bool ended);
    void run(inflate_call &call, size_t first, size_t limit);
};

/** Prepare the stream. False with an exception set. */
bool decompressor::init(int32_t window_bits, const input *dictionary)
{
    if (dictionary != nullptr) {
        zdict = nb::steal(PyBytes_FromStringAndSize(reinterpret_cast<const char *>(dictionary->data()),
                                                    static_cast<Py_ssize_t>(dictionary->nbytes())));
        if (!zdict.is_valid()) {
            return false;
        }
    }
    cs_status status = cs_inflate_init(&stream, window_bits);
    if (status < 0) {
        fail_inflate_creating(status, stream.message);
        return false;
    }
    if (dictionary != nullptr && window_bits < 0) {
        /* The engine never asks for the dictionary of a raw stream, so it is set at once. */
        status = cs_inflate_set_dictionary(&stream, dictionary->data(), dictionary->nbytes());
        if (status < 0) {
            fail_engine(status, "while setting zdict", stream.message);
            return false;
        }
    }
    return true;
}

nb::object decompressor_init(decompressor *self, nb::handle wbits, nb::handle zdict)
{
    bool with_dictionary = !zdict.is(no_dictionary());
    int32_t window_bits = 0;
    input dictionary;

    if (!convert(wbits, window_bits) || (with_dictionary && (!check_dictionary(zdict) || !dictionary.open(zdict)))) {
        return nb::object();
    }
    new (self) decompressor();
    if (!self->init(window_bits, with_dictionary ? &dictionary : nullptr)) {
        self->~decompressor(); /* the object counts as made only if no exception is set */
        return nb::object();
    }
    return nb::none();
}

/** Let the stream read the kept input and then the new one. False with MemoryError. */
bool decompressor::feed(const input &source)
{
    if (kept.nbytes() == 0) {
        stream.next_in = source.data();
        stream.avail_in = source.nbytes();
        return true;
    }
    if (!kept.append(source.data(), source.nbytes())) {
        PyErr_NoMemory();
        return false;
    }
    stream.next_in = kept.data();
    stream.avail_in = kept.nbytes();
    return true;
}

/** Store the input that the engine did not use, for the next call or, after the end, as unused_data. False with
 *  MemoryError. */
bool decompressor::keep(bool ended)
{
    nb::object unused;

    if (ended) {
        if (stream.avail_in > 0) {
            unused = nb::steal(PyBytes_FromStringAndSize(reinterpret_cast<const char *>(stream.next_in),
                                                         static_cast<Py_ssize_t>(stream.avail_in)));
            if (!unused.is_valid()) {
                return false;
            }
        }
        kept.free();
    } else if (kept.nbytes() > 0) { /* the stream read from the kept input */
        kept.drop_until(stream.avail_in);
    } else {
        kept.clear();
        if (!kept.append(stream.next_in, stream.avail_in)) {
            PyErr_NoMemory();
            return false;
        }
    }
    nb::ft_lock_guard guard(fields);
    if (unused.is_valid()) {
        std::swap(unused_data, unused); /* the old one is empty, an object that is never freed */
    }
    eof = ended;
    needs_input = !ended && stream.avail_in == 0;
    return true;
}

/** The part of a call that runs while the lock is held. */
void decompressor::run(inflate_call &call, size_t first, size_t limit)
{
    growing_output output;

    call.raised = !output.start(stream, first, limit) || !feed(call.source);
    if (!call.raised && call.run(stream, CS_FLUSH_SYNC, output) && !call.failed()) {
        bool ended = call.status == CS_STREAM_END;

        call.raised = !keep(ended);
        if (!call.raised && ended) {
            call.status = cs_inflate_end(&stream); /* its memory is of no use any more, and the object may live on */
            call.doing = "while finishing decompression";
        }
        if (!call.raised && !call.failed()) {
            call.result = output.finish(stream);
            call.raised = !call.result.is_valid();
        }
    }
    if (!call.result.is_valid()) {
        kept.clear(); /* an error drops the input, of which the engine has used an unknown part */
    }
    stream.next_in = nullptr;
    stream.avail_in = 0;
}

nb::object decompressor_decompress(decompressor &self, nb::handle data, nb::handle max_length)
{
    inflate_call call;
    engine_failure failure;
    bool ended = false;
    int64_t most = 0;

    if (!call.source.open(data) || !convert_within(max_length, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX, "ssize_t", most)) {
        return nb::object();
    }
    size_t first = CS_OUT_FIRST_NBYTES;
    size_t limit = static_cast<size_t>(PY_SSIZE_T_MAX);
    if (most >= 0 && most != PY_SSIZE_T_MAX) {
        /* A reader of a file asks for blocks of one size, and nearly always gets a full one. */
        limit = static_cast<size_t>(most);
        first = std::min(limit, FIRST_MAX_NBYTES);
    }
    if (self.zdict.is_valid()) {
        (void)call.dictionary.open(self.zdict); /* cannot fail for an exact bytes */
        call.with_dictionary = true;
    }
    {
        stream_guard guard(self.lock);

        ended = self.eof;
        if (!ended) {
            self.run(call, first, limit);
            if (!call.raised && call.failed()) {
                failure.note(call.status, call.doing, self.stream.message);
            }
        }
    }
    if (ended) {
        return fail(PyExc_EOFError, "End of stream already reached");
    }
    return failure ? failure.raise() : call.result;
}

template <auto Field> auto getter(decompressor &self)
{
    nb::ft_lock_guard guard(self.fields);
    auto value = self.*Field;

    return value;
}

} // namespace

void bind_codec_decompressor(nb::module_ &m)
{
    nb::class_<decompressor>(m, "_ZlibDecompressor", nb::is_final(), DOC__ZlibDecompressor)
        .def("__init__", decompressor_init, nb::arg("wbits") = CS_WINDOW_BITS_MAX,
             nb::arg("zdict").none() = no_dictionary())
        .def("decompress", decompressor_decompress, nb::arg("data").none(), nb::arg("max_length") = -1,
             DOC__ZlibDecompressor_decompress)
        .def("__reduce__", refuse_pickle)
        .def_prop_ro("unused_data", getter<&decompressor::unused_data>, DOC__ZlibDecompressor_unused_data)
        .def_prop_ro("needs_input", getter<&decompressor::needs_input>, DOC__ZlibDecompressor_needs_input)
        .def_prop_ro("eof", getter<&decompressor::eof>, DOC__ZlibDecompressor_eof);
}

} // namespace cside
