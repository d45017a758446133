/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_decompress.cpp - decompressobj() and the type of its streams, Decompress.
 */
#include "arguments.hpp"
#include "classes.hpp"
#include "codec_inflate.hpp"
#include "codec_stream.hpp"
#include "docstrings.h"
#include "groups.hpp"

#include <cstring>
#include <utility>

namespace cside
{

namespace
{

struct decompress_stream {
    cs_stream stream = {};
    std::mutex lock;
    nb::ft_mutex fields; /* for the fields below, which getters read without waiting for the engine */
    bool eof = false;
    nb::object unused_data = nb::bytes("", 0);
    nb::object unconsumed_tail = nb::bytes("", 0);
    nb::object zdict; /* the argument of decompressobj(), or null */

    decompress_stream() = default;
    decompress_stream(const decompress_stream &) = delete;
    decompress_stream &operator=(const decompress_stream &) = delete;

    ~decompress_stream()
    {
        if (stream.engine != nullptr) {
            (void)cs_inflate_end(&stream);
        }
    }

    /** Read or replace an attribute. Only a thread that holds the lock replaces one. */
    template <typename Field> Field get(Field decompress_stream::*field)
    {
        nb::ft_lock_guard guard(fields);

        return this->*field;
    }

    template <typename Field> void set(Field decompress_stream::*field, Field value)
    {
        nb::ft_lock_guard guard(fields);

        std::swap(this->*field, value); /* the old value is released after the guard */
    }

    bool keep_rest(bool ended);
    void run(inflate_call &call, int32_t flush, size_t first, size_t limit);
};

/* The type supports garbage collection, because zdict can be any object with a buffer and so be part of a cycle. */
int decompress_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    if (nb::inst_ready(object)) {
        Py_VISIT(nb::inst_ptr<decompress_stream>(object)->zdict.ptr());
    }
    return 0;
}

int decompress_clear(PyObject *object)
{
    if (nb::inst_ready(object)) {
        nb::object zdict = std::move(nb::inst_ptr<decompress_stream>(object)->zdict);
    }
    return 0;
}

const PyType_Slot decompress_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(refuse_creation)},
    {Py_tp_traverse, reinterpret_cast<void *>(decompress_traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(decompress_clear)},
    {0, nullptr},
};

nb::object decompressobj(nb::handle wbits, nb::handle zdict)
{
    bool with_dictionary = !zdict.is(no_dictionary());
    int32_t window_bits = 0;
    nb::object object;

    if (!convert(wbits, window_bits) || (with_dictionary && !check_dictionary(zdict))) {
        return nb::object();
    }
    decompress_stream &self = make_stream<decompress_stream>(object);
    cs_status status = cs_inflate_init(&self.stream, window_bits);
    if (status < 0) {
        return fail_inflate_creating(status, self.stream.message);
    }
    if (with_dictionary) {
        self.zdict = nb::borrow(zdict);
    }
    if (with_dictionary && window_bits < 0) {
        /* The engine never asks for the dictionary of a raw stream, so it is set at once. */
        input dictionary;

        if (!dictionary.open(zdict)) {
            return nb::object();
        }
        status = cs_inflate_set_dictionary(&self.stream, dictionary.data(), dictionary.nbytes());
        if (status < 0) {
            return fail_engine(status, "while setting zdict", self.stream.message);
        }
    }
    return object;
}

/** Store the input that the engine did not use: in unused_data if the stream has ended, otherwise in unconsumed_tail.
 *  False with MemoryError. */
bool decompress_stream::keep_rest(bool ended)
{
    if (ended && stream.avail_in > 0) {
        size_t old_nbytes = static_cast<size_t>(PyBytes_GET_SIZE(unused_data.ptr()));

        if (stream.avail_in > static_cast<size_t>(PY_SSIZE_T_MAX) - old_nbytes) {
            PyErr_NoMemory();
            return false;
        }
        nb::object joined = new_bytes(old_nbytes + stream.avail_in);
        if (!joined.is_valid()) {
            return false;
        }
        std::memcpy(bytes_data(joined), PyBytes_AS_STRING(unused_data.ptr()), old_nbytes);
        std::memcpy(bytes_data(joined) + old_nbytes, stream.next_in, stream.avail_in);
        set(&decompress_stream::unused_data, std::move(joined));
        stream.avail_in = 0;
    }
    if (stream.avail_in > 0 || PyBytes_GET_SIZE(unconsumed_tail.ptr()) > 0) {
        const char *rest = stream.avail_in > 0 ? reinterpret_cast<const char *>(stream.next_in) : nullptr;
        nb::object tail = nb::steal(PyBytes_FromStringAndSize(rest, static_cast<Py_ssize_t>(stream.avail_in)));

        if (!tail.is_valid()) {
            return false;
        }
        set(&decompress_stream::unconsumed_tail, std::move(tail));
    }
    return true;
}

