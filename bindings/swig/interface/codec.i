/* SPDX-License-Identifier: Apache-2.0
 *
 * The codec, in the shape of Python's zlib module. Each file included below names the functions of one group, or holds
 * what several groups use.
 */
%include "codec_errors.i"
%include "codec_output.i"

/* The names of parameters are the names of keyword arguments. Where zlib takes an argument by position only, the
 * parameter has a name that is a keyword of Python's, `in` or `lambda`, so that no caller can write it. */
%apply (const uint8_t *data, size_t data_nbytes) { (const uint8_t *in, size_t in_nbytes) };

%include "codec_checksums.i"
%include "codec_oneshot.i"
%include "codec_streams.i"
%include "codec_compress.i"
%include "codec_decompress.i"

%rename(fail_after) cs_codec_fail_after;
void cs_codec_fail_after(int64_t allocations);

/* ---- constants, under zlib's names ------------------------------------------------------------------------------- */

%constant int DEFLATED = CS_METHOD_DEFLATED;
%constant int DEF_BUF_SIZE = CS_OUT_FIRST_NBYTES;
%constant int DEF_MEM_LEVEL = CS_MEM_LEVEL_DEFAULT;
%constant int MAX_WBITS = CS_WINDOW_BITS_MAX;
%constant int Z_BEST_COMPRESSION = CS_LEVEL_BEST;
%constant int Z_BEST_SPEED = CS_LEVEL_FASTEST;
%constant int Z_BLOCK = CS_FLUSH_BLOCK;
%constant int Z_DEFAULT_COMPRESSION = CS_LEVEL_DEFAULT;
%constant int Z_DEFAULT_STRATEGY = CS_STRATEGY_DEFAULT;
%constant int Z_FILTERED = CS_STRATEGY_FILTERED;
%constant int Z_FINISH = CS_FLUSH_FINISH;
%constant int Z_FIXED = CS_STRATEGY_FIXED;
%constant int Z_FULL_FLUSH = CS_FLUSH_FULL;
%constant int Z_HUFFMAN_ONLY = CS_STRATEGY_HUFFMAN_ONLY;
%constant int Z_NO_COMPRESSION = CS_LEVEL_NONE;
%constant int Z_NO_FLUSH = CS_FLUSH_NONE;
%constant int Z_PARTIAL_FLUSH = CS_FLUSH_PARTIAL;
%constant int Z_RLE = CS_STRATEGY_RLE;
%constant int Z_SYNC_FLUSH = CS_FLUSH_SYNC;
%constant int Z_TREES = CS_FLUSH_TREES;
%constant char *ZLIB_RUNTIME_VERSION = cs_engine_version();
%constant char *ZLIB_VERSION = cs_engine_header_version();
