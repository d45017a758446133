// SPDX-License-Identifier: Apache-2.0
//
// idioms_buffers.cpp - byte buffers in and out, and output of unknown size.
#include "arguments.hpp"
#include "buffers.hpp"
#include "docstrings.hpp"

#include <cside/idioms.h>

static std::uint32_t bytes_sum(const brief_input &data)
{
    return cs_bytes_sum(data.data(), data.nbytes());
}

static void buffer_fill(const brief_output &out, u8 value)
{
    cs_buffer_fill(out.data(), out.nbytes(), value);
}

static py::bytes blob_get(u32 index)
{
    std::size_t nbytes = 0;

    check(cs_blob_get(index, nullptr, &nbytes));
    py::bytes blob = new_bytes(nbytes);
    // Even an empty bytes object has room for one byte, its NUL, so the pointer is never null.
    check(cs_blob_get(index, contents(blob), &nbytes));
    return blob;
}

static py::bytes runs_expand(const input &data)
{
    std::size_t capacity = CS_RUNS_FIRST_NBYTES;

    for (;;) {
        py::bytes out = new_bytes(capacity);
        std::size_t nbytes = 0;
        const cs_status status = cs_runs_expand(data.data(), data.nbytes(), contents(out), capacity, &nbytes);

        if (status != CS_E_TOO_SMALL) {
            check(status);
            resize(out, nbytes);
            return out;
        }
        capacity *= 2; // what was written is unspecified, so a new object avoids copying it
    }
}

void bind_idioms_buffers(py::module_ &m)
{
    m.def("bytes_sum", bytes_sum, DOC_bytes_sum);
    m.def("buffer_fill", buffer_fill, DOC_buffer_fill);
    m.def("blob_get", blob_get, DOC_blob_get);
    m.def("runs_expand", runs_expand, DOC_runs_expand);
}
