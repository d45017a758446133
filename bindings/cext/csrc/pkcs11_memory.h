/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_memory.h - memory, references and buffers that the arguments of one call need.
 */
#ifndef CSIDE_CEXT_PKCS11_MEMORY_H
#define CSIDE_CEXT_PKCS11_MEMORY_H

#include "interpreter.h"

#include "cside/pkcs11.h"

#include <stddef.h>

/** A `void *` to constant data. PKCS #11 functions take their inputs without const. */
#define PKCS11_POINTER(data) ((void *)(uintptr_t)(data))

/** Bytes of memory that are part of the hold itself, and so on the stack. */
#define PKCS11_HOLD_SMALL 2048

/** The memory, references and buffers that the arguments of one call need in C. All are released together. */
typedef struct pkcs11_hold {
    struct pkcs11_held *held;
    struct pkcs11_block *blocks;
    size_t used; /**< bytes in use of the newest block, or of `small` if there is no block */
    max_align_t small[PKCS11_HOLD_SMALL / sizeof(max_align_t)];
} pkcs11_hold;

static inline void pkcs11_hold_start(pkcs11_hold *hold)
{
    hold->held = NULL;
    hold->blocks = NULL;
    hold->used = 0;
}

/** Memory for any type, not initialised; NULL with MemoryError. */
void *pkcs11_hold_memory(pkcs11_hold *hold, size_t nbytes);

/** Take over a reference. Returns 0, or -1 with an exception set; NULL means that an exception is set already. */
int pkcs11_hold_object(pkcs11_hold *hold, PyObject *object);

/** Get the bytes of any contiguous buffer; None gives NULL and 0. The buffer is held, except that of an exact `bytes`,
 *  to which the caller's arguments have a reference. Returns 0, or -1 with an exception set. */
int pkcs11_hold_bytes(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes);

/** Get a buffer to write into, which is held. Returns 0, or -1 with an exception set. */
int pkcs11_hold_writable(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes);

void pkcs11_hold_release_slow(pkcs11_hold *hold);

/** Release everything. */
static inline void pkcs11_hold_release(pkcs11_hold *hold)
{
    if (hold->held != NULL || hold->blocks != NULL) {
        pkcs11_hold_release_slow(hold);
    }
}

#endif
