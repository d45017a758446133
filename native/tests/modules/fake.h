/* SPDX-License-Identifier: Apache-2.0
 *
 * fake.h - a PKCS #11 module that records its arguments, and returns what a test sets.
 */
#ifndef CSIDE_TESTS_FAKE_H
#define CSIDE_TESTS_FAKE_H

#include <stdint.h>

#include <cside/pkcs11.h>

#define FAKE_ARGUMENTS 16

typedef struct fake_state {
    uint64_t calls;
    const char *function; /* the last function that was called, as "C_Sign" */
    unsigned arguments_count;
    uintptr_t arguments[FAKE_ARGUMENTS];
    CK_RV answer;              /* the return value, CKR_OK unless a test sets another … */
    int answer_by_name;        /* … or a different return value for each function */
    CK_ULONG written;          /* the length that C_Sign and others report … */
    int write;                 /* … if this is set */
    int error_number;          /* the value that errno is set to */
    CK_C_INITIALIZE_ARGS args; /* the argument of C_Initialize, if look_at_args is set */
    int look_at_args;
    int has_args;
    void (*when_asked)(void);                  /* called by C_GetFunctionList, unless it is NULL */
    void (*when_called)(const char *function); /* called by each other function, unless it is NULL */
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
