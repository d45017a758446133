// SPDX-License-Identifier: Apache-2.0
//
// codec_output.cpp - the output of the codec: a bytes object that grows.
#include "codec_output.hpp"

/** A result of up to this size is copied to a new object, for which Python's allocator has a block of the right size.
 *  Shrinking the large object in place would split a block of malloc(), which takes longer than copying so few bytes. */
static constexpr std::size_t small_nbytes = 384;

/** A size that leaves no room for the object's header, for which PyPy would abort instead of raising. */
static constexpr std::size_t too_large_nbytes = static_cast<std::size_t>(PY_SSIZE_T_MAX) - 4096;

static std::uint8_t *memory_of(PyObject *bytes)
{
    return reinterpret_cast<std::uint8_t *>(PyBytes_AS_STRING(bytes));
}

bool output::start(cs_stream &stream, std::size_t first, std::size_t limit) noexcept
{
    limit_ = limit;
    room_ = first < limit ? first : limit;
    if (room_ <= too_large_nbytes) {
        bytes_ = PyBytes_FromStringAndSize(nullptr, static_cast<py::ssize_t>(room_));
    }
    if (bytes_ == nullptr) {
        PyErr_Clear();
        return false;
    }
    stream.next_out = memory_of(bytes_);
    stream.avail_out = room_;
    return true;
}

output::growth output::grow(cs_stream &stream) noexcept
{
    const std::size_t used = room_;
    const std::size_t more = limit_ - used < used ? limit_ - used : used;

    if (more == 0) {
        return growth::at_limit;
    }
    if (used + more > too_large_nbytes) {
        return growth::no_memory;
    }
    if (_PyBytes_Resize(&bytes_, static_cast<py::ssize_t>(used + more)) < 0) { // which has freed the object
        PyErr_Clear();
        return growth::no_memory;
    }
    room_ = used + more;
    stream.next_out = memory_of(bytes_) + used;
    stream.avail_out = more;
    return growth::grown;
}

py::object output::finish(const cs_stream &stream) noexcept
{
    const std::size_t used = room_ - stream.avail_out;
    PyObject *result = nullptr;

    if (used <= small_nbytes && used < room_) {
        result = PyBytes_FromStringAndSize(PyBytes_AS_STRING(bytes_), static_cast<py::ssize_t>(used));
    } else {
        result = bytes_;
        bytes_ = nullptr;
        (void)_PyBytes_Resize(&result, static_cast<py::ssize_t>(used)); // sets `result` to NULL on failure
    }
    if (result == nullptr) {
        PyErr_Clear();
    }
    return py::reinterpret_steal<py::object>(result);
}

void throw_no_room()
{
    throw_error(PyExc_MemoryError, "Unable to allocate output buffer.");
}
