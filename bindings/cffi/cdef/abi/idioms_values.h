/* SPDX-License-Identifier: Apache-2.0
 *
 * ABI mode only: cffi lays bit-fields out itself, by the platform's rules (GCC's or MSVC's). In API mode the compiler
 * does, in api/idioms_values.c.
 */

typedef struct cs_bits {
    unsigned mode : 3;
    unsigned level : 5;
    signed delta : 4;
    unsigned flag : 1;
} cs_bits;

uint32_t cs_bits_pack(const cs_bits *bits);
void cs_bits_unpack(uint32_t word, cs_bits *out_bits);
