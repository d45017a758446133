/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a struct, union or bit-field that is read or written elsewhere than the header says.
 */
#include "check.h"
#include "cside/idioms.h"

static void attributes(void)
{
    uint8_t first[64], second[64];
    cs_attr attrs[] = {{3, NULL, 0}, {64 + 63, NULL, 0}, {128, first, 0}};
    cs_attr digest[] = {{0x01020304u, first, 2}, {5, NULL, 9}};
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    static const uint8_t hashed[] = {4, 3, 2, 1, 'a', 'b', 5, 0, 0, 0};

    CHECK_EQ(cs_attrs_get(attrs, 3), CS_OK);
    CHECK_EQ(attrs[0].value_nbytes, 3);
    CHECK_EQ(attrs[1].value_nbytes, 63);
    CHECK_EQ(attrs[2].value_nbytes, 0);

    memset(first, 0xEE, sizeof first);
    attrs[0].value = first;
    attrs[1].value = second;
    attrs[0].value_nbytes = 2;
    CHECK_EQ(cs_attrs_get(attrs, 3), CS_E_TOO_SMALL);
    CHECK(attrs[0].value_nbytes == 2 && first[0] == 0xEE);
    attrs[0].value_nbytes = sizeof first;
    CHECK_EQ(cs_attrs_get(attrs, 3), CS_OK);
    CHECK(attrs[0].value_nbytes == 3 && first[0] == 3 && first[2] == 3 && first[3] == 0xEE);
    CHECK(second[0] == 127 && second[62] == 127);
    attrs[1].type = CS_ATTR_MAX_TYPE + 1;
    attrs[0].value_nbytes = 0; /* an unknown type is found before a lack of room */
    CHECK_EQ(cs_attrs_get(attrs, 3), CS_E_NOT_FOUND);
    CHECK_EQ(cs_attrs_get(NULL, 0), CS_OK);

    first[0] = 'a';
    first[1] = 'b';
    for (size_t i = 0; i < sizeof hashed; i++)
        hash = (hash ^ hashed[i]) * UINT64_C(0x100000001B3);
    CHECK(cs_attrs_digest(digest, 2) == hash);
    CHECK(cs_attrs_digest(NULL, 0) == UINT64_C(0xCBF29CE484222325));
}

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

static void configs(void)
{
    struct {
        size_t struct_nbytes;
        uint32_t retries;
        double timeout_s;
    } *stale = check_alloc(CS_CONFIG_V1_NBYTES); /* on the heap, so that a sanitizer sees a read past its end */
    cs_config config = {.struct_nbytes = sizeof config, .retries = 3, .timeout_s = 0.5, .flags = 9};
    cs_config_view view = {0};

    CHECK_EQ(CS_CONFIG_V1_NBYTES, sizeof *stale);
    CHECK_EQ(cs_config_read(&config, &view), CS_OK);
    CHECK(view.version == 2 && view.retries == 3 && view.timeout_s == 0.5 && view.flags == 9);
    stale->struct_nbytes = CS_CONFIG_V1_NBYTES;
    stale->retries = 4;
    stale->timeout_s = 1.5;
    CHECK_EQ(cs_config_read((const cs_config *)(const void *)stale, &view), CS_OK);
    CHECK(view.version == 1 && view.retries == 4 && view.timeout_s == 1.5 && view.flags == 0);
    config.struct_nbytes = 0;
    CHECK_EQ(cs_config_read(&config, &view), CS_E_VERSION);
    config.struct_nbytes = sizeof config + 8;
    CHECK_EQ(cs_config_read(&config, &view), CS_E_VERSION);
    CHECK_EQ(view.version, 1);
    free(stale);
}

int main(void)
{
    cs_point sum = cs_point_add((cs_point){1, 2}, (cs_point){0.5, -4});
    cs_box box;
    uint32_t flags = 77;
    const cs_ops *ops = cs_ops_get();

    CHECK(sum.x == 1.5 && sum.y == -2);
    memset(&box, 0xEE, sizeof box);
    cs_box_fill(&box, UINT32_MAX);
    CHECK(box.min.x == 4294967295.0 && box.min.y == 4294967296.0 && box.max.x == 4294967297.0);
    CHECK(box.max.y == 4294967299.0 && box.tag == UINT32_MAX);
    CHECK(cs_box_area(&box) == 6.0);

    attributes();
    variants();
    bit_fields();
    configs();

    CHECK(ops == cs_ops_get() && ops->version >= 1);
    CHECK_EQ(ops->add(INT32_MAX, 1), INT32_MIN);
    CHECK_EQ(ops->multiply(65536, 65536), 0);
    CHECK_EQ(ops->multiply(INT32_MIN, -1), INT32_MIN);

    CHECK_EQ(cs_color_next(CS_COLOR_RED), CS_COLOR_GREEN);
    CHECK_EQ(cs_color_next(CS_COLOR_BLUE), CS_COLOR_RED);
    CHECK_EQ(cs_color_next(CS_COLOR_INVALID), CS_COLOR_INVALID);
    CHECK_EQ(cs_color_next((cs_color)77), CS_COLOR_INVALID);
    CHECK_EQ(cs_flags_toggle(CS_FLAG_ALL, CS_FLAG_WRITE, &flags), CS_OK);
    CHECK_EQ(flags, CS_FLAG_READ | CS_FLAG_EXEC);
    CHECK_EQ(cs_flags_toggle(8, 0, &flags), CS_E_ARGUMENT);
    CHECK_EQ(cs_flags_toggle(0, 1u << 31, &flags), CS_E_ARGUMENT);
    CHECK_EQ(flags, CS_FLAG_READ | CS_FLAG_EXEC);
    return 0;
}
