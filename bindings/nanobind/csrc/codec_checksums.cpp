/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_checksums.cpp - crc32, adler32 and their combine functions.
 */
#include "arguments.hpp"
#include "buffers.hpp"
#include "docstrings.h"
#include "gil.hpp"
#include "groups.hpp"

#include <cside/codec.h>

namespace cside
{

namespace
{

template <uint32_t (*Function)(uint32_t, const uint8_t *, size_t)>
nb::object checksum(nb::handle data, nb::handle start)
{
    input bytes;
    uint32_t value = 0;

    /* The conversion of anything but an int may run Python code, which could resize a bytearray that is not held. */
    bool opened = PyLong_CheckExact(start.ptr()) ? bytes.open_briefly(data) : bytes.open(data);
    if (!opened || !convert_modulo(start, value)) {
        return nb::object();
    }
    if (bytes.nbytes() < CS_CHECKSUM_LONG_NBYTES) {
        return nb::cast(Function(value, bytes.data(), bytes.nbytes()));
    }
    if (!bytes.hold(data)) {
        return nb::object();
    }
    {
        gil_released released;

        value = Function(value, bytes.data(), bytes.nbytes());
    }
    return nb::cast(value);
}

template <uint32_t (*Function)(uint32_t, uint32_t, uint64_t)>
nb::object combine(nb::handle first, nb::handle second, nb::handle second_nbytes)
{
    uint32_t a = 0;
    uint32_t b = 0;
    uint64_t nbytes = 0;

    if (!convert_modulo(first, a) || !convert_modulo(second, b) || !convert(second_nbytes, nbytes)) {
        return nb::object();
    }
    return nb::cast(Function(a, b, nbytes));
}

} // namespace

void bind_codec_checksums(nb::module_ &m)
{
    /* Without none() the dispatcher refuses None, with a message that is not that of zlib. */
    m.def("crc32", checksum<cs_crc32>, nb::arg().none(), nb::arg() = 0, DOC_crc32);
    m.def("adler32", checksum<cs_adler32>, nb::arg().none(), nb::arg() = 1, DOC_adler32);
    m.def("crc32_combine", combine<cs_crc32_combine>, DOC_crc32_combine);
    m.def("adler32_combine", combine<cs_adler32_combine>, DOC_adler32_combine);
}

} // namespace cside
