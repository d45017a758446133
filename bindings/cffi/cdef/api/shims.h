/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: what shims.c defines, and the C functions that cffi makes out of Python ones.
 */

void shim_ops_fetch(void);
int32_t shim_ops_add(int32_t a, int32_t b);
int32_t shim_ops_multiply(int32_t a, int32_t b);
int32_t shim_macro_clamp(int32_t x, int32_t lo, int32_t hi);
uint32_t shim_inline_rotl(uint32_t value, uint32_t bits);
int32_t shim_bits_pack(uint32_t mode, uint32_t level, int32_t delta, uint32_t flag);
void shim_bits_unpack(uint32_t word, int32_t fields[4]);
int64_t shim_varargs_sum(uint32_t count, const int64_t values[8]);

cs_status shim_deflate(cs_stream *stream, const uint8_t *in, size_t begin, size_t end, uint8_t *out, size_t room,
                       int32_t flush);
cs_status shim_inflate(cs_stream *stream, const uint8_t *in, size_t begin, size_t end, uint8_t *out, size_t room,
                       int32_t flush);

extern "Python" int64_t on_each(uintptr_t key, int32_t position);
extern "Python" int32_t on_progress(uintptr_t key, uint64_t total_in, uint64_t total_out);
int64_t shim_on_each(void *user, int32_t position);
int32_t shim_on_progress(void *user, uint64_t total_in, uint64_t total_out);
