/* SPDX-License-Identifier: Apache-2.0
 *
 * store_files.h - the files of a store, as the tests see them: a directory that is read into memory, written back, and
 * compared.
 */
#ifndef TOKEN_TESTS_STORE_FILES_H
#define TOKEN_TESTS_STORE_FILES_H

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "token.h"

#define SNAPSHOT_FILES_MAX 32
#define PATH_NBYTES 512

struct snapshot {
    int count;
    struct {
        char name[256]; /* NAME_MAX, and a zero */
        CK_BYTE *data;
        size_t nbytes;
    } files[SNAPSHOT_FILES_MAX];
};

static char store_dir[64];

/** Make an empty store, which the module uses from the next C_Initialize on. */
static inline void store_create(void)
{
    /* in memory if possible: no test is about the disk, and some call fsync(2) thousands of times */
    snprintf(store_dir, sizeof store_dir, "%s/cside-token-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(store_dir) != NULL);
    CHECK(setenv("CSIDE_TOKEN_DIR", store_dir, 1) == 0);
}

static inline void slot_path(CK_SLOT_ID slot_id, const char *name, char out[PATH_NBYTES])
{
    snprintf(out, PATH_NBYTES, "%s/slot-%lu%s%s", store_dir, slot_id, name[0] != '\0' ? "/" : "", name);
}

/** Call `each` for every file of the slot. Returns the number of files. */
static inline int store_each(CK_SLOT_ID slot_id, void (*each)(const char *path, const char *name))
{
    char path[PATH_NBYTES];
    int count = 0;
    DIR *dir = NULL;
    const struct dirent *entry = NULL;

    slot_path(slot_id, "", path);
    dir = opendir(path);
    CHECK(dir != NULL);
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            count++;
            slot_path(slot_id, entry->d_name, path);
            if (each != NULL) {
                each(path, entry->d_name);
            }
        }
    }
    closedir(dir);
    return count;
}

static inline void file_write(const char *path, const void *data, size_t nbytes)
{
    FILE *file = fopen(path, "wb");

    CHECK(file != NULL);
    CHECK_EQ(fwrite(data, 1, nbytes, file), nbytes);
    CHECK_EQ(fclose(file), 0);
}

static struct snapshot *snapshot_target;

static inline void snapshot_file(const char *path, const char *name)
{
    FILE *file = fopen(path, "rb");
    int at = snapshot_target->count++;
    struct stat status;

    CHECK(at < SNAPSHOT_FILES_MAX && file != NULL && fstat(fileno(file), &status) == 0);
    snprintf(snapshot_target->files[at].name, sizeof snapshot_target->files[at].name, "%s", name);
    snapshot_target->files[at].nbytes = (size_t)status.st_size;
    snapshot_target->files[at].data = check_alloc((size_t)status.st_size);
    CHECK_EQ(fread(snapshot_target->files[at].data, 1, (size_t)status.st_size, file), status.st_size);
    fclose(file);
}

static inline struct snapshot snapshot_take(CK_SLOT_ID slot_id)
{
    struct snapshot snapshot = {0};

    snapshot_target = &snapshot;
    store_each(slot_id, snapshot_file);
    snapshot_target = NULL;
    return snapshot;
}

static inline void snapshot_free(struct snapshot *snapshot)
{
    for (int i = 0; i < snapshot->count; i++) {
        free(snapshot->files[i].data);
    }
    snapshot->count = 0;
}

static inline void store_remove_file(const char *path, const char *name)
{
    CHECK(name[0] != '\0' && remove(path) == 0);
}

/** Write the files back, and remove all others. */
static inline void snapshot_restore(const struct snapshot *snapshot, CK_SLOT_ID slot_id)
{
    char path[PATH_NBYTES];

    store_each(slot_id, store_remove_file);
    for (int i = 0; i < snapshot->count; i++) {
        slot_path(slot_id, snapshot->files[i].name, path);
        file_write(path, snapshot->files[i].data, snapshot->files[i].nbytes);
    }
}

/** Whether the slot has exactly these files. */
static inline bool snapshot_holds(const struct snapshot *snapshot, CK_SLOT_ID slot_id)
{
    struct snapshot now = snapshot_take(slot_id);
    bool is_same = now.count == snapshot->count;

    for (int i = 0; i < snapshot->count; i++) {
        bool is_found = false;

        for (int at = 0; at < now.count; at++) {
            is_found = is_found || (strcmp(now.files[at].name, snapshot->files[i].name) == 0 &&
                                    now.files[at].nbytes == snapshot->files[i].nbytes &&
                                    memcmp(now.files[at].data, snapshot->files[i].data, now.files[at].nbytes) == 0);
        }
        is_same = is_same && is_found;
    }
    snapshot_free(&now);
    return is_same;
}

/** Remove the store with everything in it. */
static inline void store_destroy(void)
{
    char path[PATH_NBYTES];

    for (CK_SLOT_ID slot_id = 0; slot_id < 3; slot_id++) {
        store_each(slot_id, store_remove_file);
        slot_path(slot_id, "", path);
        CHECK_EQ(rmdir(path), 0);
    }
    snprintf(path, sizeof path, "%s/lock", store_dir);
    CHECK_EQ(remove(path), 0);
    CHECK_EQ(rmdir(store_dir), 0);
}

/** Make a data object that is stored. */
static inline CK_RV store_object(CK_SESSION_HANDLE session, const char *label, CK_OBJECT_HANDLE *out)
{
    CK_OBJECT_CLASS object_class = CKO_DATA;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_TOKEN, &yes, 1},
                               {CKA_LABEL, text(label), strlen(label)},
                               {CKA_VALUE, text("0123456789012345678901234567890123456789"), 40}};

    return p11->C_CreateObject(session, template, COUNT(template), out);
}

static inline CK_ULONG find_all(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *out, CK_ULONG room)
{
    CK_ULONG count = 0;

    OK(p11->C_FindObjectsInit(session, NULL, 0));
    OK(p11->C_FindObjects(session, out, room, &count));
    OK(p11->C_FindObjectsFinal(session));
    return count;
}

#endif
