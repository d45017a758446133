/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: misuse or bad input that crashes, succeeds, or gives another status or text than the header says.
 */
#include "check.h"
#include "cside/codec.h"

static void texts(void)
{
    char text[300], small[10], message[300];

    cs_codec_error_text(CS_E_DATA, "while decompressing data", "incorrect header check", text, sizeof text);
    CHECK_TEXT(text, "Error -3 while decompressing data: incorrect header check");
    cs_codec_error_text(CS_E_BUFFER, "while decompressing data", NULL, text, sizeof text);
    CHECK_TEXT(text, "Error -5 while decompressing data: incomplete or truncated stream");
    cs_codec_error_text(CS_E_STREAM, "while compressing data", NULL, text, sizeof text);
    CHECK_TEXT(text, "Error -2 while compressing data: inconsistent stream state");
    cs_codec_error_text(CS_E_DATA, "while setting zdict", NULL, text, sizeof text);
    CHECK_TEXT(text, "Error -3 while setting zdict: invalid input data");
    cs_codec_error_text(CS_NEED_DICT, "while decompressing data", NULL, text, sizeof text);
    CHECK_TEXT(text, "Error 2 while decompressing data");
    cs_codec_error_text(CS_E_VERSION, "while x", "something else", text, sizeof text);
    CHECK_TEXT(text, "Error -6 while x: library version mismatch");
    cs_codec_error_text(CS_E_DATA, "while decompressing data", NULL, small, sizeof small);
    CHECK_TEXT(small, "Error -3 ");
    cs_codec_error_text(CS_E_DATA, "while", NULL, small, 1);
    CHECK_TEXT(small, "");
    memset(message, 'm', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    cs_codec_error_text(CS_E_DATA, "d", message, text, sizeof text);
    CHECK_EQ(strlen(text), strlen("Error -3 d: ") + 200);
}

static void one_shots(void)
{
    uint8_t in[64] = "123", out[64];
    size_t nbytes = 1234, used = 4321;

    CHECK_EQ(cs_compress(in, 3, out, sizeof out, 10, 15, &nbytes), CS_E_STREAM);
    CHECK_EQ(cs_compress(in, 3, out, sizeof out, -2, 15, &nbytes), CS_E_STREAM);
    CHECK_EQ(cs_compress(in, 3, out, sizeof out, 6, 0, &nbytes), CS_E_STREAM);
    CHECK_EQ(cs_compress(in, 3, out, sizeof out, 6, 47, &nbytes), CS_E_STREAM);
    CHECK_EQ(cs_compress(in, 3, NULL, 0, 6, 15, &nbytes), CS_E_TOO_SMALL);
    CHECK_EQ(cs_decompress(in, 3, out, sizeof out, 99, &nbytes, &used), CS_E_STREAM);
    CHECK_EQ(cs_decompress(in, 3, out, sizeof out, INT32_MIN, &nbytes, &used), CS_E_STREAM);
    CHECK_EQ(cs_decompress(in, 3, out, sizeof out, 15, &nbytes, &used), CS_E_DATA);
    CHECK_EQ(cs_decompress(NULL, 0, out, sizeof out, 15, &nbytes, &used), CS_E_BUFFER);
    CHECK_EQ(cs_decompress(NULL, 0, NULL, 0, 15, &nbytes, &used), CS_E_BUFFER);
    CHECK(nbytes == 1234 && used == 4321);
    CHECK_EQ(cs_compress(NULL, 0, out, sizeof out, 6, 15, &nbytes), CS_OK);
    CHECK_EQ(cs_decompress(out, nbytes, NULL, 0, 15, &nbytes, &used), CS_OK);
    CHECK_EQ(nbytes, 0);
}

/* NULL with a size is an error, as in zlib, and not an empty buffer: nothing is read or written. */
static void null_buffers(void)
{
    uint8_t in[400] = {1}, out[800], packed[800];
    size_t nbytes = 1234, packed_nbytes = 0;
    cs_stream stream = {0};

    CHECK_EQ(cs_compress(in, sizeof in, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    CHECK_EQ(cs_compress(in, sizeof in, NULL, 400, 6, 15, &nbytes), CS_E_STREAM);
    CHECK_EQ(cs_compress(NULL, 400, out, sizeof out, 6, 15, &nbytes), CS_E_STREAM);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, NULL, 400, 15, &nbytes, NULL), CS_E_STREAM);
    CHECK_EQ(cs_decompress(NULL, packed_nbytes, out, sizeof out, 15, &nbytes, NULL), CS_E_STREAM);
    CHECK_EQ(nbytes, 1234);

    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    CHECK_EQ(cs_deflate_set_dictionary(&stream, NULL, 10), CS_E_STREAM);
    stream.avail_in = sizeof in;
    stream.next_out = out;
    stream.avail_out = sizeof out;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_E_STREAM);
    stream.next_in = in;
    stream.next_out = NULL;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_E_STREAM);
    CHECK(stream.avail_in == sizeof in && stream.avail_out == sizeof out && stream.total_out == 0);
    stream.next_out = out;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END); /* the errors have not changed the stream */
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);

    stream = (cs_stream){.avail_in = packed_nbytes, .next_out = out, .avail_out = sizeof out};
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    CHECK_EQ(cs_inflate_set_dictionary(&stream, NULL, 10), CS_E_STREAM);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_E_STREAM);
    stream.next_in = packed;
    stream.next_out = NULL;
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_E_STREAM);
    stream.next_out = out;
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_STREAM_END);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
}

