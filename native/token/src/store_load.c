/* SPDX-License-Identifier: Apache-2.0
 *
 * store_load.c - reads the files of the store into the slots.
 */
#include "store_layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the token
 * ------------------------------------------------------------------------------------------------------- */

/* Read a token. A slot whose token exists and cannot be read is refused. */
static enum file_state load_token(struct slot *slot, int dir, const char *name)
{
    struct bytes content = {0};
    enum file_state state = file_read(dir, name, STORE_FILE_MAX_NBYTES, &content);

    if (state == FILE_UNREADABLE) {
        store_refuse(slot, name, strerror(errno));
    } else if (state == FILE_READ && !parse_token(content.data, content.nbytes, &slot->token)) {
        store_refuse(slot, name, "this is not a token, or it is damaged");
        state = FILE_UNREADABLE;
    } else if (state == FILE_READ) {
        slot->state = TOKEN_GOOD;
    }
    bytes_free(&content);
    return state;
}

/* ---- the objects
 * ----------------------------------------------------------------------------------------------------- */

static void load_object(struct slot *slot, int dir, const char *name)
{
    struct bytes content = {0};
    enum file_state state = file_read(dir, name, STORE_FILE_MAX_NBYTES, &content);
    struct object *object = NULL;
    char expected[OBJECT_NAME_NBYTES];
    const char *problem = state == FILE_READ ? NULL : strerror(errno);

    if (state == FILE_READ) {
        object = parse_object(content.data, content.nbytes, slot);
        problem = object == NULL ? "this is not an object of this token, or it is damaged; left alone" : NULL;
    }
    if (object != NULL) {
        store_object_name(object, expected);
        problem = strcmp(name, expected) != 0 ? "this object has another name; left alone" : NULL;
    }
    if (object != NULL && problem == NULL && object_link(object) != CKR_OK) {
        problem = "there are too many objects";
    }
    if (problem != NULL) {
        store_complain_slot(slot, name, problem);
        object_free(object);
    }
    bytes_free(&content);
}

/* A file of a slot with a token. A process that was killed left the incomplete files. */
static bool load_file(void *context, int dir, const char *name)
{
    if (store_is_object_name(name)) {
        load_object(context, dir, name);
    } else if (store_is_temporary(name) && !file_remove(dir, name)) {
        store_complain_slot(context, name, strerror(errno));
    }
    return true;
}

/* A file of a slot without a token. */
static bool check_no_object(void *context, int dir, const char *name)
{
    bool is_of_token = strncmp(name, TOKEN_NAME, strlen(TOKEN_NAME)) == 0;

    if (store_is_object_name(name) || (store_is_temporary(name) && !is_of_token)) {
        store_refuse(context, name, "there is an object, and no token");
        return false;
    }
    return !store_is_temporary(name) || file_remove(dir, name);
}

static void load_slot(struct slot *slot, int dir)
{
    enum file_state state = load_token(slot, dir, TOKEN_NEXT_NAME);

    if (state == FILE_READ) {
        slot->is_erasing = true;
        store_finish_erasing(slot);
        return;
    }
    if (state == FILE_ABSENT) {
        state = load_token(slot, dir, TOKEN_NAME);
    }
    if (state == FILE_UNREADABLE) {
        return;
    }
    errno = 0;
    if (!dir_each(dir, state == FILE_READ ? load_file : check_no_object, slot) && slot->state != TOKEN_UNREADABLE) {
        store_refuse(slot, "", strerror(errno));
    }
    if (slot->state == TOKEN_UNREADABLE) {
        objects_forget(slot);
    }
}

void store_load(struct slot *slots, CK_ULONG count)
{
    for (CK_ULONG i = 0; store_is_used() && i < count; i++) {
        struct slot *slot = &slots[i];
        int dir = store_slot_open(slot);

        if (dir < 0) {
            store_refuse(slot, "", strerror(errno));
        } else {
            load_slot(slot, dir);
            close(dir);
        }
    }
}
