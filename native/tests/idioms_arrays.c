/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an array of structs whose values are read or written at the wrong place.
 */
#include "check.h"
#include "cside/idioms.h"

int main(void)
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
    attrs[0].value_nbytes = 0; /* an unknown type is reported before a lack of room */
    CHECK_EQ(cs_attrs_get(attrs, 3), CS_E_NOT_FOUND);
    CHECK_EQ(cs_attrs_get(NULL, 0), CS_OK);

    first[0] = 'a';
    first[1] = 'b';
    for (size_t i = 0; i < sizeof hashed; i++)
        hash = (hash ^ hashed[i]) * UINT64_C(0x100000001B3);
    CHECK(cs_attrs_digest(digest, 2) == hash);
    CHECK(cs_attrs_digest(NULL, 0) == UINT64_C(0xCBF29CE484222325));
    return 0;
}
