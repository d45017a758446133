/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: errors of a function that are not the sum of its errors by return value, in a report that is written while
 * other threads count, or after a reset that other threads' counting overlapped.
 */
#define _DEFAULT_SOURCE /* usleep */

#include "pkcs11_check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define THREADS 3
#define REPORTS 100

static atomic_bool stop;
static const CK_FUNCTION_LIST_3_2 *list; /* of a module of 2.40, for which the shim answers this function itself */

static void *fail_on(void *argument)
{
    CK_UTF8CHAR name[] = "nothing";
    CK_INTERFACE_PTR interface = NULL;

    (void)argument;
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        CHECK_EQ(list->C_GetInterface(NULL, NULL, NULL, 0), CKR_ARGUMENTS_BAD);
        CHECK_EQ(list->C_GetInterface(name, NULL, &interface, 0), CKR_FUNCTION_FAILED);
        CHECK_EQ(list->C_LoginUser(1, CKU_USER, NULL, 0, NULL, 0), CKR_FUNCTION_NOT_SUPPORTED);
    }
    return NULL;
}

static void start(pthread_t threads[THREADS])
{
    atomic_store(&stop, false);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, fail_on, NULL), 0);
}

static void finish(pthread_t threads[THREADS])
{
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* The number after a key, in the text from *io_at; *io_at then points behind it. */
static uint64_t number_after(const char **io_at, const char *key)
{
    const char *found = strstr(*io_at, key);
    uint64_t number = 0;

    CHECK(found != NULL);
    for (found += strlen(key); *found >= '0' && *found <= '9'; found++)
        number = number * 10 + (uint64_t)(*found - '0');
    *io_at = found;
    return number;
}

/* Check the functions of a report, and return the number of those that have errors. */
static int check_report(const char *path)
{
    static char text[200000];
    FILE *file = fopen(path, "r");
    const char *at = text;
    int with_errors = 0;

    CHECK(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_EQ(number_after(&at, "\"errors_unlisted\": "), 0);
    while (strstr(at, "\"calls\": ") != NULL) {
        uint64_t calls = number_after(&at, "\"calls\": "), errors = number_after(&at, "\"errors\": "), sum = 0;
        const char *by_rv = strstr(at, "\"errors_by_rv\": ["), *end = NULL;

        CHECK(by_rv != NULL);
        end = strchr(by_rv + strlen("\"errors_by_rv\": ["), ']');
        CHECK(end != NULL);
        for (const char *next = strstr(by_rv, "\"count\": "); next != NULL && next < end;
             next = strstr(by_rv, "\"count\": ")) {
            by_rv = next;
            sum += number_after(&by_rv, "\"count\": ");
        }
        CHECK_EQ(sum, errors);
        CHECK(errors <= calls);
        with_errors += errors > 0;
        at = end;
    }
    return with_errors;
}

/* The report is written after each C_Finalize. */
static void client(const char *path)
{
    pthread_t threads[THREADS];
    char report[512];
    int with_errors = 0;

    snprintf(report, sizeof report, "%s.%ld", path, (long)getpid());
    list = cs_pkcs11_functions(check_open(FAKE_2_40_PATH));
    start(threads);
    for (int i = 0; i < REPORTS; i++) {
        CHECK_EQ(list->C_Finalize(NULL), CKR_OK);
        with_errors = check_report(report);
        if (i % 10 == 9)
            cs_trace_reset();
    }
    CHECK(with_errors >= 1);
    finish(threads);
    CHECK_EQ(list->C_Finalize(NULL), CKR_OK);
    check_report(report);
    _exit(unlink(report) == 0 ? 0 : 1);
}

static uint64_t sum_of(size_t index)
{
    static cs_pkcs11_error_count counts[CS_PKCS11_ERRORS];
    uint64_t unlisted = 99, sum = 0;
    size_t found = cs_pkcs11_errors(counts, CS_PKCS11_ERRORS, &unlisted);

    CHECK_EQ(unlisted, 0);
    for (size_t i = 0; i < found; i++)
        sum += counts[i].index == index ? counts[i].count : 0;
    return sum;
}

/* Once no thread counts, both numbers are the same, however often the counts were reset meanwhile. */
static void resets(void)
{
    pthread_t threads[THREADS];

    list = cs_pkcs11_functions(check_open(FAKE_2_40_PATH));
    cs_trace_enable(true);
    for (int round = 0; round < 20; round++) {
        start(threads);
        for (int i = 0; i < 200; i++) {
            cs_trace_reset();
            usleep(10);
        }
        finish(threads);
        CHECK_EQ(sum_of(trace_index("C_GetInterface")), trace_record("C_GetInterface").errors);
        CHECK_EQ(sum_of(trace_index("C_LoginUser")), trace_record("C_LoginUser").errors);
    }
    cs_trace_reset();
    CHECK_EQ(sum_of(trace_index("C_GetInterface")), 0);
    cs_trace_enable(false);
}

int main(int count, char **arguments)
{
    char folder[] = "/tmp/cside-errors-XXXXXX", command[1024];
    int status = 0;

    if (count > 1)
        client(arguments[1]);
    resets();
    CHECK(mkdtemp(folder) != NULL);
    snprintf(command, sizeof command, "CSIDE_TRACE_FILE=%s/trace \"%s\" %s/trace", folder, arguments[0], folder);
    status = system(command);
    CHECK_EQ(status, 0);
    CHECK_EQ(rmdir(folder), 0);
    return 0;
}
