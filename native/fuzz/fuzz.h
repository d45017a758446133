/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz.h - what the targets share: reading an input, and ending the process where something does not hold.
 */
#ifndef CSIDE_FUZZ_H
#define CSIDE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The target. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/** Something that must hold for every input. */
#define MUST(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort(); \
        } \
    } while (0)

/** The part of an input that was not read yet. */
struct input {
    const uint8_t *data;
    size_t nbytes;
};

/** The next byte; 0 at the end. */
static inline uint8_t take_byte(struct input *input)
{
    if (input->nbytes == 0)
        return 0;
    input->nbytes--;
    return *input->data++;
}

/** The next number, of two bytes. */
static inline unsigned take_number(struct input *input)
{
    unsigned high = take_byte(input);

    return high << 8 | take_byte(input);
}

/** The next bytes, at most `*io_nbytes`, which becomes their number. They are copied to memory of just that size, so that a
 *  sanitizer sees a read beyond it; the caller frees it. */
static inline uint8_t *take_bytes(struct input *input, size_t *io_nbytes)
{
    uint8_t *copy = NULL;

    *io_nbytes = *io_nbytes < input->nbytes ? *io_nbytes : input->nbytes;
    copy = malloc(*io_nbytes);
    MUST(copy != NULL || *io_nbytes == 0);
    if (*io_nbytes > 0)
        memcpy(copy, input->data, *io_nbytes);
    input->data += *io_nbytes;
    input->nbytes -= *io_nbytes;
    return copy;
}

#endif
