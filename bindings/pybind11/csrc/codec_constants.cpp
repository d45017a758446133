// SPDX-License-Identifier: Apache-2.0
//
// codec_constants.cpp - the constants of codec.
#include "_core.hpp"

#include <cside/codec.h>

void bind_codec_constants(py::module_ &m)
{
    m.attr("DEFLATED") = CS_METHOD_DEFLATED;
    m.attr("DEF_BUF_SIZE") = CS_OUT_FIRST_NBYTES;
    m.attr("DEF_MEM_LEVEL") = CS_MEM_LEVEL_DEFAULT;
    m.attr("MAX_WBITS") = CS_WINDOW_BITS_MAX;
    m.attr("Z_BEST_COMPRESSION") = CS_LEVEL_BEST;
    m.attr("Z_BEST_SPEED") = CS_LEVEL_FASTEST;
    m.attr("Z_BLOCK") = CS_FLUSH_BLOCK;
    m.attr("Z_DEFAULT_COMPRESSION") = CS_LEVEL_DEFAULT;
    m.attr("Z_DEFAULT_STRATEGY") = CS_STRATEGY_DEFAULT;
    m.attr("Z_FILTERED") = CS_STRATEGY_FILTERED;
    m.attr("Z_FINISH") = CS_FLUSH_FINISH;
    m.attr("Z_FIXED") = CS_STRATEGY_FIXED;
    m.attr("Z_FULL_FLUSH") = CS_FLUSH_FULL;
    m.attr("Z_HUFFMAN_ONLY") = CS_STRATEGY_HUFFMAN_ONLY;
    m.attr("Z_NO_COMPRESSION") = CS_LEVEL_NONE;
    m.attr("Z_NO_FLUSH") = CS_FLUSH_NONE;
    m.attr("Z_PARTIAL_FLUSH") = CS_FLUSH_PARTIAL;
    m.attr("Z_RLE") = CS_STRATEGY_RLE;
    m.attr("Z_SYNC_FLUSH") = CS_FLUSH_SYNC;
    m.attr("Z_TREES") = CS_FLUSH_TREES;
    m.attr("ZLIB_VERSION") = cs_engine_header_version();
    m.attr("ZLIB_RUNTIME_VERSION") = cs_engine_version();
}
