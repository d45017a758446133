/* SPDX-License-Identifier: Apache-2.0
 *
 * store_layout.h - what store.c and store_load.c share: the names of the files, and the refusal of a slot.
 */
#ifndef TOKEN_STORE_LAYOUT_H
#define TOKEN_STORE_LAYOUT_H

#include "store.h"
#include "store_files.h"
#include "store_format.h"

#define TOKEN_NAME "token"
#define TOKEN_NEXT_NAME "token.next"
#define OBJECT_SUFFIX ".object"
#define ID_NBYTES 32 /* hexadecimal digits of CKA_UNIQUE_ID */
#define OBJECT_NAME_NBYTES (ID_NBYTES + sizeof OBJECT_SUFFIX)

bool store_is_object_name(const char *name);
bool store_is_temporary(const char *name);
void store_object_name(const struct object *object, char out[OBJECT_NAME_NBYTES]);

/** Whether there is a store, or everything is in memory. */
bool store_is_used(void);

/** Open the slot's directory; -1 and errno if it cannot be opened. */
int store_slot_open(const struct slot *slot);

/** Write a message about a file of the slot, or about its directory if the name is empty, to stderr. */
void store_complain_slot(const struct slot *slot, const char *name, const char *what);

/** Make the slot unreadable. */
void store_refuse(struct slot *slot, const char *name, const char *why);

/** Erase what a former token left, after which the slot is not erasing any more. May be called again if it fails. */
bool store_finish_erasing(struct slot *slot);

#endif
