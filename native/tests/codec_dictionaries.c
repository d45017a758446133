/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a preset dictionary that is not used, is not requested, or is accepted though it is the wrong one.
 */
#include "check.h"
#include "cside/codec.h"

static const uint8_t dictionary[] = "the quick brown fox jumps over the lazy dog";
static const uint8_t data[] = "the lazy dog jumps over the quick brown fox";

static size_t pack(uint8_t *out, size_t room, int32_t window_bits, const uint8_t *preset, size_t preset_nbytes)
{
    cs_stream stream = {.next_in = data, .avail_in = sizeof data, .next_out = out, .avail_out = room};

    CHECK_EQ(cs_deflate_init(&stream, 9, CS_METHOD_DEFLATED, window_bits, 8, 0), CS_OK);
    if (preset != NULL)
        CHECK_EQ(cs_deflate_set_dictionary(&stream, preset, preset_nbytes), CS_OK);
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    /* after the first cs_deflate() it is too late */
    CHECK_EQ(cs_deflate_set_dictionary(&stream, dictionary, sizeof dictionary), CS_E_STREAM);
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
    return (size_t)stream.total_out;
}

int main(void)
{
    uint8_t plain[200], packed[200], out[200];
    size_t plain_nbytes = pack(plain, sizeof plain, 15, NULL, 0);
    size_t packed_nbytes = pack(packed, sizeof packed, 15, dictionary, sizeof dictionary);
    size_t out_nbytes = 99;
    cs_stream stream = {.next_in = packed, .avail_in = packed_nbytes, .next_out = out, .avail_out = sizeof out};

    CHECK(packed_nbytes < plain_nbytes);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, out, sizeof out, 15, &out_nbytes, NULL), CS_NEED_DICT);
    CHECK_EQ(out_nbytes, 99);

    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_SYNC), CS_NEED_DICT);
    CHECK_EQ(stream.checksum, cs_adler32(1, dictionary, sizeof dictionary));
    CHECK_EQ(cs_inflate_set_dictionary(&stream, dictionary, sizeof dictionary - 1), CS_E_DATA);
    CHECK_EQ(cs_inflate_set_dictionary(&stream, NULL, 0), CS_E_DATA);
    CHECK_EQ(cs_inflate_set_dictionary(&stream, dictionary, sizeof dictionary), CS_OK);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_SYNC), CS_STREAM_END);
    CHECK(stream.total_out == sizeof data && memcmp(out, data, sizeof data) == 0);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);

    /* a raw stream: given at once, and never requested */
    packed_nbytes = pack(packed, sizeof packed, -15, dictionary, sizeof dictionary);
    stream = (cs_stream){.next_in = packed, .avail_in = packed_nbytes, .next_out = out, .avail_out = sizeof out};
    memset(out, 0, sizeof out);
    CHECK_EQ(cs_inflate_init(&stream, -15), CS_OK);
    CHECK_EQ(cs_inflate_set_dictionary(&stream, dictionary, sizeof dictionary), CS_OK);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    CHECK(stream.total_out == sizeof data && memcmp(out, data, sizeof data) == 0);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);

    /* formats and streams that cannot have one */
    stream = (cs_stream){0};
    CHECK_EQ(cs_deflate_set_dictionary(&stream, dictionary, 5), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 31, 8, 0), CS_OK);
    CHECK_EQ(cs_deflate_set_dictionary(&stream, dictionary, 5), CS_E_STREAM);
    CHECK_EQ(cs_inflate_set_dictionary(&stream, dictionary, 5), CS_E_STREAM); /* a stream of the other direction */
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    CHECK_EQ(cs_inflate_set_dictionary(&stream, dictionary, 5), CS_E_STREAM); /* it was not requested */
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
    CHECK_EQ(pack(packed, sizeof packed, 15, NULL, 0), pack(packed, sizeof packed, 15, dictionary, 0));
    return 0;
}
