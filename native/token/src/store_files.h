/* SPDX-License-Identifier: Apache-2.0
 *
 * store_files.h - the files of one directory: read whole, replaced whole, removed. Where a function fails, errno says
 * why.
 */
#ifndef TOKEN_STORE_FILES_H
#define TOKEN_STORE_FILES_H

#include "bytes.h"

/** The suffix of a file that is not complete yet. */
#define FILE_NEW_SUFFIX ".new"

enum file_state { FILE_ABSENT, FILE_READ, FILE_UNREADABLE };

/** Read a whole file of at most `max_nbytes`. The caller frees `out`. Only a name that does not exist is absent. */
enum file_state file_read(int dir, const char *name, size_t max_nbytes, struct bytes *out);

/** Write a file under a temporary name, sync it, and rename it: a reader sees the old contents or the new. The name is
 *  not durable before dir_sync(). If it fails, the old contents stay. */
bool file_replace(int dir, const char *name, const struct bytes *content);

/** Remove a file, which need not exist. Not durable before dir_sync(). */
bool file_remove(int dir, const char *name);

/** Make the names in a directory durable. */
bool dir_sync(int dir);

/** Call a function for each name but "." and "..", which may remove that file. False if the directory cannot be read to
 *  its end, or if the function returned false, which ends the calls. */
bool dir_each(int dir, bool (*each)(void *context, int dir, const char *name), void *context);

#endif
