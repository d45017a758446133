/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a backing module that dies, or lies about lengths, and leaves a report that is damaged, unfinished or wrong; an
 * end of the process that does not tell how the module died.
 */
#define _GNU_SOURCE

#include "pkcs11_check.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIE (~(CK_ULONG)0 / 2)

static char folder[] = "/tmp/cside-deaths-XXXXXX";
static const char *how;

static void by_signal(int number)
{
    signal(number, SIG_DFL); /* a sanitizer has a handler of its own */
    raise(number);
}

/* Die in C_Login, as the client was told to. */
static void die(const char *function)
{
    if (strcmp(function, "C_Login") != 0)
        return;
    if (strcmp(how, "abort") == 0)
        by_signal(SIGABRT);
    if (strcmp(how, "segv") == 0)
        by_signal(SIGSEGV);
    if (strcmp(how, "kill") == 0)
        by_signal(SIGKILL);
    if (strcmp(how, "_exit") == 0)
        _exit(3);
    if (strcmp(how, "exit") == 0)
        exit(4);
}

/* A program that calls the module, which lies and then dies. */
static int run_client(bool finalizes)
{
    CK_FUNCTION_LIST_PTR list = NULL;
    CK_BYTE data[10] = {0}, signature[1] = {7};
    CK_ULONG length = sizeof signature;
    fake_state *state = NULL;

    CHECK_EQ(C_GetFunctionList(&list), CKR_OK);
    CHECK_EQ(list->C_Initialize(NULL), CKR_OK);
    state = fake_state_of(FAKE_2_40_PATH);
    state->write = 1;
    state->written = LIE;
    CHECK_EQ(list->C_Sign(1, data, sizeof data, signature, &length), CKR_OK); /* the shim reads no such bytes */
    CHECK_EQ(length, LIE);
    CHECK_EQ(signature[0], 7);
    state->when_called = die;
    CHECK_EQ(list->C_SeedRandom(1, data, sizeof data), CKR_OK);
    if (finalizes)
        CHECK_EQ(list->C_Finalize(NULL), CKR_OK);
    list->C_Login(1, CKU_USER, data, 4);
    return 99; /* it is alive */
}

/* The number of files in the folder, and the contents of the last one. */
static int files(char *text, size_t room)
{
    DIR *open = opendir(folder);
    const struct dirent *entry = NULL;
    char path[400];
    int count = 0;

    CHECK(open != NULL);
    while ((entry = readdir(open)) != NULL) {
        FILE *file = NULL;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        file = fopen(path, "r");
        CHECK(file != NULL);
        text[fread(text, 1, room - 1, file)] = '\0';
        fclose(file);
        CHECK_EQ(unlink(path), 0);
        count++;
    }
    closedir(open);
    return count;
}

static void check_report(const char *text, bool finalizes)
{
    char lie[64];

    snprintf(lie, sizeof lie, "\"in_nbytes\": 10, \"out_nbytes\": %lu,", LIE);
    CHECK(strncmp(text, "{\"format\": 1, \"pid\": ", strlen("{\"format\": 1, \"pid\": ")) == 0);
    CHECK(strstr(text, "{\"name\": \"C_Sign\", \"calls\": 1, \"errors\": 0, ") != NULL);
    CHECK(strstr(text, lie) != NULL);
    CHECK(strstr(text, "{\"name\": \"C_SeedRandom\", \"calls\": 1, ") != NULL);
    CHECK_EQ(strstr(text, "{\"name\": \"C_Finalize\", \"calls\": 1, ") != NULL, finalizes);
    CHECK(strstr(text, "C_Login") == NULL); /* the call never returned */
    CHECK_TEXT(text + strlen(text) - 5, "\n ]}\n");
}

static int status_of(const char *program, const char *death, bool finalizes)
{
    int status = 0;
    pid_t child = 0;

    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        char trace[64];
        snprintf(trace, sizeof trace, "%s/trace", folder);
        setenv("CSIDE_TRACE_FILE", trace, 1);
        setenv("CSIDE_PKCS11_MODULE", FAKE_2_40_PATH, 1);
        execl(program, program, death, finalizes ? "finalizes" : "does not", (char *)NULL);
        _exit(98);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        int signal;
        int code;
        bool writes; /* whether the end of the process writes a report */
    } deaths[] = {
        {"abort", SIGABRT, 0, false}, {"segv", SIGSEGV, 0, false}, {"kill", SIGKILL, 0, false},
        {"_exit", 0, 3, false},       {"exit", 0, 4, true},
    };
    static char text[65536];

    if (count == 3) {
        how = arguments[1];
        return run_client(strcmp(arguments[2], "finalizes") == 0);
    }
    CHECK(mkdtemp(folder) != NULL);
    for (size_t i = 0; i < sizeof deaths / sizeof deaths[0]; i++) {
        for (int finalizes = 0; finalizes < 2; finalizes++) {
            int status = status_of(arguments[0], deaths[i].name, finalizes);
            int expected = finalizes || deaths[i].writes;
            printf("%s, %s C_Finalize: status %#x\n", deaths[i].name, finalizes ? "after" : "without",
                   (unsigned)status);
            CHECK_EQ(WIFSIGNALED(status) ? WTERMSIG(status) : 0, deaths[i].signal);
            CHECK_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : 0, deaths[i].code);
            CHECK_EQ(files(text, sizeof text), expected); /* whole, or none; and no unfinished one */
            if (expected)
                check_report(text, finalizes);
        }
    }
    CHECK_EQ(rmdir(folder), 0);
    return 0;
}
