/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h - checks for the test programs. A check that fails prints its place and ends the program.
 */
#ifndef CSIDE_TESTS_CHECK_H
#define CSIDE_TESTS_CHECK_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang tells of its sanitizers in another way than gcc does */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

/** The exit status that ctest reports as a skipped test. */
#define CHECK_SKIPPED 77

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

/** Check that two integers are equal. */
#define CHECK_EQ(actual, expected) \
    do { \
        int64_t check_actual = (int64_t)(actual), check_expected = (int64_t)(expected); \
        if (check_actual != check_expected) { \
            fprintf(stderr, "%s:%d: failed: %s is %" PRId64 ", not %s = %" PRId64 "\n", __FILE__, __LINE__, #actual, \
                    check_actual, #expected, check_expected); \
            exit(1); \
        } \
    } while (0)

/** Check that two texts are equal. */
#define CHECK_TEXT(actual, expected) \
    do { \
        const char *check_actual = (actual), *check_expected = (expected); \
        if (check_actual == NULL || strcmp(check_actual, check_expected) != 0) { \
            fprintf(stderr, "%s:%d: failed: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #actual, \
                    check_actual != NULL ? check_actual : "(NULL)", check_expected); \
            exit(1); \
        } \
    } while (0)

/** Allocate memory; the test fails if there is none. */
static inline void *check_alloc(size_t nbytes)
{
    void *memory = malloc(nbytes > 0 ? nbytes : 1);

    CHECK(memory != NULL);
    return memory;
}

/** Fill with data that compresses partly, the same on every run. */
static inline void check_fill(uint8_t *out, size_t out_nbytes)
{
    uint32_t state = 12345;

    for (size_t i = 0; i < out_nbytes; i++) {
        state = state * 1103515245u + 12345u;
        out[i] = (state >> 28) < 12 ? (uint8_t)("the quick brown fox "[i % 20]) : (uint8_t)(state >> 16);
    }
}

#endif
