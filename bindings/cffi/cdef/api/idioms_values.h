/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: what idioms_values.c defines.
 */

int32_t shim_macro_clamp(int32_t x, int32_t lo, int32_t hi);
uint32_t shim_inline_rotl(uint32_t value, uint32_t bits);
cs_status shim_variant_integer(int64_t value, int64_t *out_value);
cs_status shim_variant_real(double value, double *out_value);
cs_status shim_variant_bytes(const char *value, char *out_value);
int32_t shim_bits_pack(uint32_t mode, uint32_t level, int32_t delta, uint32_t flag);
void shim_bits_unpack(uint32_t word, int32_t fields[4]);
