/* SPDX-License-Identifier: Apache-2.0
 *
 * store_files.c - reads, replaces and removes files.
 */
#include "store_files.h"

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

/* ---- read
 * ------------------------------------------------------------------------------------------------------------ */

/* A regular file that is not too large. Else errno says why not. */
static bool is_readable(int file, size_t max_nbytes, size_t *out_nbytes)
{
    struct stat status;

    if (fstat(file, &status) != 0) {
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    if ((uintmax_t)status.st_size > max_nbytes) {
        errno = EFBIG;
        return false;
    }
    *out_nbytes = (size_t)status.st_size;
    return true;
}

static bool read_all(int file, uint8_t *out, size_t nbytes)
{
    size_t got = 0;

    while (got < nbytes) {
        ssize_t part = read(file, out + got, nbytes - got);

        if (part == 0) {
            errno = EIO; /* the file has become shorter */
            return false;
        }
        if (part < 0 && errno != EINTR) {
            return false;
        }
        got += part > 0 ? (size_t)part : 0;
    }
    return true;
}

enum file_state file_read(int dir, const char *name, size_t max_nbytes, struct bytes *out)
{
    int file = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    size_t nbytes = 0;
    bool is_done = false;
    int error = 0;

    *out = (struct bytes){0};
    if (file < 0) {
        return errno == ENOENT ? FILE_ABSENT : FILE_UNREADABLE;
    }
    if (is_readable(file, max_nbytes, &nbytes)) {
        out->data = malloc(nbytes + 1); /* a file may be empty */
        out->nbytes = out->data != NULL ? nbytes : 0;
        out->capacity = out->nbytes;
        is_done = out->data != NULL && read_all(file, out->data, nbytes);
    }
    error = errno;
    close(file);
    if (!is_done) {
        bytes_free(out);
        errno = error;
    }
    return is_done ? FILE_READ : FILE_UNREADABLE;
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

bool file_replace(int dir, const char *name, const struct bytes *content)
{
    char temporary[NAME_MAX + 1];
    int nbytes = snprintf(temporary, sizeof temporary, "%s" FILE_NEW_SUFFIX, name);
    int file = -1;
    int error = 0;
    bool is_done = false;

    if (nbytes < 0 || (size_t)nbytes >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    file = openat(dir, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        return false;
    }
    is_done = write_all(file, content->data, content->nbytes) && fsync(file) == 0;
    error = errno;
    if (close(file) != 0 && is_done) {
        is_done = false;
        error = errno;
    }
    if (is_done && renameat(dir, temporary, dir, name) != 0) {
        is_done = false;
        error = errno;
    }
    if (!is_done) {
        unlinkat(dir, temporary, 0);
        errno = error;
    }
    return is_done;
}

bool file_remove(int dir, const char *name)
{
    return unlinkat(dir, name, 0) == 0 || errno == ENOENT;
}

bool dir_sync(int dir)
{
    return fsync(dir) == 0 || errno == EINVAL; /* the file system has no such operation */
}

/* ---- all files
 * ------------------------------------------------------------------------------------------------------- */

bool dir_each(int dir, bool (*each)(void *context, int dir, const char *name), void *context)
{
    int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* closedir() closes it */
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    const struct dirent *entry = NULL;
    bool is_done = list != NULL;
    int error = errno;

    if (list == NULL) {
        if (again >= 0) {
            close(again);
        }
        errno = error;
        return false;
    }
    while (is_done) {
        errno = 0;
        entry = readdir(list);
        if (entry == NULL) {
            is_done = errno == 0;
            break;
        }
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            is_done = each(context, dir, entry->d_name);
        }
    }
    error = errno;
    closedir(list);
    errno = error;
    return is_done;
}
