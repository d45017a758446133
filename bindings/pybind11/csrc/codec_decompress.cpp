// SPDX-License-Identifier: Apache-2.0
//
// codec_decompress.cpp - decompressobj() and the class of its streams, Decompress.
#include "codec_decompress.hpp"

#include "arguments.hpp"
#include "codec_inflate.hpp"
#include "codec_lock.hpp"
#include "docstrings.hpp"

#include <cstring>
#include <memory>

namespace
{

struct decompress_stream : locked_stream {
    cs_stream stream{}; // the library demands that its address does not change; the object is on the heap
    bool eof = false;
    py::object unused_data = py::bytes();
    py::object unconsumed_tail = py::bytes();
    py::object zdict; // the argument of decompressobj(), or null

    ~decompress_stream()
    {
        if (stream.engine != nullptr) {
            (void)cs_inflate_end(&stream);
        }
    }
};

using stream_pointer = std::unique_ptr<decompress_stream>;

// ---- garbage collection ------------------------------------------------------------------------

/** The stream of an object; NULL if no constructor has made it. */
decompress_stream *stream_of(PyObject *object)
{
    return py::detail::is_holder_constructed(object)
               ? reinterpret_cast<py::detail::instance *>(object)->get_value_and_holder().value_ptr<decompress_stream>()
               : nullptr;
}

int traverse(PyObject *object, visitproc visit, void *arg)
{
    const decompress_stream *self = stream_of(object);

    Py_VISIT(Py_TYPE(object));
    if (self != nullptr) {
        Py_VISIT(self->zdict.ptr());
    }
    return 0;
}

int clear(PyObject *object)
{
    decompress_stream *self = stream_of(object);

    if (self != nullptr) {
        self->zdict = py::object();
    }
    return 0;
}

/** zdict can be any object with a buffer, and so be part of a cycle. Objects come from decompressobj() only. */
void set_up(PyHeapTypeObject *heap_type)
{
    PyTypeObject *type = &heap_type->ht_type;

    refuse_construction(heap_type);
    type->tp_flags |= Py_TPFLAGS_HAVE_GC;
    type->tp_traverse = traverse;
    type->tp_clear = clear;
}

// ---- decompress and flush ----------------------------------------------------------------------

/** Make a bytes object of two pieces; null if there is no memory. It does not throw, because the lock is held. */
py::object joined(const char *first, std::size_t first_nbytes, const std::uint8_t *second, std::size_t second_nbytes)
{
    PyObject *result = nullptr;

    if (second_nbytes < static_cast<std::size_t>(PY_SSIZE_T_MAX) - 4096 - first_nbytes) {
        result = PyBytes_FromStringAndSize(nullptr, static_cast<py::ssize_t>(first_nbytes + second_nbytes));
    }
    if (result == nullptr) {
        PyErr_Clear();
        return {};
    }
    if (first_nbytes > 0) {
        std::memcpy(PyBytes_AS_STRING(result), first, first_nbytes);
    }
    if (second_nbytes > 0) {
        std::memcpy(PyBytes_AS_STRING(result) + first_nbytes, second, second_nbytes);
    }
    return py::reinterpret_steal<py::object>(result);
}

/** Store the input that the engine did not use: in unused_data if the stream has ended, otherwise in unconsumed_tail.
 *  Returns false if there is no memory. */
bool keep_rest(decompress_stream &self, cs_status status)
{
    cs_stream &stream = self.stream;

    if (status == CS_STREAM_END && stream.avail_in > 0) {
        PyObject *old = self.unused_data.ptr();
        py::object all = joined(PyBytes_AS_STRING(old), static_cast<std::size_t>(PyBytes_GET_SIZE(old)), stream.next_in,
                                stream.avail_in);

        if (!all) {
            return false;
        }
        replace(self, self.unused_data, std::move(all));
        stream.avail_in = 0;
    }
    if (stream.avail_in > 0 || PyBytes_GET_SIZE(self.unconsumed_tail.ptr()) > 0) {
        py::object rest = joined(nullptr, 0, stream.next_in, stream.avail_in);

        if (!rest) {
            return false;
        }
        replace(self, self.unconsumed_tail, std::move(rest));
    }
    return true;
}

/** The part of a call that runs while the lock is held. */
void inflate_locked(decompress_stream &self, inflate_call &call, const std::uint8_t *data, std::size_t nbytes,
                    std::int32_t flush, std::size_t first, std::size_t limit)
{
    cs_stream &stream = self.stream;
    output out;

    stream.next_in = data;
    stream.avail_in = nbytes;
    call.no_room = !out.start(stream, first, limit);
    if (!call.no_room && call.run(stream, flush, out)) {
        call.no_memory = !keep_rest(self, call.status);
        if (!call.no_memory) {
            if (call.status == CS_STREAM_END) {
                const brief_access access(self);

                self.eof = true;
            }
            call.result = out.finish(stream);
        }
    }
    stream.next_in = nullptr;
    stream.avail_in = 0;
}

py::object decompress(decompress_stream &self, const input &data, integer<py::ssize_t> max_length)
{
    inflate_call call;

    if (max_length < 0) {
        throw_error(PyExc_ValueError, "max_length must be non-negative");
    }
    if (self.zdict) {
        call.dictionary.open(self.zdict);
        call.with_dictionary = true;
    }
    {
        const turn taken(self);

        inflate_locked(self, call, data.data(), data.nbytes(), CS_FLUSH_SYNC, CS_OUT_FIRST_NBYTES,
                       static_cast<std::size_t>(max_length == 0 ? PY_SSIZE_T_MAX : max_length.value));
    }
    return call.get();
}

py::object flush(decompress_stream &self, integer<py::ssize_t> length)
{
    inflate_call call;
    py::object tail; // it outlives the lock, under which it is replaced in the stream

    if (length <= 0) {
        throw_error(PyExc_ValueError, "length must be greater than zero");
    }
    {
        const turn taken(self);

        tail = self.unconsumed_tail;
        inflate_locked(self, call, reinterpret_cast<const std::uint8_t *>(PyBytes_AS_STRING(tail.ptr())),
                       static_cast<std::size_t>(PyBytes_GET_SIZE(tail.ptr())), CS_FLUSH_FINISH,
                       static_cast<std::size_t>(length.value), static_cast<std::size_t>(PY_SSIZE_T_MAX));
        if (call.status == CS_E_STREAM) {
            call.failure.reset(); // to flush a stream that has ended is no error
        }
        if (call.status == CS_STREAM_END && call.result) {
            const cs_status ended = cs_inflate_end(&self.stream);

            if (ended < 0) {
                call.failure.emplace(ended, "while finishing decompression", self.stream.message);
            }
        }
    }
    return call.get();
}

// ---- construction and copies -------------------------------------------------------------------

stream_pointer decompressobj(i32 window_bits, py::object zdict)
{
    if (zdict) {
        check_dictionary(zdict);
    }
    auto self = std::make_unique<decompress_stream>();

    check_created(self->stream, cs_inflate_init(&self->stream, window_bits));
    if (zdict && window_bits < 0) {
        input dictionary;

        dictionary.open(zdict);
        set_raw_dictionary(self->stream, dictionary);
    }
    self->zdict = std::move(zdict);
    return self;
}

stream_pointer copy(decompress_stream &self)
{
    auto other = std::make_unique<decompress_stream>();
    std::optional<codec_text> failure;
    cs_status status = CS_OK;
    {
        const turn taken(self);

        status = cs_inflate_copy(&other->stream, &self.stream);
        if (status < 0) {
            failure.emplace(status, "while copying decompression object", self.stream.message);
        } else {
            other->unused_data = self.unused_data;
            other->unconsumed_tail = self.unconsumed_tail;
            other->eof = self.eof;
        }
    }
    switch (status) {
    case CS_E_STREAM:
        throw_error(PyExc_ValueError, "Inconsistent stream state");
    case CS_E_MEMORY:
        throw_error(PyExc_MemoryError, "Can't allocate memory for decompression object");
    default:
        if (failure) {
            throw_codec_error(failure->text);
        }
        other->zdict = self.zdict;
        return other;
    }
}

stream_pointer deepcopy(decompress_stream &self, py::handle)
{
    return copy(self);
}

py::object unused_data(const decompress_stream &self)
{
    return read(self, self.unused_data);
}

py::object unconsumed_tail(const decompress_stream &self)
{
    return read(self, self.unconsumed_tail);
}

bool eof(const decompress_stream &self)
{
    const brief_access access(self);

    return self.eof;
}

} // namespace

