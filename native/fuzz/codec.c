/* SPDX-License-Identifier: Apache-2.0
 *
 * codec.c - the codec, and zlib beside it with the same calls: statuses, bytes, and what is left must be the same.
 */
#include "fuzz.h"

#define ZLIB_CONST
#include <zlib.h>

#include "cside/codec.h"

#define ROOM_NBYTES 4096
#define INPUT_NBYTES 4096

static const int8_t window_bits[] = {15, -15, 31, 47, 0, 9, -9, 25, 40, 8, -8, 24, 16, 32, 48, 1};

static int32_t take_window_bits(struct input *input)
{
    return window_bits[take_byte(input) % (sizeof window_bits / sizeof window_bits[0])];
}

/* ---- one call ---- */

static void compress_whole(struct input *input)
{
    int32_t level = (int32_t)(take_byte(input) % 13) - 2, bits = take_window_bits(input);
    size_t room = take_number(input) % (2 * ROOM_NBYTES), in_nbytes = INPUT_NBYTES, made = 0;
    uint8_t *in = take_bytes(input, &in_nbytes), *out = malloc(room), *expected = malloc(room + 1);
    cs_status status = cs_compress(in, in_nbytes, out, room, level, bits, &made);
    z_stream z = {0};
    int code = deflateInit2(&z, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY);

    if (code == Z_OK) {
        z.next_in = in != NULL ? in : expected;
        z.avail_in = (uInt)in_nbytes;
        z.next_out = expected;
        z.avail_out = (uInt)room;
        code = deflate(&z, Z_FINISH);
        deflateEnd(&z);
        if (code == Z_STREAM_END) {
            MUST(status == CS_OK && made == z.total_out && memcmp(out, expected, made) == 0);
            MUST(made <= cs_compress_bound(in_nbytes));
        } else {
            MUST(status == CS_E_TOO_SMALL);
        }
    } else {
        MUST(status == code);
    }
    free(in), free(out), free(expected);
}

static void decompress_whole(struct input *input)
{
    int32_t bits = take_window_bits(input);
    size_t room = take_number(input) % ROOM_NBYTES, in_nbytes = INPUT_NBYTES, made = 0, used = 0;
    uint8_t *in = take_bytes(input, &in_nbytes), *out = malloc(room), *expected = malloc(room + 1);
    cs_status status = cs_decompress(in, in_nbytes, out, room, bits, &made, &used);
    z_stream z = {0};
    int code = inflateInit2(&z, bits);

    if (code == Z_OK) {
        z.next_in = in != NULL ? in : expected;
        z.avail_in = (uInt)in_nbytes;
        z.next_out = expected;
        z.avail_out = (uInt)room;
        do {
            code = inflate(&z, Z_NO_FLUSH);
        } while (code == Z_OK);
        if (code == Z_BUF_ERROR && z.avail_out == 0) { /* does one byte more change it? */
            z.next_out = expected + room;
            z.avail_out = 1;
            code = inflate(&z, Z_NO_FLUSH);
            code = z.avail_out == 0 ? CS_E_TOO_SMALL : code == Z_OK ? Z_BUF_ERROR : code;
        }
        inflateEnd(&z);
        MUST(status == (code == Z_STREAM_END ? CS_OK : code));
        MUST(status != CS_OK || (made == z.total_out && used == z.total_in && memcmp(out, expected, made) == 0));
    } else {
        MUST(status == code);
    }
    free(in), free(out), free(expected);
}

/* ---- streams ---- */

/* A stream of ours and one of zlib, to which the same happens. */
struct pair {
    cs_stream ours;
    z_stream zlib;
    bool deflates;
    uint64_t in_nbytes; /* zlib's own totals lack the call that asks for a dictionary */
    uint64_t out_nbytes;
};

static bool begin(struct pair *pair, struct input *input)
{
    int32_t bits = take_window_bits(input);
    int status = 0, code = 0;

    *pair = (struct pair){.deflates = take_byte(input) % 2 == 0};
    if (pair->deflates) {
        int32_t level = (int32_t)(take_byte(input) % 13) - 2, memory = take_byte(input) % 11;
        int32_t strategy = take_byte(input) % 6;

        status = cs_deflate_init(&pair->ours, level, CS_METHOD_DEFLATED, bits, memory, strategy);
        code = deflateInit2(&pair->zlib, level, Z_DEFLATED, bits, memory, strategy);
    } else {
        status = cs_inflate_init(&pair->ours, bits);
        code = inflateInit2(&pair->zlib, bits);
    }
    MUST(status == code);
    MUST((pair->ours.engine != NULL) == (code == Z_OK));
    return code == Z_OK;
}

