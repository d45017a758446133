/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a copied stream that shares state with its source.
 */
#include "check.h"
#include "cside/codec.h"

enum { NBYTES = 30000, HALF = 15000 };

static uint8_t data[NBYTES], packed[2][NBYTES + 1000], out[2][NBYTES];

static void finish(cs_stream *stream, uint8_t *room)
{
    stream->next_in = data + HALF;
    stream->avail_in = HALF;
    stream->next_out = room + stream->total_out;
    stream->avail_out = NBYTES + 1000 - (size_t)stream->total_out;
    CHECK_EQ(cs_deflate(stream, CS_FLUSH_FINISH), CS_STREAM_END);
}

int main(void)
{
    cs_stream source = {0}, copy = {0}, third = {0};
    size_t packed_nbytes = 0;

    check_fill(data, NBYTES);
    CHECK_EQ(cs_deflate_copy(&copy, &source), CS_E_STREAM);
    CHECK_EQ(cs_deflate_copy(&copy, NULL), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(&source, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    source.next_in = data;
    source.avail_in = HALF;
    source.next_out = packed[0];
    source.avail_out = sizeof packed[0];
    CHECK_EQ(cs_deflate(&source, CS_FLUSH_NONE), CS_OK);
    memcpy(packed[1], packed[0], (size_t)source.total_out);
    CHECK_EQ(cs_deflate_copy(&copy, &source), CS_OK);
    CHECK(copy.engine != source.engine && copy.total_in == source.total_in);
    CHECK_EQ(cs_deflate_copy(&copy, &source), CS_E_STREAM);  /* the copy was not zeroed */
    CHECK_EQ(cs_inflate_copy(&third, &source), CS_E_STREAM); /* a stream of the other direction */
    third = source;
    CHECK_EQ(cs_deflate(&third, CS_FLUSH_NONE), CS_E_STREAM); /* the stream was moved in memory */

    finish(&source, packed[0]);
    CHECK_EQ(cs_deflate_end(&source), CS_OK);
    finish(&copy, packed[1]);
    packed_nbytes = (size_t)copy.total_out;
    CHECK_EQ(copy.total_out, source.total_out);
    CHECK(memcmp(packed[0], packed[1], packed_nbytes) == 0);
    CHECK_EQ(cs_deflate_end(&copy), CS_OK);

    source = (cs_stream){.next_in = packed[0], .avail_in = packed_nbytes / 2, .next_out = out[0], .avail_out = NBYTES};
    copy = (cs_stream){0};
    CHECK_EQ(cs_inflate_init(&source, 15), CS_OK);
    CHECK_EQ(cs_inflate(&source, CS_FLUSH_SYNC), CS_OK);
    CHECK_EQ(cs_inflate_copy(&copy, &source), CS_OK);
    memcpy(out[1], out[0], (size_t)source.total_out);
    copy.next_out = out[1] + copy.total_out;
    source.avail_in = copy.avail_in = packed_nbytes - (size_t)source.total_in;
    CHECK_EQ(cs_inflate(&source, CS_FLUSH_SYNC), CS_STREAM_END);
    CHECK_EQ(cs_inflate_end(&source), CS_OK);
    CHECK_EQ(cs_inflate(&copy, CS_FLUSH_SYNC), CS_STREAM_END);
    CHECK_EQ(cs_inflate_end(&copy), CS_OK);
    CHECK(memcmp(out[0], data, NBYTES) == 0 && memcmp(out[1], data, NBYTES) == 0);
    return 0;
}
