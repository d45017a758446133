/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_buffers.cpp - bytes in, a writable buffer out, outputs of unknown size.
 */
#include "arguments.hpp"
#include "buffers.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "status.hpp"

#include <cside/idioms.h>

namespace cside
{

namespace
{

nb::object bytes_sum(nb::handle data)
{
    input bytes;

    if (!bytes.open_briefly(data)) {
        return nb::object();
    }
    return nb::cast(cs_bytes_sum(bytes.data(), bytes.nbytes()));
}

nb::object buffer_fill(nb::handle out, nb::handle value)
{
    output buffer;
    uint8_t byte = 0;

#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
    /* A bytearray cannot be resized while this call keeps the GIL and runs no Python code, so an exact one is written
     * to without holding a buffer. The conversion of the value may run Python code, so it comes first. */
    if (PyByteArray_CheckExact(out.ptr())) {
        if (!convert(value, byte)) {
            return nb::object();
        }
        cs_buffer_fill(reinterpret_cast<uint8_t *>(bytearray_start(out)), bytearray_count(out), byte);
        return nb::none();
    }
#endif
    if (!buffer.open(out) || !convert(value, byte)) {
        return nb::object();
    }
    cs_buffer_fill(buffer.data(), buffer.nbytes(), byte);
    return nb::none();
}

nb::object blob_get(nb::handle index)
{
    uint32_t number = 0;
    size_t nbytes = 0;

    if (!convert(index, number)) {
        return nb::object();
    }
    cs_status status = cs_blob_get(number, nullptr, &nbytes);
    if (status < 0) {
        return fail_status(status);
    }
    nb::object blob = new_bytes(nbytes);
    if (!blob.is_valid()) {
        return blob;
    }
    status = cs_blob_get(number, bytes_data(blob), &nbytes);
    return status < 0 ? fail_status(status) : blob;
}

nb::object runs_expand(nb::handle data)
{
    input bytes;
    size_t out_nbytes = 0;

    if (!bytes.open(data)) {
        return nb::object();
    }
    for (size_t capacity = CS_RUNS_FIRST_NBYTES;; capacity *= 2) {
        nb::object out = new_bytes(capacity); /* a new object each time, since the contents need not be copied */

        if (!out.is_valid()) {
            return out;
        }
        cs_status status = cs_runs_expand(bytes.data(), bytes.nbytes(), bytes_data(out), capacity, &out_nbytes);
        if (status >= 0) {
            resize_bytes(out, out_nbytes);
            return out;
        }
        if (status != CS_E_TOO_SMALL) {
            return fail_status(status);
        }
    }
}

} // namespace

void bind_idioms_buffers(nb::module_ &m)
{
    m.def("bytes_sum", bytes_sum, DOC_bytes_sum);
    m.def("buffer_fill", buffer_fill, DOC_buffer_fill);
    m.def("blob_get", blob_get, DOC_blob_get);
    m.def("runs_expand", runs_expand, DOC_runs_expand);
}

} // namespace cside
