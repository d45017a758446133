/* SPDX-License-Identifier: Apache-2.0
 *
 * fake.h - a PKCS #11 module that remembers what it is called with, and does what it is told to.
 */
#ifndef CSIDE_TESTS_FAKE_H
#define CSIDE_TESTS_FAKE_H

#include <stdint.h>

#include <cside/pkcs11.h>

#define FAKE_ARGUMENTS 16

typedef struct fake_state {
    uint64_t calls;
    const char *function; /* the last one, as "C_Sign" */
    unsigned arguments_count;
    uintptr_t arguments[FAKE_ARGUMENTS];
    CK_RV answer;              /* CKR_OK unless told otherwise … */
    int answer_by_name;        /* … or one that each function has to itself */
    CK_ULONG written;          /* what C_Sign and others say that they wrote … */
    int write;                 /* … if they shall */
    int error_number;          /* what errno is set to */
    CK_C_INITIALIZE_ARGS args; /* what C_Initialize was given, where it is told to look (look_at_args) */
    int look_at_args;
    int has_args;
} fake_state;

/** The return value of a function with answer_by_name. */
static inline CK_RV fake_answer(const char *function)
{
    CK_RV answer = 5381;

    for (; *function != '\0'; function++)
        answer = (answer * 33 + (unsigned char)*function) & 0xFFFFFF;
    return CKR_VENDOR_DEFINED | answer;
}

/** Exported by the module under this name: the state of its one instance. */
typedef fake_state *(*fake_state_fn)(void);

#endif
