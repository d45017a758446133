/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_constants.c - the constants of codec.
 */
#include "add.h"
#include "module.h"

#include "cside/codec.h"

static const core_constant constants[] = {
    {"DEFLATED", CS_METHOD_DEFLATED},
    {"DEF_BUF_SIZE", CS_OUT_FIRST_NBYTES},
    {"DEF_MEM_LEVEL", CS_MEM_LEVEL_DEFAULT},
    {"MAX_WBITS", CS_WINDOW_BITS_MAX},
    {"Z_BEST_COMPRESSION", CS_LEVEL_BEST},
    {"Z_BEST_SPEED", CS_LEVEL_FASTEST},
    {"Z_BLOCK", CS_FLUSH_BLOCK},
    {"Z_DEFAULT_COMPRESSION", CS_LEVEL_DEFAULT},
    {"Z_DEFAULT_STRATEGY", CS_STRATEGY_DEFAULT},
    {"Z_FILTERED", CS_STRATEGY_FILTERED},
    {"Z_FINISH", CS_FLUSH_FINISH},
    {"Z_FIXED", CS_STRATEGY_FIXED},
    {"Z_FULL_FLUSH", CS_FLUSH_FULL},
    {"Z_HUFFMAN_ONLY", CS_STRATEGY_HUFFMAN_ONLY},
    {"Z_NO_COMPRESSION", CS_LEVEL_NONE},
    {"Z_NO_FLUSH", CS_FLUSH_NONE},
    {"Z_PARTIAL_FLUSH", CS_FLUSH_PARTIAL},
    {"Z_RLE", CS_STRATEGY_RLE},
    {"Z_SYNC_FLUSH", CS_FLUSH_SYNC},
    {"Z_TREES", CS_FLUSH_TREES},
    {NULL, 0},
};

int core_add_codec_constants(PyObject *module)
{
    if (core_add_constants(module, constants) < 0 ||
        core_add_value(module, "ZLIB_VERSION", PyUnicode_FromString(cs_engine_header_version())) < 0 ||
        core_add_value(module, "ZLIB_RUNTIME_VERSION", PyUnicode_FromString(cs_engine_version())) < 0) {
        return -1;
    }
    return 0;
}
