/* SPDX-License-Identifier: Apache-2.0
 *
 * ABI mode only: no compiler sees the header, so every value is copied by hand. cffi can declare plain integers only.
 * The values that are not integers (CS_CONST_CHAR, _FLOAT, _STRING) are in src/cside_cffi/_idioms_values.py. Those that
 * are a size or an offset (CS_CONFIG_NBYTES, _V1_NBYTES) are computed by cffi in src/cside_cffi/_idioms_structs.py.
 */

/* codec */

#define CS_LEVEL_NONE 0
#define CS_LEVEL_FASTEST 1
#define CS_LEVEL_BEST 9
#define CS_LEVEL_DEFAULT -1
#define CS_METHOD_DEFLATED 8
#define CS_MEM_LEVEL_DEFAULT 8
#define CS_STRATEGY_DEFAULT 0
#define CS_STRATEGY_FILTERED 1
#define CS_STRATEGY_HUFFMAN_ONLY 2
#define CS_STRATEGY_RLE 3
#define CS_STRATEGY_FIXED 4
#define CS_FLUSH_NONE 0
#define CS_FLUSH_PARTIAL 1
#define CS_FLUSH_SYNC 2
#define CS_FLUSH_FULL 3
#define CS_FLUSH_FINISH 4
#define CS_FLUSH_BLOCK 5
#define CS_FLUSH_TREES 6
#define CS_WINDOW_BITS_MAX 15
#define CS_OUT_FIRST_NBYTES 16384

/* idioms */

#define CS_RUNS_FIRST_NBYTES 256
#define CS_LABEL_NBYTES 32
#define CS_VARARGS_MAX 8
#define CS_FLAG_READ 1
#define CS_FLAG_WRITE 2
#define CS_FLAG_EXEC 4
#define CS_FLAG_ALL 7
#define CS_EACH_STOP -0x8000000000000000

#define CS_CONST_INT 42
#define CS_CONST_NEGATIVE -7
#define CS_CONST_HEX 0xFFFFFFFFFFFFFFFF
#define CS_CONST_CAST 4294967295
#define CS_CONST_SHIFT 2147483648
#define CS_CONST_EXPR 2147483651
