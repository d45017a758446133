/* SPDX-License-Identifier: Apache-2.0
 *
 * faults.h - makes system calls of the store fail, or kills the process at them. Include it first, in one file of a
 * program.
 *
 * The program defines the functions below and exports them (CMake's ENABLE_EXPORTS). The dynamic linker searches the
 * program before libc, so the module, which is loaded by dlopen(), calls these. Calls that libc makes itself, as
 * readdir() does, are not seen. Nothing happens unless a fault is armed.
 */
#ifndef TOKEN_TESTS_FAULTS_H
#define TOKEN_TESTS_FAULTS_H

#define _GNU_SOURCE /* RTLD_NEXT, MAP_ANONYMOUS */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum fault_kind {
    FAULT_COUNT,    /* only count the calls */
    FAULT_FAIL,     /* this call fails */
    FAULT_FAIL_ALL, /* this call and all later ones fail */
    FAULT_KILL      /* the process is killed instead of this call */
};

#define FAULT_CALLS_MAX 4096

/** Shared with child processes, so that a test sees what a killed process did. */
static struct faults {
    bool is_armed;
    enum fault_kind kind;
    int at;           /* the first call is 1 */
    int error;        /* errno of a call that fails */
    const char *only; /* count only calls of this function; NULL for all */
    int count;
    const char *calls[FAULT_CALLS_MAX];
} *faults;

static inline void faults_create(void)
{
    faults = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (faults == MAP_FAILED) {
        perror("mmap");
        _exit(1);
    }
}

static inline void faults_arm(enum fault_kind kind, int at, int error, const char *only)
{
    faults->kind = kind;
    faults->at = at;
    faults->error = error;
    faults->only = only;
    faults->count = 0;
    faults->is_armed = true;
}

/** Returns the number of calls since faults_arm(). */
static inline int faults_disarm(void)
{
    faults->is_armed = false;
    return faults->count;
}

/** Whether the calls that were counted make a change durable: contents are synced before a file gets its name, and names
 *  at the end. No fault shows that, because the system keeps what was not synced. */
static inline bool faults_all_synced(int count)
{
    bool is_file_dirty = false;
    bool is_dir_dirty = false;
    bool is_right = true;

    for (int i = 0; i < count; i++) {
        const char *call = faults->calls[i];

        if (strcmp(call, "write") == 0) {
            is_file_dirty = true;
        } else if (strcmp(call, "fsync") == 0) {
            is_file_dirty = false;
            is_dir_dirty = false;
        } else if (strcmp(call, "renameat") == 0 || strcmp(call, "unlinkat") == 0) {
            is_right = is_right && !is_file_dirty;
            is_dir_dirty = true;
        }
    }
    return is_right && !is_dir_dirty;
}

/* Whether this call fails. Does not return if the process is to be killed here. */
static inline bool faults_hit(const char *name)
{
    bool is_here = false;

    if (faults == NULL || !faults->is_armed || (faults->only != NULL && strcmp(faults->only, name) != 0)) {
        return false;
    }
    faults->calls[faults->count++ % FAULT_CALLS_MAX] = name;
    is_here = faults->count == faults->at;
    if (is_here && faults->kind == FAULT_KILL) {
        kill(getpid(), SIGKILL);
    }
    if ((is_here && faults->kind == FAULT_FAIL) || (faults->count >= faults->at && faults->kind == FAULT_FAIL_ALL)) {
        errno = faults->error;
        return true;
    }
    return false;
}

/* libc's function of that name, or the sanitizer's. */
static inline void faults_real(const char *name, void *out_function)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    memcpy(out_function, &symbol, sizeof symbol);
}

/* Define a function that fails by returning `failed`. */
#define FAULTY(type, failed, name, parameters, arguments) \
    type name parameters; \
    type name parameters \
    { \
        static type(*real) parameters; \
        if (real == NULL) { \
            faults_real(#name, &real); \
        } \
        return faults_hit(#name) ? (failed) : real arguments; \
    }

FAULTY(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
FAULTY(int, -1, fsync, (int file), (file))
FAULTY(int, -1, renameat, (int from_dir, const char *from, int to_dir, const char *to), (from_dir, from, to_dir, to))
FAULTY(int, -1, unlinkat, (int dir, const char *path, int flags), (dir, path, flags))
FAULTY(int, -1, ftruncate, (int file, off_t nbytes), (file, nbytes))
FAULTY(int, -1, flock, (int file, int operation), (file, operation))
FAULTY(ssize_t, -1, read, (int file, void *out, size_t nbytes), (file, out, nbytes))
FAULTY(DIR *, NULL, opendir, (const char *path), (path))
FAULTY(DIR *, NULL, fdopendir, (int file), (file))

int open(const char *path, int flags, ...);
int openat(int dir, const char *path, int flags, ...);
int close(int file);
ssize_t write(int file, const void *data, size_t nbytes);

static inline mode_t faults_mode(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    va_list arguments;
    mode_t mode = 0;

    va_start(arguments, flags);
    mode = faults_mode(flags, arguments);
    va_end(arguments);
    if (real == NULL) {
        faults_real("open", &real);
    }
    return faults_hit("open") ? -1 : real(path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
    static int (*real)(int, const char *, int, ...);
    va_list arguments;
    mode_t mode = 0;

    va_start(arguments, flags);
    mode = faults_mode(flags, arguments);
    va_end(arguments);
    if (real == NULL) {
        faults_real("openat", &real);
    }
    return faults_hit("openat") ? -1 : real(dir, path, flags, mode);
}

/* The file is closed even if close() fails. */
int close(int file)
{
    static int (*real)(int);
    bool is_hit = faults_hit("close");
    int error = errno;
    int result = 0;

    if (real == NULL) {
        faults_real("close", &real);
    }
    result = real(file);
    if (is_hit) {
        errno = error;
        result = -1;
    }
    return result;
}

/* Two points, unless there is little to write: nothing is written, or the first half is. */
ssize_t write(int file, const void *data, size_t nbytes)
{
    static ssize_t (*real)(int, const void *, size_t);
    ssize_t half = 0;

    if (real == NULL) {
        faults_real("write", &real);
    }
    if (faults == NULL || !faults->is_armed) {
        return real(file, data, nbytes);
    }
    if (faults_hit("write")) {
        return -1;
    }
    if (nbytes < 64) {
        return real(file, data, nbytes);
    }
    half = real(file, data, nbytes / 2);
    return half < 0 || faults_hit("write") ? -1 : half;
}

#endif
