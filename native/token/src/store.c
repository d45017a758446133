/* SPDX-License-Identifier: Apache-2.0
 *
 * store.c - changes of the files. store.h describes them.
 */
#include "store_layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- changes
 * --------------------------------------------------------------------------------------------------------- */

/* The directory of a slot whose store may be changed; -1 if it must not be, or cannot be opened. */
static int begin_change(struct slot *slot)
{
    if (slot->state == TOKEN_UNREADABLE || (slot->is_erasing && !store_finish_erasing(slot))) {
        return -1;
    }
    return store_slot_open(slot);
}

/* Make a change durable that was made in the directory. If that fails, put the former contents back, or remove the file
 * if there was none. What is put back need not be durable: after a crash either is right. */
static CK_RV settle(struct slot *slot, int dir, const char *name, const struct bytes *former)
{
    bool is_back = false;

    if (dir_sync(dir)) {
        return CKR_OK;
    }
    is_back = former == NULL ? file_remove(dir, name) : !former->failed && file_replace(dir, name, former);
    if (!is_back) {
        store_refuse(slot, name, "a change could neither be made durable nor taken back");
    }
    return CKR_DEVICE_ERROR;
}

static CK_RV replace(struct slot *slot, const char *name, const struct bytes *content, const struct bytes *former)
{
    int dir = -1;
    CK_RV rv = CKR_DEVICE_ERROR;

    if (content->failed || (former != NULL && former->failed)) {
        return CKR_HOST_MEMORY;
    }
    if (content->nbytes > STORE_FILE_MAX_NBYTES) {
        return CKR_DEVICE_MEMORY; /* it could not be read again */
    }
    dir = begin_change(slot);
    if (dir >= 0) {
        if (file_replace(dir, name, content)) {
            rv = settle(slot, dir, name, former);
        }
        close(dir);
    }
    return rv;
}

CK_RV store_token(struct slot *slot, const struct token *fresh)
{
    struct bytes content = {0};
    struct bytes former = {0};
    CK_RV rv = CKR_OK;

    if (store_is_used()) {
        format_token(&content, fresh);
        format_token(&former, &slot->token);
        rv = replace(slot, TOKEN_NAME, &content, &former);
        bytes_free(&content);
        bytes_free(&former);
    }
    if (rv == CKR_OK) {
        slot->token = *fresh;
    }
    return rv;
}

CK_RV store_object(const struct object *object, const struct object *previous)
{
    struct bytes content = {0};
    struct bytes former = {0};
    char name[OBJECT_NAME_NBYTES];
    CK_RV rv = CKR_OK;

    if (!store_is_used() || !object->is_token) {
        return CKR_OK;
    }
    store_object_name(object, name);
    format_object(&content, object);
    if (previous != NULL) {
        format_object(&former, previous);
    }
    rv = replace(object->slot, name, &content, previous != NULL ? &former : NULL);
    bytes_free(&content);
    bytes_free(&former);
    return rv;
}

CK_RV store_forget(const struct object *object)
{
    struct bytes former = {0};
    char name[OBJECT_NAME_NBYTES];
    int dir = -1;
    CK_RV rv = CKR_DEVICE_ERROR;

    if (!store_is_used() || !object->is_token) {
        return CKR_OK;
    }
    store_object_name(object, name);
    format_object(&former, object);
    dir = begin_change(object->slot);
    if (dir >= 0) {
        if (!former.failed && file_remove(dir, name)) {
            rv = settle(object->slot, dir, name, &former);
        }
        close(dir);
    }
    bytes_free(&former);
    return rv;
}

/* ---- a new token
 * ----------------------------------------------------------------------------------------------------- */

CK_RV store_initialize(struct slot *slot, const struct token *fresh)
{
    struct bytes content = {0};
    CK_RV rv = CKR_OK;

    if (store_is_used()) {
        format_token(&content, fresh);
        rv = replace(slot, TOKEN_NEXT_NAME, &content, NULL);
        bytes_free(&content);
    }
    if (rv == CKR_OK) { /* there is no way back from here */
        slot->token = *fresh;
        slot->state = TOKEN_GOOD;
        slot->is_erasing = store_is_used();
        if (slot->is_erasing) {
            store_finish_erasing(slot);
        }
    }
    return rv;
}

static bool erase_object(void *context, int dir, const char *name)
{
    (void)context;
    return !(store_is_object_name(name) || store_is_temporary(name)) || file_remove(dir, name);
}

bool store_finish_erasing(struct slot *slot)
{
    int dir = store_slot_open(slot);
    bool is_done = dir >= 0 && dir_each(dir, erase_object, NULL) && dir_sync(dir) &&
                   (renameat(dir, TOKEN_NEXT_NAME, dir, TOKEN_NAME) == 0 || errno == ENOENT) && dir_sync(dir);

    if (!is_done) {
        store_complain_slot(slot, "", strerror(errno));
        store_complain_slot(slot, "", "objects of the former token are not erased yet; nothing else is stored before");
    }
    if (dir >= 0) {
        close(dir);
    }
    slot->is_erasing = !is_done;
    return is_done;
}
