/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: what codec_stream.c defines, and the C function that cffi makes of a Python one.
 */

cs_status shim_deflate(cs_stream *stream, const uint8_t *in, size_t begin, size_t end, uint8_t *out, size_t room,
                       int32_t flush);
cs_status shim_inflate(cs_stream *stream, const uint8_t *in, size_t begin, size_t end, uint8_t *out, size_t room,
                       int32_t flush);

extern "Python" int32_t on_progress(uintptr_t key, uint64_t total_in, uint64_t total_out);
int32_t shim_on_progress(void *user, uint64_t total_in, uint64_t total_out);
