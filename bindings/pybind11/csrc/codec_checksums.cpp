// SPDX-License-Identifier: Apache-2.0
//
// codec_checksums.cpp - crc32, adler32 and their combine functions.
#include "arguments.hpp"
#include "buffers.hpp"
#include "docstrings.hpp"
#include "gil.hpp"

#include <cside/codec.h>

namespace
{

using checksum_function = std::uint32_t (*)(std::uint32_t value, const std::uint8_t *data, std::size_t data_nbytes);

template <checksum_function function> std::uint32_t checksum(brief_input &data, u32_modulo value)
{
    if (data.nbytes() < CS_CHECKSUM_LONG_NBYTES) {
        return function(value, data.data(), data.nbytes());
    }
    data.hold();
    const released_gil released;
    return function(value, data.data(), data.nbytes());
}

std::uint32_t crc32_combine(u32_modulo first, u32_modulo second, u64 second_nbytes)
{
    return cs_crc32_combine(first, second, second_nbytes);
}

std::uint32_t adler32_combine(u32_modulo first, u32_modulo second, u64 second_nbytes)
{
    return cs_adler32_combine(first, second, second_nbytes);
}

} // namespace

void bind_codec_checksums(py::module_ &m)
{
    m.def("crc32", checksum<cs_crc32>, py::arg("data"), py::arg("value") = 0, py::pos_only(), DOC_crc32);
    m.def("adler32", checksum<cs_adler32>, py::arg("data"), py::arg("value") = 1, py::pos_only(), DOC_adler32);
    m.def("crc32_combine", crc32_combine, DOC_crc32_combine);
    m.def("adler32_combine", adler32_combine, DOC_adler32_combine);
}