static void end(struct pair *pair)
{
    if (pair->deflates) {
        int code = deflateEnd(&pair->zlib);
        MUST(cs_deflate_end(&pair->ours) == code);
    } else {
        int code = inflateEnd(&pair->zlib);
        MUST(cs_inflate_end(&pair->ours) == code);
    }
    MUST(pair->ours.engine == NULL);
}

static void call(struct pair *pair, struct input *input)
{
    static const int8_t flushes[] = {0, 2, 4, 0, 1, 3, 5, 6, -1};
    int flush = flushes[take_byte(input) % (pair->deflates ? sizeof flushes : 4)];
    size_t room = take_number(input) % ROOM_NBYTES, in_nbytes = take_number(input) % INPUT_NBYTES;
    uint8_t *in = take_bytes(input, &in_nbytes), *out = malloc(room), *expected = malloc(room + 1);
    int status = 0, code = 0;

    pair->ours.next_in = in;
    pair->ours.next_out = out;
    pair->ours.avail_in = in_nbytes;
    pair->ours.avail_out = room;
    pair->zlib.next_in = in != NULL ? in : expected;
    pair->zlib.next_out = expected;
    pair->zlib.avail_in = (uInt)in_nbytes;
    pair->zlib.avail_out = (uInt)room;
    status = pair->deflates ? cs_deflate(&pair->ours, flush) : cs_inflate(&pair->ours, flush);
    code = pair->deflates ? deflate(&pair->zlib, flush) : inflate(&pair->zlib, flush);
    MUST(status == code);
    MUST(pair->ours.avail_in == pair->zlib.avail_in && pair->ours.avail_out == pair->zlib.avail_out);
    pair->in_nbytes += in_nbytes - pair->zlib.avail_in;
    pair->out_nbytes += room - pair->zlib.avail_out;
    MUST(pair->ours.total_in == pair->in_nbytes && pair->ours.total_out == pair->out_nbytes);
    MUST(code < 0 || pair->ours.checksum == (uint32_t)pair->zlib.adler);
    MUST(room == 0 || memcmp(out, expected, room - pair->zlib.avail_out) == 0);
    free(in), free(out), free(expected);
}

static void set_dictionary(struct pair *pair, struct input *input, bool is_used)
{
    size_t nbytes = take_number(input) % INPUT_NBYTES;
    uint8_t *dictionary = take_bytes(input, &nbytes), none = 0;
    const uint8_t *given = dictionary != NULL ? dictionary : &none;

    if (!pair->deflates) {
        int code = inflateSetDictionary(&pair->zlib, given, (uInt)nbytes);
        MUST(cs_inflate_set_dictionary(&pair->ours, dictionary, nbytes) == code);
    } else if (!is_used) { /* zlib takes one later, too, for a raw stream; ours does not, as codec.h says */
        int code = deflateSetDictionary(&pair->zlib, given, (uInt)nbytes);
        MUST(cs_deflate_set_dictionary(&pair->ours, dictionary, nbytes) == code);
    }
    free(dictionary);
}

/* Make a copy of both streams, and end the originals. */
static void copy_to(struct pair *to, struct pair *from)
{
    *to = (struct pair){.deflates = from->deflates, .in_nbytes = from->in_nbytes, .out_nbytes = from->out_nbytes};
    if (from->deflates)
        MUST(deflateCopy(&to->zlib, &from->zlib) == Z_OK && cs_deflate_copy(&to->ours, &from->ours) == CS_OK);
    else
        MUST(inflateCopy(&to->zlib, &from->zlib) == Z_OK && cs_inflate_copy(&to->ours, &from->ours) == CS_OK);
    end(from);
}

/* Go on with a copy of a copy, since streams may not be moved. */
static void copy(struct pair *pair)
{
    struct pair fresh;

    copy_to(&fresh, pair);
    copy_to(pair, &fresh);
}

static void stream(struct input *input)
{
    struct pair pair;
    bool is_used = false;

    if (!begin(&pair, input))
        return;
    while (input->nbytes > 0) {
        switch (take_byte(input) % 8) {
        case 0:
            copy(&pair);
            break;
        case 1:
            set_dictionary(&pair, input, is_used);
            break;
        default:
            call(&pair, input);
            is_used = true;
        }
    }
    end(&pair);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct input input = {data, nbytes};

    switch (take_byte(&input) % 4) {
    case 0:
        compress_whole(&input);
        break;
    case 1:
        decompress_whole(&input);
        break;
    default:
        stream(&input);
    }
    return 0;
}
