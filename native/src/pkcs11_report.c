/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_report.c - writes the report to CSIDE_TRACE_FILE: the PKCS #11 calls of the program, and the time that they
 * took.
 */
#define _GNU_SOURCE

#include "environment.h"
#include "pkcs11_module.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *report_path; /* absolute; NULL if no report is to be written */
static atomic_bool is_child;
static uint64_t begin_ns;
static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Write a JSON string. Bytes that are not ASCII are written unchanged. */
static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void put_function(FILE *file, size_t index, const cs_trace_record *record, const cs_pkcs11_error_count *errors,
                         size_t errors_count)
{
    const char *comma = "";

    fprintf(file,
            "  {\"name\": \"%s\", \"calls\": %" PRIu64 ", \"errors\": %" PRIu64 ", \"total_ns\": %" PRIu64
            ", \"in_nbytes\": %" PRIu64 ", \"out_nbytes\": %" PRIu64 ",\n   \"histogram\": [",
            cs_trace_name(index), record->calls, record->errors, record->total_ns, record->in_nbytes,
            record->out_nbytes);
    for (size_t i = 0; i < CS_TRACE_BUCKETS; i++)
        fprintf(file, "%s%" PRIu64, i == 0 ? "" : ", ", record->histogram[i]);
    fprintf(file, "],\n   \"errors_by_rv\": [");
    for (size_t i = 0; i < errors_count; i++) {
        const char *name = cs_pkcs11_rv_name(errors[i].rv);
        if (errors[i].index != index)
            continue;
        fprintf(file, "%s{\"rv\": %lu, \"name\": ", comma, errors[i].rv);
        if (name != NULL)
            put_text(file, name);
        else
            fputs("null", file);
        fprintf(file, ", \"count\": %" PRIu64 "}", errors[i].count);
        comma = ", ";
    }
    fputs("]}", file);
}

/* Returns the number of calls in the report. */
static uint64_t put_report(FILE *file)
{
    static cs_trace_record records[FUNCTIONS]; /* guarded by write_lock, like the next one */
    static cs_pkcs11_error_count errors[CS_PKCS11_ERRORS];
    const cs_pkcs11_module *module = cs_pkcs11_first();
    uint64_t unlisted = 0, calls = 0;
    size_t errors_count = cs_pkcs11_errors_read(records, errors, CS_PKCS11_ERRORS, &unlisted);
    const char *comma = "";

    fprintf(file, "{\"format\": 1, \"pid\": %ld, \"wall_ns\": %" PRIu64 ", \"module\": ", (long)getpid(),
            now_ns() - begin_ns);
    if (module != NULL)
        put_text(file, cs_pkcs11_path(module));
    else
        fputs("null", file);
    fprintf(file, ", \"errors_unlisted\": %" PRIu64 ",\n \"functions\": [", unlisted);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (records[i].calls == 0)
            continue;
        fprintf(file, "%s\n", comma);
        put_function(file, CS_TRACE_ID_C_Initialize + i, &records[i], errors, errors_count);
        calls += records[i].calls;
        comma = ",";
    }
    fputs("\n ]}\n", file);
    return calls;
}

/* Write the report to a new file, which takes the place of `path`. The new file's name cannot be foreseen, and
 * mkostemp() follows no link, so that nobody who may write to the folder can make us write somewhere else. Returns
 * false with errno if that fails. */
static bool write_to(const char *path)
{
    char unfinished[PATH_MAX + sizeof ".XXXXXX"];
    int fd = -1, error = 0;
    FILE *file = NULL;
    bool keep = true, written = false;

    snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", path);
    fd = mkostemp(unfinished, O_CLOEXEC);
    if (fd < 0)
        return false;
    file = fdopen(fd, "w");
    if (file != NULL) {
        keep = put_report(file) > 0 || !atomic_load(&is_child);
        written = ferror(file) == 0;
        written = fclose(file) == 0 && written;
    } else {
        close(fd);
    }
    if (written && keep)
        written = rename(unfinished, path) == 0;
    if (!written || !keep) {
        error = errno;
        unlink(unfinished);
        errno = error;
    }
    return written;
}

/* errno is preserved. */
static void report_write(void)
{
    int saved_errno = errno;
    char path[PATH_MAX];

    if (report_path == NULL)
        return;
    pthread_mutex_lock(&write_lock);
    snprintf(path, sizeof path, "%s.%ld", report_path, (long)getpid());
    errno = 0;
    if (!write_to(path))
        fprintf(stderr, "libcside: cannot write %s: %s\n", path, strerror(errno));
    pthread_mutex_unlock(&write_lock);
    errno = saved_errno;
}

#if defined(__GNUC__)
/* A child of fork() reports only its own calls. This handler runs after the trace's handler, which is registered
 * first. */
static void in_child(void)
{
    pthread_mutex_init(&write_lock, NULL);
    cs_trace_reset();
    begin_ns = now_ns();
    atomic_store(&is_child, true);
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = cs_environment("CSIDE_TRACE_FILE");
    char folder[PATH_MAX] = "";
    size_t nbytes = 0;

    if (path == NULL)
        return;
    if (path[0] != '/' && getcwd(folder, sizeof folder) == NULL)
        folder[0] = '\0';
    nbytes = strlen(folder) + 1 + strlen(path) + 1;
    report_path = malloc(nbytes);
    if (report_path == NULL)
        return;
    snprintf(report_path, nbytes, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", path);
    begin_ns = now_ns();
    cs_pkcs11_finalized = report_write;
    cs_trace_enable(true);
    pthread_atfork(NULL, NULL, in_child);
}

__attribute__((destructor)) static void end(void)
{
    report_write();
}
#endif
