/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a string with a wrong length, a wrong owner or wrong padding.
 */
#include "check.h"
#include "cside/idioms.h"

static uint32_t fnv1a(const char *bytes, size_t nbytes)
{
    uint32_t hash = 0x811C9DC5u;

    for (size_t i = 0; i < nbytes; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * 0x01000193u;
    return hash;
}

int main(void)
{
    char label[CS_LABEL_NBYTES + 1];
    char *text = NULL, *kept = NULL;

    CHECK_EQ(cs_string_length(""), 0);
    CHECK_EQ(cs_string_length("gr\xC3\xBC\xC3\x9F"), 6);

    CHECK_TEXT(cs_string_borrow(0), "borrowed");
    CHECK(cs_string_borrow(0) == cs_string_borrow(0));
    CHECK(strchr(cs_string_borrow(1), '\xC3') != NULL);
    CHECK((uint8_t)cs_string_borrow(2)[0] == 0xFF);
    CHECK_TEXT(cs_string_borrow(3), "");
    CHECK(cs_string_borrow(4) == NULL && cs_string_borrow(UINT32_MAX) == NULL);

    CHECK_EQ(cs_string_repeat("ab", 3, &text), CS_OK);
    CHECK_TEXT(text, "ababab");
    cs_string_free(text);
    CHECK_EQ(cs_string_repeat("ab", 0, &text), CS_OK);
    CHECK_TEXT(text, "");
    cs_string_free(text);
    CHECK_EQ(cs_string_repeat("", UINT32_MAX, &text), CS_OK);
    CHECK_TEXT(text, "");
    cs_string_free(text);
    cs_string_free(NULL);
    if (sizeof(size_t) == 4) { /* with 64 bits the length cannot overflow */
        CHECK_EQ(cs_string_repeat("ab", UINT32_MAX, &kept), CS_E_MEMORY);
        CHECK(kept == NULL);
    }

    memset(label, '#', sizeof label);
    cs_label_get(0, label);
    CHECK(memcmp(label, "label 0                         #", sizeof label) == 0);
    cs_label_get(UINT32_MAX, label);
    CHECK(memcmp(label, "label 4294967295                #", sizeof label) == 0);
    cs_label_get(120, label);
    CHECK(memcmp(label, "label 120                       #", sizeof label) == 0);
    CHECK_EQ(cs_label_hash(label), fnv1a(label, CS_LABEL_NBYTES));
    return 0;
}
