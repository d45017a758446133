/* SPDX-License-Identifier: Apache-2.0
 *
 * store.c - reads and writes the files of the store. store.h describes them.
 */
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "environment.h"

#define FILE_MAX_NBYTES ((off_t)1 << 28)
#define OBJECT_SUFFIX ".object"
#define TOKEN_NAME "token"
#define ID_NBYTES 32 /* hexadecimal digits of CKA_UNIQUE_ID */

static bool slot_path(const struct slot *slot, char out[PATH_MAX])
{
    int nbytes = snprintf(out, PATH_MAX, "%s/slot-%lu", module->store_dir, (unsigned long)slot->id);

    return nbytes > 0 && nbytes < PATH_MAX;
}

static void complain(const char *dir, const char *name, const char *what)
{
    fprintf(stderr, "libcside_token: %s%s%s: %s\n", dir, name[0] != '\0' ? "/" : "", name, what);
}

CK_RV store_open(void)
{
    const char *dir = cs_environment("CSIDE_TOKEN_DIR");
    char path[PATH_MAX];

    if (dir == NULL) {
        return CKR_OK;
    }
    module->store_dir = strdup(dir);
    if (module->store_dir == NULL) {
        return CKR_HOST_MEMORY;
    }
    if (mkdir(dir, 0700) != 0 && errno != EEXIST) {
        complain(dir, "", strerror(errno));
        return CKR_GENERAL_ERROR;
    }
    for (CK_ULONG i = 0; i < module->slot_count; i++) {
        if (!slot_path(&module->slots[i], path)) {
            complain(dir, "", "the path is too long");
            return CKR_GENERAL_ERROR;
        }
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            complain(path, "", strerror(errno));
            return CKR_GENERAL_ERROR;
        }
    }
    return CKR_OK;
}

/* ---- write
 * ----------------------------------------------------------------------------------------------------------- */

static bool write_all(int file, const uint8_t *data, size_t nbytes)
{
    while (nbytes > 0) {
        ssize_t written = write(file, data, nbytes);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        nbytes -= (size_t)written;
    }
    return true;
}

