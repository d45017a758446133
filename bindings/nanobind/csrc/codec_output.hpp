/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_output.hpp - the output of the codec: a bytes object that grows.
 */
#ifndef CSIDE_NANOBIND_CODEC_OUTPUT_HPP
#define CSIDE_NANOBIND_CODEC_OUTPUT_HPP

#include "buffers.hpp"

#include <cside/codec.h>

namespace cside
{

/** The bytes object that the library writes into. No other code has a reference to it before finish(). */
class growing_output
{
  public:
    enum class growth { grown, at_limit, no_memory };

    /** Make a bytes object of `first` bytes, at most `limit`, and let the stream write into it. False with MemoryError. */
    bool start(cs_stream &stream, size_t first, size_t limit);

    /** Double the size, up to the limit, after the stream has filled the object. no_memory with MemoryError. */
    growth grow(cs_stream &stream);

    /** Return the bytes written so far as a new bytes object; null with MemoryError. */
    nb::object finish(const cs_stream &stream);

  private:
    nb::object bytes;
    size_t room = 0;
    size_t limit = 0;
};

} // namespace cside

#endif