/** The part of a call that runs while the lock is held. */
void decompress_stream::run(inflate_call &call, int32_t flush, size_t first, size_t limit)
{
    growing_output output;

    stream.next_in = call.source.data();
    stream.avail_in = call.source.nbytes();
    call.raised = !output.start(stream, first, limit);
    if (!call.raised && call.run(stream, flush, output)) {
        bool ended = call.status == CS_STREAM_END;

        call.raised = !keep_rest(ended);
        if (!call.raised) {
            if (ended) {
                set(&decompress_stream::eof, true);
            }
            call.result = output.finish(stream);
            call.raised = !call.result.is_valid();
        }
    }
    stream.next_in = nullptr;
    stream.avail_in = 0;
}

nb::object decompress_decompress(decompress_stream &self, nb::handle data, nb::handle max_length)
{
    inflate_call call;
    engine_failure failure;
    int64_t limit = 0;

    if (!call.source.open(data) || !convert_within(max_length, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX, "ssize_t", limit)) {
        return nb::object();
    }
    if (limit < 0) {
        return fail(PyExc_ValueError, "max_length must be non-negative");
    }
    if (self.zdict.is_valid()) {
        if (!call.dictionary.open(self.zdict)) {
            return nb::object();
        }
        call.with_dictionary = true;
    }
    {
        stream_guard guard(self.lock);

        self.run(call, CS_FLUSH_SYNC, CS_OUT_FIRST_NBYTES, static_cast<size_t>(limit == 0 ? PY_SSIZE_T_MAX : limit));
        if (!call.raised && call.failed()) {
            failure.note(call.status, call.doing, self.stream.message);
        }
    }
    return failure ? failure.raise() : call.result;
}

nb::object decompress_flush(decompress_stream &self, nb::handle length)
{
    inflate_call call;
    engine_failure failure;
    nb::object tail;
    int64_t first = 0;

    if (!convert_within(length, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX, "ssize_t", first)) {
        return nb::object();
    }
    if (first <= 0) {
        return fail(PyExc_ValueError, "length must be greater than zero");
    }
    {
        stream_guard guard(self.lock);

        tail = self.unconsumed_tail;  /* it is replaced only under the lock, which is held */
        (void)call.source.open(tail); /* cannot fail for an exact bytes */
        self.run(call, CS_FLUSH_FINISH, static_cast<size_t>(first), static_cast<size_t>(PY_SSIZE_T_MAX));
        if (!call.raised && call.status == CS_STREAM_END) {
            call.status = cs_inflate_end(&self.stream);
            call.doing = "while finishing decompression";
        } else if (call.status == CS_E_STREAM) {
            call.status = CS_OK; /* to flush a stream that has ended is no error */
        }
        /* Corrupt data is one, as in the zlib of Python 3.14 and later. */
        if (!call.raised && call.failed()) {
            failure.note(call.status, call.doing, self.stream.message);
        }
    }
    return failure ? failure.raise() : call.result;
}

nb::object decompress_copy(decompress_stream &self)
{
    engine_failure failure;
    nb::object object;
    decompress_stream &copy = make_stream<decompress_stream>(object);
    cs_status status = CS_OK;

    copy.zdict = self.zdict;
    {
        stream_guard guard(self.lock);

        status = cs_inflate_copy(&copy.stream, &self.stream);
        if (status < 0) {
            failure.note(status, "while copying decompression object", self.stream.message);
        } else {
            copy.unused_data = self.unused_data;
            copy.unconsumed_tail = self.unconsumed_tail;
            copy.eof = self.eof;
        }
    }
    switch (status) {
    case CS_E_STREAM:
        return fail(PyExc_ValueError, "Inconsistent stream state");
    case CS_E_MEMORY:
        return fail(PyExc_MemoryError, "Can't allocate memory for decompression object");
    default:
        return failure ? failure.raise() : object;
    }
}

nb::object decompress_deepcopy(decompress_stream &self, nb::handle)
{
    return decompress_copy(self);
}

template <auto Field> auto getter(decompress_stream &self)
{
    return self.get(Field);
}

} // namespace

void bind_codec_decompress(nb::module_ &m)
{
    nb::class_<decompress_stream>(m, "Decompress", nb::is_final(), nb::type_slots(decompress_slots), DOC_Decompress)
        .def("decompress", decompress_decompress, nb::arg().none(), nb::arg("max_length") = 0,
             DOC_Decompress_decompress)
        .def("flush", decompress_flush, nb::arg() = CS_OUT_FIRST_NBYTES, DOC_Decompress_flush)
        .def("copy", decompress_copy, DOC_Decompress_copy)
        .def("__copy__", decompress_copy, DOC_Decompress___copy__)
        .def("__deepcopy__", decompress_deepcopy, nb::arg().none(), DOC_Decompress___deepcopy__)
        .def("__reduce__", refuse_pickle)
        .def_prop_ro("unused_data", getter<&decompress_stream::unused_data>, DOC_Decompress_unused_data)
        .def_prop_ro("unconsumed_tail", getter<&decompress_stream::unconsumed_tail>, DOC_Decompress_unconsumed_tail)
        .def_prop_ro("eof", getter<&decompress_stream::eof>, DOC_Decompress_eof);
    m.def("decompressobj", decompressobj, nb::arg("wbits") = CS_WINDOW_BITS_MAX,
          nb::arg("zdict").none() = no_dictionary(), DOC_decompressobj);
    bind_codec_decompressor(m);
}

} // namespace cside
