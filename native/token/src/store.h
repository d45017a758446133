/* SPDX-License-Identifier: Apache-2.0
 *
 * store.h - stores tokens in the directory that CSIDE_TOKEN_DIR names. If it is not set, everything is in memory. All
 * functions are called with the module's lock held.
 *
 *   <dir>/lock                          locked (flock(2)) from C_Initialize to C_Finalize by the process that owns the
 *                                       store
 *   <dir>/slot-<n>/token                label, serial number and PINs
 *   <dir>/slot-<n>/token.next           likewise, while C_InitToken erases the objects of the former token
 *   <dir>/slot-<n>/<unique id>.object   an object
 *   <dir>/slot-<n>/….new                a file that is not complete; removed when the store is loaded
 *
 * A file is written under a temporary name, synced and renamed, and then the directory is synced. After a crash there is
 * the old file or the new one.
 *
 * CKR_OK means that a change is stored. On CKR_DEVICE_ERROR and CKR_DEVICE_MEMORY the store has its former contents; if
 * these could not be put back, the slot becomes unreadable until the next C_Initialize, so that nothing more is changed.
 *
 * A slot has no token if its directory has neither a token nor an object. If it has files that cannot be read as a token,
 * for whatever reason, it is unreadable: nothing in it is changed, and every function refuses it.
 */
#ifndef TOKEN_STORE_H
#define TOKEN_STORE_H

#include "objects.h"

#define STORE_FILE_MAX_NBYTES ((size_t)1 << 26)

/** Take the store for this process. CKR_GENERAL_ERROR: the directory cannot be used, or another process has it. The
 *  reason is written to stderr. */
CK_RV store_open(CK_ULONG slot_count);

/** Give the store back. A child of fork() calls it, too: it closes its copy of the lock. */
void store_close(void);

/** Read the files into the slots. What cannot be read is named on stderr. */
void store_load(struct slot *slots, CK_ULONG count);

/** Change label, serial number or PINs, in the store and in the slot. */
CK_RV store_token(struct slot *slot, const struct token *fresh);

/** Begin a new token, and erase all objects in the store. After CKR_OK this is final, also if the process ends: what is
 *  left to erase is erased by the next change or the next C_Initialize, and until then nothing else is stored. */
CK_RV store_initialize(struct slot *slot, const struct token *fresh);

/** Store a new object, or the new version of `previous`. CKR_DEVICE_MEMORY: it is too large. */
CK_RV store_object(const struct object *object, const struct object *previous);
CK_RV store_forget(const struct object *object);

#endif
