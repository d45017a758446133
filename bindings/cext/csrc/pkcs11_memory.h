/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_memory.h - memory, references and buffers that the arguments of one call need.
 */
#ifndef CSIDE_CEXT_PKCS11_MEMORY_H
#define CSIDE_CEXT_PKCS11_MEMORY_H

#include "interpreter.h"

#include "cside/pkcs11.h"

#include <stddef.h>

/** `void *` to the bytes of an input, which the library takes without const. */
#define PKCS11_POINTER(data) ((void *)(uintptr_t)(data))

#define PKCS11_HOLD_SMALL 2048

/** Memory and buffers that the C view of a call's arguments needs; all goes at once. */
typedef struct pkcs11_hold {
    struct pkcs11_held *held;
    struct pkcs11_block *blocks;
    size_t used; /**< of the newest block, or of `small` while there is none */
    max_align_t small[PKCS11_HOLD_SMALL / sizeof(max_align_t)];
} pkcs11_hold;

static inline void pkcs11_hold_start(pkcs11_hold *hold)
{
    hold->held = NULL;
    hold->blocks = NULL;
    hold->used = 0;
}

/** Memory for any type, not zeroed; NULL with MemoryError. */
void *pkcs11_hold_memory(pkcs11_hold *hold, size_t nbytes);

/** Take over a reference; NULL is a pending exception. */
int pkcs11_hold_object(pkcs11_hold *hold, PyObject *object);

/** Any contiguous buffer, or None for NULL and 0. An exact `bytes` is not held: the arguments do that. */
int pkcs11_hold_bytes(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes);

/** A buffer to write into. */
int pkcs11_hold_writable(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes);

void pkcs11_hold_release_slow(pkcs11_hold *hold);

static inline void pkcs11_hold_release(pkcs11_hold *hold)
{
    if (hold->held != NULL || hold->blocks != NULL) {
        pkcs11_hold_release_slow(hold);
    }
}

#endif
