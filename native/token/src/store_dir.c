/* SPDX-License-Identifier: Apache-2.0
 *
 * store_dir.c - the names in the store; its directory, which one process owns, and the directories of the slots.
 */
#include "store_layout.h"

#include "environment.h"

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

/* The store of this process, from C_Initialize to C_Finalize; guarded by the module's lock. */
static struct {
    char *path; /* NULL if everything is in memory */
    int lock;
} place = {NULL, -1};

bool store_is_used(void)
{
    return place.path != NULL;
}

static void complain(const char *dir, const char *name, const char *what)
{
    fprintf(stderr, "libcside_token: %s%s%s: %s\n", dir, name[0] != '\0' ? "/" : "", name, what);
}

/* ---- names
 * ---------------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t name_nbytes = strlen(name);
    size_t suffix_nbytes = strlen(suffix);

    return name_nbytes > suffix_nbytes && strcmp(name + name_nbytes - suffix_nbytes, suffix) == 0;
}

bool store_is_object_name(const char *name)
{
    return strlen(name) == ID_NBYTES + strlen(OBJECT_SUFFIX) && strspn(name, "0123456789abcdef") == ID_NBYTES &&
           ends_with(name, OBJECT_SUFFIX);
}

bool store_is_temporary(const char *name)
{
    char complete[OBJECT_NAME_NBYTES];
    size_t nbytes = strlen(name);

    if (!ends_with(name, FILE_NEW_SUFFIX) || nbytes - strlen(FILE_NEW_SUFFIX) >= sizeof complete) {
        return false;
    }
    snprintf(complete, sizeof complete, "%.*s", (int)(nbytes - strlen(FILE_NEW_SUFFIX)), name);
    return store_is_object_name(complete) || strcmp(complete, TOKEN_NAME) == 0 ||
           strcmp(complete, TOKEN_NEXT_NAME) == 0;
}

void store_object_name(const struct object *object, char out[OBJECT_NAME_NBYTES])
{
    const struct attribute *id = attribute_find(object, CKA_UNIQUE_ID);

    snprintf(out, OBJECT_NAME_NBYTES, "%.*s" OBJECT_SUFFIX, ID_NBYTES, (const char *)attribute_bytes(id));
}

/* ---- the directory
 * --------------------------------------------------------------------------------------------------- */

static bool slot_path(CK_SLOT_ID slot_id, char out[PATH_MAX])
{
    int nbytes = snprintf(out, PATH_MAX, "%s/slot-%lu", place.path, (unsigned long)slot_id);

    if (nbytes < 0 || nbytes >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return true;
}

void store_complain_slot(const struct slot *slot, const char *name, const char *what)
{
    char path[PATH_MAX] = "";

    slot_path(slot->id, path);
    complain(path, name, what);
}

int store_slot_open(const struct slot *slot)
{
    char path[PATH_MAX];

    return slot_path(slot->id, path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

void store_refuse(struct slot *slot, const char *name, const char *why)
{
    char path[PATH_MAX] = "";

    slot_path(slot->id, path);
    store_complain_slot(slot, name, why);
    fprintf(
        stderr,
        "libcside_token: slot %lu is refused, and its files are left as they are. Repair the cause and initialise the "
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
    place.lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (place.lock < 0) {
        complain(dir, LOCK_NAME, strerror(errno));
        return CKR_GENERAL_ERROR;
    }
    if (flock(place.lock, LOCK_EX | LOCK_NB) != 0) {
        complain(dir, LOCK_NAME,
                 errno == EWOULDBLOCK
                     ? "another process uses this store, which only one may do. Wait until that process calls "
                       "C_Finalize or ends (fuser shows it), or name another directory in CSIDE_TOKEN_DIR"
                     : strerror(errno));
        return CKR_GENERAL_ERROR;
    }
    return CKR_OK;
}

CK_RV store_open(CK_ULONG slot_count)
{
    const char *dir = cs_environment("CSIDE_TOKEN_DIR");
    char path[PATH_MAX] = "";
    CK_RV rv = CKR_OK;

    if (dir == NULL) {
        return CKR_OK;
    }
    place.path = strdup(dir);
    if (place.path == NULL) {
        return CKR_HOST_MEMORY;
    }
    if (!make_dir(dir)) {
        complain(dir, "", strerror(errno));
        return CKR_GENERAL_ERROR;
    }
    rv = own(dir);
    for (CK_ULONG i = 0; i < slot_count && rv == CKR_OK; i++) {
        if (!slot_path(i, path) || !make_dir(path)) {
            complain(dir, "", strerror(errno));
            rv = CKR_GENERAL_ERROR;
        }
    }
    return rv;
}

void store_close(void)
{
    if (place.lock >= 0) {
        close(place.lock); /* which unlocks it */
    }
    place.lock = -1;
    free(place.path);
    place.path = NULL;
}
