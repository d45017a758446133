// SPDX-License-Identifier: Apache-2.0
//
// codec_inflate.cpp - one call of the engine that decompresses, and its errors.
#include "codec_inflate.hpp"

#include "gil.hpp"

bool inflate_call::run(cs_stream &stream, std::int32_t flush, output &out)
{
    const char *doing = "while decompressing data";
    bool refused = false;
    output::growth grown = output::growth::grown;

    while (grown == output::growth::grown) {
        {
            const released_gil released;
            status = cs_inflate(&stream, flush);
        }
        if (status == CS_NEED_DICT && with_dictionary) {
            status = cs_inflate_set_dictionary(&stream, dictionary.data(), dictionary.nbytes());
            if (status < 0) {
                doing = "while setting zdict";
                refused = true;
                break;
            }
            continue;
        }
        if ((status != CS_OK && status != CS_E_BUFFER) || stream.avail_out != 0) {
            break;
        }
        grown = out.grow(stream);
    }
    if (status == CS_E_BUFFER) {
        status = CS_OK; // more input is needed, or the limit is reached; not an error here
    }
    no_room = grown == output::growth::no_memory;
    if (!no_room && failed()) {
        failure.emplace(status, doing, stream.message);
    }
    return !no_room && !refused;
}

py::object inflate_call::get()
{
    if (failure) {
        throw_codec_error(failure->text);
    }
    if (no_room) {
        throw_no_room();
    }
    if (no_memory || !result) {
        throw_no_memory();
    }
    return std::move(result);
}

void check_created(const cs_stream &stream, cs_status status)
{
    switch (status) {
    case CS_E_STREAM:
        throw_error(PyExc_ValueError, "Invalid initialization option");
    case CS_E_MEMORY:
        throw_error(PyExc_MemoryError, "Can't allocate memory for decompression object");
    default:
        if (status < 0) {
            throw_codec_error(status, "while creating decompression object", stream.message);
        }
    }
}

void set_raw_dictionary(cs_stream &stream, const input &dictionary)
{
    const cs_status status = cs_inflate_set_dictionary(&stream, dictionary.data(), dictionary.nbytes());

    if (status < 0) {
        throw_codec_error(status, "while setting zdict", stream.message);
    }
}

void check_dictionary(py::handle zdict)
{
    if (PyObject_CheckBuffer(zdict.ptr()) == 0) {
        throw_error(PyExc_TypeError, "zdict argument must support the buffer protocol");
    }
}
