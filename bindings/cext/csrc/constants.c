/* SPDX-License-Identifier: Apache-2.0
 *
 * constants.c - what only the preprocessor knows, of both nouns.
 */
#include "core.h"

typedef struct integer_constant {
    const char *name;
    int64_t value;
} integer_constant;

static const integer_constant integers[] = {
    {"CONST_INT", CS_CONST_INT},
    {"CONST_NEGATIVE", CS_CONST_NEGATIVE},
    {"CONST_CAST", CS_CONST_CAST},
    {"CONST_SHIFT", CS_CONST_SHIFT},
    {"CONST_EXPR", CS_CONST_EXPR},
    {"CONST_CHAR", CS_CONST_CHAR},
    {"COLOR_RED", CS_COLOR_RED},
    {"COLOR_GREEN", CS_COLOR_GREEN},
    {"COLOR_BLUE", CS_COLOR_BLUE},
    {"FLAG_READ", CS_FLAG_READ},
    {"FLAG_WRITE", CS_FLAG_WRITE},
    {"FLAG_EXEC", CS_FLAG_EXEC},
    {"FLAG_ALL", CS_FLAG_ALL},
    {"CONFIG_NBYTES", CS_CONFIG_NBYTES},
    {"CONFIG_V1_NBYTES", CS_CONFIG_V1_NBYTES},
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
};

int core_add_constants(PyObject *module)
{
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
        if (core_add_value(module, integers[i].name, PyLong_FromLongLong(integers[i].value)) < 0) {
            return -1;
        }
    }
    if (core_add_value(module, "CONST_HEX", PyLong_FromUnsignedLongLong(CS_CONST_HEX)) < 0 ||
        core_add_value(module, "CONST_FLOAT", PyFloat_FromDouble(CS_CONST_FLOAT)) < 0 ||
        core_add_value(module, "CONST_STRING", PyUnicode_FromString(CS_CONST_STRING)) < 0 ||
        core_add_value(module, "ZLIB_VERSION", PyUnicode_FromString(cs_engine_header_version())) < 0 ||
        core_add_value(module, "ZLIB_RUNTIME_VERSION", PyUnicode_FromString(cs_engine_version())) < 0) {
        return -1;
    }
    return 0;
}
