/* SPDX-License-Identifier: Apache-2.0
 *
 * store.c - the contents of the store's files. The checksum is made right, so that what it protects is read too. What was
 * read is written and read again, and is then the same.
 */
#include "store_format.h" /* before the next, which has another definition of CK_DECLARE_FUNCTION */

#include "token_input.h"

#define FILE_NBYTES 16384

static void check_token(const uint8_t *file, size_t nbytes)
{
    struct token token = {0};
    struct bytes again = {0};

    if (!parse_token(file, nbytes, &token))
        return;
    format_token(&again, &token);
    MUST(!again.failed && again.nbytes == nbytes && memcmp(again.data, file, nbytes) == 0);
    bytes_free(&again);
}

static void check_object(const uint8_t *file, size_t nbytes)
{
    struct object *object = parse_object(file, nbytes, module->slots);
    struct object *same = NULL;
    struct bytes written = {0}, again = {0};

    if (object == NULL)
        return;
    MUST(object->count > 0 && object->count <= object->capacity && object->is_token);
    format_object(&written, object);
    MUST(!written.failed);
    same = parse_object(written.data, written.nbytes, module->slots);
    MUST(same != NULL);
    format_object(&again, same);
    MUST(again.nbytes == written.nbytes && memcmp(again.data, written.data, written.nbytes) == 0);
    bytes_free(&written);
    bytes_free(&again);
    object_free(object);
    object_free(same);
}

/* The first byte says what the file is, and whether its frame is made right. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    static bool has_begun;
    struct input input = {data, nbytes};
    unsigned kind = take_byte(&input);
    size_t body_nbytes = FILE_NBYTES;
    uint8_t *body = take_bytes(&input, &body_nbytes);
    uint8_t *file = malloc(MAGIC_NBYTES + body_nbytes + SUM_NBYTES);

    if (!has_begun)
        token_begin("safe");
    has_begun = true;
    MUST(file != NULL);
    if ((kind & 2) != 0) { /* as it is */
        if ((kind & 1) != 0)
            check_token(body, body_nbytes);
        else
            check_object(body, body_nbytes);
    } else {
        memcpy(file, (kind & 1) != 0 ? format_token_magic : format_object_magic, MAGIC_NBYTES);
        if (body_nbytes > 0)
            memcpy(file + MAGIC_NBYTES, body, body_nbytes);
        MUST(format_sum(file, MAGIC_NBYTES + body_nbytes, file + MAGIC_NBYTES + body_nbytes));
        if ((kind & 1) != 0)
            check_token(file, MAGIC_NBYTES + body_nbytes + SUM_NBYTES);
        else
            check_object(file, MAGIC_NBYTES + body_nbytes + SUM_NBYTES);
    }
    free(body);
    free(file);
    return 0;
}

#ifdef CSIDE_FUZZ
size_t LLVMFuzzerMutate(uint8_t *data, size_t nbytes, size_t max_nbytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t nbytes, size_t max_nbytes, unsigned seed);

static uint32_t length_at(const uint8_t *wire)
{
    return (uint32_t)wire[0] << 24 | (uint32_t)wire[1] << 16 | (uint32_t)wire[2] << 8 | wire[3];
}

/* Half of the mutations change the value of one attribute together with its length, so that those after it stay what they
 * are; libFuzzer's own would seldom do both. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t nbytes, size_t max_nbytes, unsigned seed)
{
    static uint8_t value[FILE_NBYTES];
    size_t starts[64], count = 0, start = 0, old_nbytes = 0, room = 0, new_nbytes = 0, after = 0;

    for (size_t at = 1; at + 8 <= nbytes && count < 64; at += 8 + (size_t)length_at(data + at + 4)) {
        if (length_at(data + at + 4) > nbytes - at - 8)
            break;
        starts[count++] = at;
    }
    if (seed % 2 == 0 || count == 0)
        return LLVMFuzzerMutate(data, nbytes, max_nbytes);
    start = starts[seed / 2 % count];
    old_nbytes = length_at(data + start + 4);
    after = nbytes - start - 8 - old_nbytes;
    room = max_nbytes - nbytes + old_nbytes;
    if (room > sizeof value)
        room = sizeof value;
    if (old_nbytes > room)
        return LLVMFuzzerMutate(data, nbytes, max_nbytes);
    memcpy(value, data + start + 8, old_nbytes);
    if (room > 0)
        new_nbytes = LLVMFuzzerMutate(value, old_nbytes, room);
    memmove(data + start + 8 + new_nbytes, data + start + 8 + old_nbytes, after);
    memcpy(data + start + 8, value, new_nbytes);
    for (size_t i = 0; i < 4; i++)
        data[start + 4 + i] = (uint8_t)(new_nbytes >> 8 * (3 - i));
    return start + 8 + new_nbytes + after;
}
#endif
