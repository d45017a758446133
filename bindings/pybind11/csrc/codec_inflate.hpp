// SPDX-License-Identifier: Apache-2.0
//
// codec_inflate.hpp - what Decompress and _ZlibDecompressor share: one call of the engine, and its errors.
#pragma once

#include "buffers.hpp"
#include "codec_errors.hpp"
#include "codec_output.hpp"

#include <optional>

/** What one call works with. Buffers of Python objects are got before the lock of the stream is taken, and exceptions
 *  are thrown after it is released. */
struct inflate_call {
    input dictionary;
    bool with_dictionary = false;
    bool no_room = false;   // for the output
    bool no_memory = false; // for input that has to be kept
    cs_status status = CS_OK;
    std::optional<codec_text> failure;
    py::object result;

    /** Whether the engine has refused the data. */
    bool failed() const
    {
        return status < 0 || status == CS_NEED_DICT;
    }

    /** Call the engine until it has used its input, has reached the limit, or has ended or failed. The caller holds the
     *  lock. Returns false if memory runs out or the dictionary is refused. */
    bool run(cs_stream &stream, std::int32_t flush, output &out);

    /** Throw the exception of the call, or return its result. */
    py::object get();
};

/** Throw the exception if a stream could not be made. */
void check_created(const cs_stream &stream, cs_status status);

/** Set the dictionary of a raw stream, for which the engine never asks. */
void set_raw_dictionary(cs_stream &stream, const input &dictionary);

/** Throw TypeError unless the object supports the buffer protocol. */
void check_dictionary(py::handle zdict);
