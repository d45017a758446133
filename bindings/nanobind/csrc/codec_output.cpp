/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_output.cpp - the output of the codec: a bytes object that grows.
 */
#include "codec_output.hpp"
#include "arguments.hpp"

#include <algorithm>
#include <utility>

namespace cside
{

namespace
{

/** A result of up to this size is copied to a new object, for which Python's allocator has a block of the right size.
 *  Shrinking the large object in place would split a block of malloc(), which takes longer than copying so few bytes.
 *  The C extension has the same limit. */
constexpr size_t SMALL_NBYTES = 384;

constexpr const char *NO_ROOM = "Unable to allocate output buffer.";

} // namespace

bool growing_output::start(cs_stream &stream, size_t first, size_t most)
{
    limit = most;
    room = std::min(first, most);
    bytes = new_bytes(room);
    if (!bytes.is_valid()) {
        fail(PyExc_MemoryError, NO_ROOM);
        return false;
    }
    stream.next_out = bytes_data(bytes);
    stream.avail_out = room;
    return true;
}

growing_output::growth growing_output::grow(cs_stream &stream)
{
    size_t used = room;
    size_t more = std::min(limit - used, used);

    if (more == 0) {
        return growth::at_limit;
    }
    resize_bytes(bytes, used + more);
    if (!bytes.is_valid()) {
        fail(PyExc_MemoryError, NO_ROOM);
        return growth::no_memory;
    }
    room = used + more;
    stream.next_out = bytes_data(bytes) + used;
    stream.avail_out = more;
    return growth::grown;
}

nb::object growing_output::finish(const cs_stream &stream)
{
    size_t used = room - stream.avail_out;

    if (used <= SMALL_NBYTES && used < room) {
        return nb::steal(PyBytes_FromStringAndSize(reinterpret_cast<const char *>(bytes_data(bytes)),
                                                   static_cast<Py_ssize_t>(used)));
    }
    resize_bytes(bytes, used);
    return std::move(bytes);
}

} // namespace cside