void bind_codec_decompress(py::module_ &m)
{
    // The default of zdict, which `inspect` shows as b"". It is an object of its own, because an empty dictionary that is
    // given differs from none: the engine refuses it where it needs another.
    const auto absent = stolen(PyObject_CallNoArgs(reinterpret_cast<PyObject *>(&PyBaseObject_Type)));

    py::class_<decompress_stream>(m, "Decompress", py::is_final(), DOC_Decompress, py::custom_type_setup(set_up))
        .def("decompress", decompress, py::arg("data"), py::pos_only(), py::arg("max_length") = 0,
             DOC_Decompress_decompress)
        .def("flush", flush, py::arg("length") = CS_OUT_FIRST_NBYTES, py::pos_only(), DOC_Decompress_flush)
        .def("copy", copy, DOC_Decompress_copy)
        .def("__copy__", copy, DOC_Decompress___copy__)
        .def("__deepcopy__", deepcopy, DOC_Decompress___deepcopy__)
        .def("__reduce__", refuse_pickle, "__reduce__(self, /)\n--\n\nRaise `TypeError`.")
        .def_property_readonly("unused_data", unused_data, DOC_Decompress_unused_data)
        .def_property_readonly("unconsumed_tail", unconsumed_tail, DOC_Decompress_unconsumed_tail)
        .def_property_readonly("eof", eof, DOC_Decompress_eof);
    m.def(
        "decompressobj",
        [absent](i32 window_bits, py::object zdict) {
            return decompressobj(window_bits, zdict.is(absent) ? py::object() : std::move(zdict));
        },
        py::arg("wbits") = CS_WINDOW_BITS_MAX, py::arg_v("zdict", absent, "b''"), DOC_decompressobj);
    bind_codec_decompressor(m, absent);
}
