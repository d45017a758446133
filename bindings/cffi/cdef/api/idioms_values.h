/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: what idioms_values.c defines.
 */

int32_t shim_macro_clamp(int32_t x, int32_t lo, int32_t hi);
uint32_t shim_inline_rotl(uint32_t value, uint32_t bits);
int32_t shim_bits_pack(uint32_t mode, uint32_t level, int32_t delta, uint32_t flag);
void shim_bits_unpack(uint32_t word, int32_t fields[4]);
