/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_inflate.hpp - what Decompress and _ZlibDecompressor share: one call of the engine.
 */
#ifndef CSIDE_NANOBIND_CODEC_INFLATE_HPP
#define CSIDE_NANOBIND_CODEC_INFLATE_HPP

#include "buffers.hpp"
#include "codec_errors.hpp"
#include "codec_output.hpp"

#include <cside/codec.h>

namespace cside
{

/** One call of a method. Buffers of Python objects are got before the lock is taken, and exceptions are raised after it
 *  is released, except for MemoryError. */
struct inflate_call {
    input source;
    input dictionary;
    bool with_dictionary = false;
    const char *doing = "while decompressing data";
    cs_status status = CS_OK; /**< the engine's last one */
    bool raised = false;      /**< an exception is set */
    nb::object result;

    /** Whether the engine failed: it reports a dictionary that is missing as a success. */
    bool failed() const
    {
        return status < 0 || status == CS_NEED_DICT;
    }

    /** Call the engine until it has used its input, has reached the limit, or has ended or failed; the caller holds the
     *  lock. False if memory runs out, with `raised` set, and if a dictionary is refused. */
    bool run(cs_stream &stream, int32_t flush, growing_output &output);
};

/** Set the exception for a decompression object that could not be made. */
nb::object fail_inflate_creating(cs_status status, const char *message);

/** The default of an argument `zdict`, an object of its own: no dictionary differs from an empty one. */
nb::handle no_dictionary();

/** Check that a dictionary has a buffer. False with TypeError. */
bool check_dictionary(nb::handle zdict);

/** Add the type _ZlibDecompressor to the module. */
void bind_codec_decompressor(nb::module_ &m);

} // namespace cside

#endif
