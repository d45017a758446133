/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an output that is written after the end of its buffer, or whose reported size is wrong.
 */
#include "check.h"
#include "cside/idioms.h"

static void two_call(uint32_t index)
{
    size_t nbytes = 99, room = 0;
    uint8_t *out = NULL;

    CHECK_EQ(cs_blob_get(index, NULL, &nbytes), CS_OK);
    CHECK_EQ(nbytes, index);
    out = check_alloc(nbytes + 1);
    memset(out, 0xEE, nbytes + 1);
    if (index > 0) {
        room = nbytes - 1;
        CHECK_EQ(cs_blob_get(index, out, &room), CS_E_TOO_SMALL);
        CHECK_EQ(room, index);
        CHECK_EQ(out[0], 0xEE);
    }
    room = nbytes + 1;
    CHECK_EQ(cs_blob_get(index, out, &room), CS_OK);
    CHECK_EQ(room, index);
    for (uint32_t i = 0; i < index; i++)
        CHECK_EQ(out[i], (i * 7u + index) % 256u);
    CHECK_EQ(out[index], 0xEE);
    free(out);
}

static void grow(void)
{
    static const uint8_t pairs[] = {255, 'a', 0, 'x', 2, 'b'};
    uint8_t out[257];
    size_t out_nbytes = 77;

    CHECK_EQ(cs_runs_expand(pairs, sizeof pairs, out, CS_RUNS_FIRST_NBYTES, &out_nbytes), CS_E_TOO_SMALL);
    CHECK_EQ(out_nbytes, 77);
    CHECK_EQ(cs_runs_expand(pairs, sizeof pairs, out, sizeof out, &out_nbytes), CS_OK);
    CHECK_EQ(out_nbytes, 257);
    CHECK(out[0] == 'a' && out[254] == 'a' && out[255] == 'b' && out[256] == 'b');
    CHECK_EQ(cs_runs_expand(pairs, 3, out, sizeof out, &out_nbytes), CS_E_DATA);
    CHECK_EQ(cs_runs_expand(NULL, 0, NULL, 0, &out_nbytes), CS_OK);
    CHECK_EQ(out_nbytes, 0);
}

int main(void)
{
    static const uint32_t indices[] = {0, 1, 255, 256, 65537, CS_BLOB_MAX_NBYTES};
    uint8_t bytes[300];
    size_t nbytes = 5;

    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++)
        two_call(indices[i]);
    CHECK_EQ(cs_blob_get(CS_BLOB_MAX_NBYTES + 1, NULL, &nbytes), CS_E_NOT_FOUND);
    CHECK_EQ(nbytes, 5);
    grow();

    memset(bytes, 0xEE, sizeof bytes);
    cs_buffer_fill(bytes, 299, 255);
    CHECK(bytes[298] == 255 && bytes[299] == 0xEE);
    cs_buffer_fill(NULL, 0, 1);
    CHECK_EQ(cs_bytes_sum(bytes, 299), 299 * 255);
    CHECK_EQ(cs_bytes_sum(NULL, 0), 0);
    return 0;
}