static void streams(void)
{
    uint8_t in[64] = "123", out[64];
    cs_stream stream = {.next_in = in, .avail_in = 3, .next_out = out, .avail_out = sizeof out};

    stream.message = "stale";
    CHECK_EQ(cs_deflate(NULL, CS_FLUSH_NONE), CS_E_STREAM);
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_NONE), CS_E_STREAM);
    CHECK(stream.message == NULL);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_E_STREAM);
    CHECK_EQ(cs_deflate_end(&stream), CS_E_STREAM);
    CHECK_EQ(cs_inflate_end(NULL), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(NULL, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(&stream, 10, CS_METHOD_DEFLATED, 15, 8, 0), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(&stream, 6, 7, 15, 8, 0), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 16, 8, 0), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 10, 0), CS_E_STREAM);
    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 5), CS_E_STREAM);
    CHECK_EQ(cs_inflate_init(&stream, 99), CS_E_STREAM);
    CHECK(stream.engine == NULL);

    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_E_STATE);
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_E_STATE);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_E_STREAM);
    CHECK_EQ(cs_inflate_end(&stream), CS_E_STREAM);
    CHECK_EQ(cs_deflate(&stream, -1), CS_E_STREAM);
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_TREES), CS_E_STREAM);
    CHECK_EQ(stream.avail_in, 3);
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_NONE), CS_OK);
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_NONE), CS_E_BUFFER);
    stream.next_out = NULL;
    stream.avail_out = 0;
    stream.next_in = NULL;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_SYNC), CS_E_BUFFER); /* NULL is valid where there is no room */
    CHECK(stream.next_out == NULL && stream.next_in == NULL);
    CHECK_EQ(cs_deflate_end(&stream), CS_E_DATA); /* with data pending */
    CHECK_EQ(cs_deflate_end(&stream), CS_E_STREAM);

    stream = (cs_stream){.next_in = in, .avail_in = 3, .next_out = out, .avail_out = sizeof out};
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_FULL), CS_E_STREAM);
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_SYNC), CS_E_DATA);
    CHECK_TEXT(stream.message, "incorrect header check");
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_SYNC), CS_E_DATA);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
    CHECK(stream.message == NULL);
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    stream.avail_in = 0;
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_FINISH), CS_E_BUFFER);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
}

/* Truncate a stream at every length, and change every byte: any status, no crash, no write after the room. */
static void damage(void)
{
    uint8_t in[3000], packed[4000], bad[4000], out[3000];
    size_t packed_nbytes = 0, out_nbytes = 0;

    check_fill(in, sizeof in);
    for (int32_t window_bits = -15; window_bits <= 31; window_bits += window_bits < 0 ? 30 : 16) {
        CHECK_EQ(cs_compress(in, sizeof in, packed, sizeof packed, 6, window_bits, &packed_nbytes), CS_OK);
        for (size_t cut = 0; cut < packed_nbytes; cut += 7)
            CHECK_EQ(cs_decompress(packed, cut, out, sizeof out, window_bits, &out_nbytes, NULL), CS_E_BUFFER);
        for (size_t i = 0; i < packed_nbytes; i += 5) {
            memcpy(bad, packed, packed_nbytes);
            bad[i] ^= (uint8_t)(1u << i % 8);
            out_nbytes = 0;
            cs_decompress(bad, packed_nbytes, out, sizeof out, window_bits, &out_nbytes, NULL);
            CHECK(out_nbytes <= sizeof out);
        }
    }
}

int main(void)
{
    texts();
    one_shots();
    null_buffers();
    streams();
    damage();
    CHECK(strchr(cs_engine_version(), '.') != NULL);
    CHECK(cs_engine_version()[0] == cs_engine_header_version()[0]);
    return 0;
}
