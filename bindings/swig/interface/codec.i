/* SPDX-License-Identifier: Apache-2.0
 *
 * The codec, in the shape of zlib: checksums and constants here, the rest in codec/.
 */
%{
static PyObject *cside_codec_error;

/* What users of zlib read: "Error -3 while decompressing data: incorrect header check". */
static void cside_raise_codec(cs_status status, const char *doing, const char *message)
{
    char text[320];

    cs_codec_error_text(status, doing, message, text, sizeof text);
    PyErr_SetString(cside_codec_error, text);
}
%}

%init %{
cside_codec_error = PyErr_NewExceptionWithDoc("cside_swig.codec.error", "A failure of the engine.", NULL, NULL);
if (PyModule_AddObjectRef(m, "error", cside_codec_error) < 0)
    return -1;
%}

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

/* ---- checksums --------------------------------------------------------------------------------------------------- */

%include "codec/checksums.i"
%checksum(crc32, 0)
%checksum(adler32, 1)

%apply uint32_t MODULO { uint32_t first, uint32_t second };
uint32_t cs_crc32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);
uint32_t cs_adler32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);

%rename(fail_after) cs_codec_fail_after;
void cs_codec_fail_after(int64_t allocations);

/* Keyword arguments take the names of parameters. What zlib takes by position alone is named by a word that Python
 * reserves: `in`, `lambda`. */
%apply (const uint8_t *data, size_t data_nbytes) { (const uint8_t *in, size_t in_nbytes) };

%include "codec/output.i"
%include "codec/compress.i"
%include "codec/decompress.i"