/* Open the slot's directory. */
static int slot_open(const struct slot *slot)
{
    char path[PATH_MAX];

    return slot_path(slot, path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static CK_RV replace_file(const struct slot *slot, const char *name, const struct bytes *content)
{
    char temporary[ID_NBYTES + 32];
    int dir = -1;
    int file = -1;
    bool is_done = false;

    if (content->failed) {
        return CKR_HOST_MEMORY;
    }
    snprintf(temporary, sizeof temporary, "%s.new", name);
    dir = slot_open(slot);
    if (dir >= 0) {
        file = openat(dir, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    }
    if (file >= 0) {
        is_done = write_all(file, content->data, content->nbytes) && fsync(file) == 0;
        is_done = close(file) == 0 && is_done && renameat(dir, temporary, dir, name) == 0 && fsync(dir) == 0;
        if (!is_done) {
            unlinkat(dir, temporary, 0);
        }
    }
    if (dir >= 0) {
        close(dir);
    }
    return is_done ? CKR_OK : CKR_DEVICE_ERROR;
}

static void object_name(const struct object *object, char out[ID_NBYTES + 16])
{
    const struct attribute *id = attribute_find(object, CKA_UNIQUE_ID);

    snprintf(out, ID_NBYTES + 16, "%.*s" OBJECT_SUFFIX, ID_NBYTES, (const char *)attribute_bytes(id));
}

CK_RV store_token(struct slot *slot)
{
    struct bytes content = {0};
    CK_RV rv = CKR_OK;

    if (module->store_dir == NULL) {
        return CKR_OK;
    }
    format_token(&content, slot);
    rv = replace_file(slot, TOKEN_NAME, &content);
    bytes_free(&content);
    return rv;
}

CK_RV store_object(const struct object *object)
{
    struct bytes content = {0};
    char name[ID_NBYTES + 16];
    CK_RV rv = CKR_OK;

    if (module->store_dir == NULL || !object->is_token) {
        return CKR_OK;
    }
    object_name(object, name);
    format_object(&content, object);
    rv = replace_file(object->slot, name, &content);
    bytes_free(&content);
    return rv;
}

CK_RV store_forget(const struct object *object)
{
    char name[ID_NBYTES + 16];
    int dir = -1;
    bool is_done = false;

    if (module->store_dir == NULL || !object->is_token) {
        return CKR_OK;
    }
    object_name(object, name);
    dir = slot_open(object->slot);
    if (dir >= 0) {
        is_done = (unlinkat(dir, name, 0) == 0 || errno == ENOENT) && fsync(dir) == 0;
        close(dir);
    }
    return is_done ? CKR_OK : CKR_DEVICE_ERROR;
}

/* ---- all files of a slot
 * --------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t name_nbytes = strlen(name);
    size_t suffix_nbytes = strlen(suffix);

    return name_nbytes > suffix_nbytes && strcmp(name + name_nbytes - suffix_nbytes, suffix) == 0;
}

static bool is_object_name(const char *name)
{
    return strlen(name) == ID_NBYTES + strlen(OBJECT_SUFFIX) && strspn(name, "0123456789abcdef") == ID_NBYTES &&
           ends_with(name, OBJECT_SUFFIX);
}

CK_RV store_erase(struct slot *slot)
{
    char path[PATH_MAX];
    DIR *dir = NULL;
    const struct dirent *entry = NULL;
    bool is_done = true;

    if (module->store_dir == NULL) {
        return CKR_OK;
    }
    dir = slot_path(slot, path) ? opendir(path) : NULL;
    if (dir == NULL) {
        return CKR_DEVICE_ERROR;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (is_object_name(entry->d_name) || ends_with(entry->d_name, ".new")) {
            is_done = unlinkat(dirfd(dir), entry->d_name, 0) == 0 && is_done;
        }
    }
    is_done = fsync(dirfd(dir)) == 0 && is_done;
    closedir(dir);
    return is_done ? CKR_OK : CKR_DEVICE_ERROR;
}

/* Read a whole file, which the caller frees. NULL if there is none, or if it cannot be read. */
static uint8_t *read_file(int dir, const char *name, size_t *out_nbytes)
{
    struct stat status;
    uint8_t *data = NULL;
    size_t got = 0;
    int file = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (file < 0) {
        return NULL;
    }
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        status.st_size <= FILE_MAX_NBYTES) {
        data = malloc((size_t)status.st_size);
    }
    while (data != NULL && got < (size_t)status.st_size) {
        ssize_t part = read(file, data + got, (size_t)status.st_size - got);

        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part <= 0) {
            free(data);
            data = NULL;
            break;
        }
        got += (size_t)part;
    }
    close(file);
    *out_nbytes = got;
    return data;
}

static void load_object(struct slot *slot, int dir, const char *path, const char *name)
{
    size_t nbytes = 0;
    uint8_t *data = read_file(dir, name, &nbytes);
    struct object *object = data != NULL ? parse_object(data, nbytes, slot) : NULL;
    char expected[ID_NBYTES + 16];

    if (object != NULL) {
        object_name(object, expected);
    }
    if (object == NULL || strcmp(name, expected) != 0 || object_link(object) != CKR_OK) {
        complain(path, name, "not an object of this token; left alone");
        object_free(object);
    }
    if (data != NULL) {
        OPENSSL_cleanse(data, nbytes);
        free(data);
    }
}

static void load_slot(struct slot *slot)
{
    char path[PATH_MAX];
    size_t nbytes = 0;
    uint8_t *data = NULL;
    const struct dirent *entry = NULL;
    DIR *dir = slot_path(slot, path) ? opendir(path) : NULL;

    if (dir == NULL) {
        complain(module->store_dir, "", strerror(errno));
        return;
    }
    data = read_file(dirfd(dir), TOKEN_NAME, &nbytes);
    if (data != NULL && !parse_token(data, nbytes, slot)) {
        complain(path, TOKEN_NAME, "not a token; the slot counts as uninitialised until C_InitToken");
    }
    free(data);
    while (slot->is_initialized && (entry = readdir(dir)) != NULL) {
        if (is_object_name(entry->d_name)) {
            load_object(slot, dirfd(dir), path, entry->d_name);
        }
    }
    closedir(dir);
}

void store_load(void)
{
    for (CK_ULONG i = 0; module->store_dir != NULL && i < module->slot_count; i++) {
        load_slot(&module->slots[i]);
    }
}
