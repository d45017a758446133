/* SPDX-License-Identifier: Apache-2.0
 *
 * store_dir.c - the directory of the store, which one process owns, and the directories of the slots.
 */
#include "store_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_NAME "lock"

static void complain(const char *dir, const char *name, const char *what)
{
    fprintf(stderr, "libcside_token: %s%s%s: %s\n", dir, name[0] != '\0' ? "/" : "", name, what);
}

/* ---- the directory
 * --------------------------------------------------------------------------------------------------- */

static bool slot_path(const struct slot *slot, char out[PATH_MAX])
{
    int nbytes = snprintf(out, PATH_MAX, "%s/slot-%lu", module->store_dir, (unsigned long)slot->id);

    if (nbytes < 0 || nbytes >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return true;
}

void store_complain_slot(const struct slot *slot, const char *name, const char *what)
{
    char path[PATH_MAX] = "";

    slot_path(slot, path);
    complain(path, name, what);
}

int store_slot_open(const struct slot *slot)
{
    char path[PATH_MAX];

    return slot_path(slot, path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

void store_refuse(struct slot *slot, const char *name, const char *why)
{
    char path[PATH_MAX] = "";

    slot_path(slot, path);
    store_complain_slot(slot, name, why);
    fprintf(stderr,
            "libcside_token: slot %lu is refused, and no file of it is changed. Repair the cause and initialise the "
            "module again; or move %s away to begin with an empty token\n",
            (unsigned long)slot->id, path);
    slot->state = TOKEN_UNREADABLE;
}

/* Make a directory; if it is new, make its name durable in the directory above it. */
static bool make_dir(const char *path)
{
    char above[PATH_MAX];
    int nbytes = snprintf(above, sizeof above, "%s/..", path);
    int dir = -1;
    bool is_done = false;

    if (nbytes < 0 || (size_t)nbytes >= sizeof above) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (mkdir(path, 0700) != 0) {
        return errno == EEXIST;
    }
    dir = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0) {
        is_done = dir_sync(dir);
        close(dir);
    }
    return is_done;
}

static CK_RV own(const char *dir)
{
    char path[PATH_MAX];
    int nbytes = snprintf(path, sizeof path, "%s/" LOCK_NAME, dir);

    if (nbytes < 0 || (size_t)nbytes >= sizeof path) {
        complain(dir, "", strerror(ENAMETOOLONG));
        return CKR_GENERAL_ERROR;
    }
    module->store_lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (module->store_lock < 0) {
        complain(dir, LOCK_NAME, strerror(errno));
        return CKR_GENERAL_ERROR;
    }
    if (flock(module->store_lock, LOCK_EX | LOCK_NB) != 0) {
        complain(dir, LOCK_NAME,
                 errno == EWOULDBLOCK
                     ? "another process uses this store, which only one may do. Wait until that process calls "
                       "C_Finalize or ends (fuser shows it), or name another directory in CSIDE_TOKEN_DIR"
                     : strerror(errno));
        return CKR_GENERAL_ERROR;
    }
    return CKR_OK;
}

CK_RV store_open(void)
{
    const char *dir = getenv("CSIDE_TOKEN_DIR");
    char path[PATH_MAX] = "";
    CK_RV rv = CKR_OK;

    if (dir == NULL || dir[0] == '\0') {
        return CKR_OK;
    }
    module->store_dir = strdup(dir);
    if (module->store_dir == NULL) {
        return CKR_HOST_MEMORY;
    }
    if (!make_dir(dir)) {
        complain(dir, "", strerror(errno));
        return CKR_GENERAL_ERROR;
    }
    rv = own(dir);
    for (CK_ULONG i = 0; i < module->slot_count && rv == CKR_OK; i++) {
        if (!slot_path(&module->slots[i], path) || !make_dir(path)) {
            complain(dir, "", strerror(errno));
            rv = CKR_GENERAL_ERROR;
        }
    }
    return rv;
}

void store_close(void)
{
    if (module->store_lock >= 0) {
        close(module->store_lock); /* which unlocks it */
    }
    module->store_lock = -1;
    free(module->store_dir);
    module->store_dir = NULL;
}
