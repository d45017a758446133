/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a constant whose text is not its value, in any locale; a union, bit-field, enumeration or set of flags of which
 * another part is changed than the header says.
 */
#include <locale.h>

#include "check.h"
#include "cside/codec.h"
#include "cside/idioms.h"

static void variants(void)
{
    cs_variant variant = {.kind = CS_VARIANT_INTEGER};

    variant.as.integer = INT64_MAX;
    CHECK_EQ(cs_variant_double(&variant), CS_OK);
    CHECK_EQ(variant.as.integer, -2);
    variant.kind = CS_VARIANT_REAL;
    variant.as.real = 1.25;
    CHECK_EQ(cs_variant_double(&variant), CS_OK);
    CHECK(variant.as.real == 2.5);
    variant.kind = CS_VARIANT_BYTES;
    memcpy(variant.as.bytes, "12345678", 8);
    CHECK_EQ(cs_variant_double(&variant), CS_OK);
    CHECK(memcmp(variant.as.bytes, "87654321", 8) == 0);
    variant.kind = 0;
    CHECK_EQ(cs_variant_double(&variant), CS_E_ARGUMENT);
    CHECK(memcmp(variant.as.bytes, "87654321", 8) == 0);
}

static void bit_fields(void)
{
    cs_bits bits = {.mode = 5, .level = 31, .delta = -3, .flag = 1};

    CHECK_EQ(cs_bits_pack(&bits), 5 | 31 << 3 | 13 << 8 | 1 << 12);
    for (uint32_t word = 0; word < 1u << 13; word++) {
        cs_bits_unpack(word | 0xFFFFE000u, &bits);
        CHECK_EQ(cs_bits_pack(&bits), word);
        CHECK(bits.delta >= -8 && bits.delta <= 7);
    }
}

static void constants(void)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a comma for the decimal point, where that locale is installed */
    CHECK_TEXT(cs_const_text("CS_CONST_FLOAT"), "2.5");
    CHECK_TEXT(cs_const_text("CS_CONST_INT"), "42");
    CHECK_TEXT(cs_const_text("CS_CONST_NEGATIVE"), "-7");
    CHECK_TEXT(cs_const_text("CS_CONST_HEX"), "18446744073709551615");
    CHECK_TEXT(cs_const_text("CS_CONST_CAST"), "4294967295");
    CHECK_TEXT(cs_const_text("CS_CONST_SHIFT"), "2147483648");
    CHECK_TEXT(cs_const_text("CS_CONST_EXPR"), "2147483651");
    CHECK_TEXT(cs_const_text("CS_CONST_CHAR"), "99");
    CHECK_TEXT(cs_const_text("CS_CONST_STRING"), "cside \xC3\xA9");
    CHECK_TEXT(cs_const_text("CS_COLOR_INVALID"), "-1");
    CHECK_TEXT(cs_const_text("CS_FLAG_ALL"), "7");
    CHECK_EQ(strtol(cs_const_text("CS_CONFIG_V1_NBYTES"), NULL, 10), CS_CONFIG_V1_NBYTES);
    CHECK_EQ(strtol(cs_const_text("CS_CONFIG_NBYTES"), NULL, 10), sizeof(cs_config));
    CHECK_EQ(strtol(cs_const_text("CS_OUT_FIRST_NBYTES"), NULL, 10), CS_OUT_FIRST_NBYTES);
    CHECK(cs_const_text("CS_EACH_STOP") == cs_const_text("CS_EACH_STOP"));
    CHECK(cs_const_text("CONST_INT") == NULL);
    CHECK(cs_const_text("") == NULL);
}

int main(void)
{
    uint32_t flags = 77;

    constants();
    variants();
    bit_fields();

    CHECK_EQ(cs_color_next(CS_COLOR_RED), CS_COLOR_GREEN);
    CHECK_EQ(cs_color_next(CS_COLOR_BLUE), CS_COLOR_RED);
    CHECK_EQ(cs_color_next(CS_COLOR_INVALID), CS_COLOR_INVALID);
    CHECK_EQ(cs_color_next((cs_color)77), CS_COLOR_INVALID);
    CHECK_EQ(cs_flags_toggle(CS_FLAG_ALL, CS_FLAG_WRITE, &flags), CS_OK);
    CHECK_EQ(flags, CS_FLAG_READ | CS_FLAG_EXEC);
    CHECK_EQ(cs_flags_toggle(8, 0, &flags), CS_E_ARGUMENT);
    CHECK_EQ(cs_flags_toggle(0, 1u << 31, &flags), CS_E_ARGUMENT);
    CHECK_EQ(flags, CS_FLAG_READ | CS_FLAG_EXEC);

    CHECK_EQ(CS_MACRO_CLAMP(5, 1, 3), 3);
    CHECK_EQ(CS_MACRO_CLAMP(-5, 1, 3), 1);
    CHECK_EQ(CS_MACRO_CLAMP(2, 1, 3), 2);
    CHECK_EQ(cs_inline_rotl(0x80000001u, 1), 3);
    CHECK_EQ(cs_inline_rotl(7, 32), 7);
    return 0;
}
