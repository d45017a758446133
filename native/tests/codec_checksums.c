/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a checksum that depends on how the data is split, or a combined checksum that differs from that of the whole.
 */
#include "check.h"
#include "cside/codec.h"

int main(void)
{
    enum { NBYTES = 70000 };
    uint8_t *data = check_alloc(NBYTES);
    uint32_t crc = 0, adler = 0;

    check_fill(data, NBYTES);
    CHECK_EQ(cs_crc32(0, (const uint8_t *)"123456789", 9), 0xCBF43926u);
    CHECK_EQ(cs_adler32(1, (const uint8_t *)"Wikipedia", 9), 0x11E60398u);
    CHECK_EQ(cs_crc32(77, NULL, 0), 77);
    CHECK_EQ(cs_crc32(77, data, 0), 77);
    CHECK_EQ(cs_adler32(77, NULL, 0), 77);
    CHECK_EQ(cs_adler32(77, data, 0), 77);

    crc = cs_crc32(0, data, NBYTES);
    adler = cs_adler32(1, data, NBYTES);
    for (size_t cut = 0; cut <= NBYTES; cut += 997) {
        size_t rest = NBYTES - cut;
        CHECK_EQ(cs_crc32(cs_crc32(0, data, cut), data + cut, rest), crc);
        CHECK_EQ(cs_adler32(cs_adler32(1, data, cut), data + cut, rest), adler);
        CHECK_EQ(cs_crc32_combine(cs_crc32(0, data, cut), cs_crc32(0, data + cut, rest), rest), crc);
        CHECK_EQ(cs_adler32_combine(cs_adler32(1, data, cut), cs_adler32(1, data + cut, rest), rest), adler);
    }

    /* For lengths that no buffer has, check that combining is associative: A + (B + C) is (A + B) + C. */
    for (uint64_t length = 1; length <= INT64_MAX / 4; length = length * 5 + 3) {
        uint64_t other = length * 2 + 1;
        CHECK_EQ(cs_crc32_combine(1, cs_crc32_combine(2, 3, other), length + other),
                 cs_crc32_combine(cs_crc32_combine(1, 2, length), 3, other));
        CHECK_EQ(cs_adler32_combine(0x10002, cs_adler32_combine(0x20003, 0x30004, other), length + other),
                 cs_adler32_combine(cs_adler32_combine(0x10002, 0x20003, length), 0x30004, other));
    }
    CHECK_EQ(cs_crc32_combine(5, 6, UINT32_MAX), 5 ^ 6); /* the period of the CRC's polynomial */
    CHECK_EQ(cs_crc32_combine(5, 6, (uint64_t)UINT32_MAX * 3), 5 ^ 6);
    CHECK_EQ(cs_crc32_combine(5, 6, (uint64_t)UINT32_MAX + 9), cs_crc32_combine(5, 6, 9));
    cs_crc32_combine(5, 6, UINT64_MAX); /* outside the domain: any value, without a long computation */
    free(data);
    return 0;
}
