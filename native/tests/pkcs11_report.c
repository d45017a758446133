/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a report of CSIDE_TRACE_FILE that is missing, incomplete, of another process, or counts calls twice; one that
 * is written to where somebody else wants it.
 */
#define _GNU_SOURCE

#include "pkcs11_check.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/cside-report-XXXXXX";

#define VICTIM "not to be written to"

static char victim[160], links[2][160];

/* Somebody else who may write to the folder foresees the names of the report, and of its unfinished file. */
static void plant_links(const char *where)
{
    FILE *file = NULL;

    snprintf(victim, sizeof victim, "%s/victim", where);
    snprintf(links[0], sizeof links[0], "%s/trace.%ld", where, (long)getpid());
    snprintf(links[1], sizeof links[1], "%s/trace.%ld.part", where, (long)getpid());
    file = fopen(victim, "w");
    CHECK(file != NULL && fputs(VICTIM, file) >= 0 && fclose(file) == 0);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(symlink(victim, links[i]), 0);
}

static void check_links(void)
{
    char text[100] = "";
    struct stat info;
    FILE *file = fopen(victim, "r");

    CHECK(file != NULL && fgets(text, sizeof text, file) != NULL && fclose(file) == 0);
    CHECK_TEXT(text, VICTIM);
    CHECK_EQ(lstat(links[0], &info), 0);
    CHECK(S_ISREG(info.st_mode)); /* the report has replaced the link */
    CHECK_EQ(info.st_mode & 0777, 0600);
    CHECK(unlink(links[1]) == 0 && unlink(victim) == 0);
}

/* Do what a program does that does not know the shim: load a module by dlopen(), call it, and end. */
static void run_client(void)
{
    void *module = dlopen(CSIDE_PATH, RTLD_NOW | RTLD_LOCAL);
    void *symbol = module != NULL ? dlsym(module, "C_GetFunctionList") : NULL;
    CK_C_GetFunctionList get_list = NULL;
    CK_FUNCTION_LIST_PTR list = NULL;
    CK_BYTE data[10] = {0};
    char where[128];
    int status = 0;
    pid_t child = 0;

    CHECK(getcwd(where, sizeof where) != NULL);
    CHECK(symbol != NULL);
    memcpy(&get_list, &symbol, sizeof get_list);
    CHECK_EQ(get_list(&list), CKR_OK);
    CHECK_EQ(list->C_Initialize(NULL), CKR_OK);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(list->C_SeedRandom(1, data, 10), CKR_OK);
    fake_state_of(FAKE_2_40_PATH)->answer = CKR_PIN_INCORRECT;
    CHECK_EQ(list->C_Login(1, CKU_USER, data, 4), CKR_PIN_INCORRECT);
    fake_state_of(FAKE_2_40_PATH)->answer = CKR_VENDOR_DEFINED | 7;
    CHECK_EQ(list->C_Login(1, CKU_USER, data, 4), CKR_VENDOR_DEFINED | 7);
    fake_state_of(FAKE_2_40_PATH)->answer = CKR_OK;
    CHECK_EQ(chdir("/"), 0); /* a relative path is relative to the folder at the start */
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK_EQ(list->C_Logout(1), CKR_OK);
        exit(0);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0)
        exit(0); /* without a call there is no report */
    CHECK_EQ(waitpid(child, &status, 0), child);
    printf("%ld\n", (long)child);
    plant_links(where);
    CHECK_EQ(list->C_Finalize(NULL), CKR_OK);
    check_links();
    dlclose(module); /* the report is nevertheless written once, at the end */
    fflush(NULL);
}

static char *contents_of(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "r");

    CHECK(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void check_holds(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fprintf(stderr, "lacks %s:\n%s\n", part, text);
        exit(1);
    }
}

int main(int count, char **arguments)
{
    char command[512], path[128], silent_path[128], part[64];
    FILE *files = NULL;
    long pid = 0, silent = 0, child = 0, found = 0;
    const char *text = NULL;
    struct stat info;

    if (count > 1 && strcmp(arguments[1], "client") == 0) {
        run_client();
        if (count > 2)
            _exit(0); /* C_Finalize has written the report */
        return 0;
    }
    CHECK(mkdtemp(folder) != NULL);
    for (int quick = 0; quick < 2; quick++) {
        snprintf(command, sizeof command,
                 "cd %s && CSIDE_TRACE_FILE=trace CSIDE_PKCS11_MODULE='%s' sh -c 'echo $$; exec \"%s\" client %s'",
                 folder, FAKE_2_40_PATH, arguments[0], quick ? "quick" : "");
        files = popen(command, "r");
        CHECK(files != NULL && fscanf(files, "%ld %ld", &pid, &silent) == 2);
        CHECK_EQ(pclose(files), 0);
        snprintf(path, sizeof path, "%s/trace.%ld", folder, pid);
        text = contents_of(path);
        snprintf(part, sizeof part, "{\"format\": 1, \"pid\": %ld, \"wall_ns\": ", pid);
        CHECK(strncmp(text, part, strlen(part)) == 0);
        check_holds(text, "\"module\": \"" FAKE_2_40_PATH "\", \"errors_unlisted\": 0,");
        check_holds(text, "{\"name\": \"C_Initialize\", \"calls\": 1, \"errors\": 0, \"total_ns\": ");
        check_holds(text, "{\"name\": \"C_SeedRandom\", \"calls\": 3, \"errors\": 0, \"total_ns\": ");
        check_holds(text, "\"in_nbytes\": 30, \"out_nbytes\": 0,\n   \"histogram\": [");
        check_holds(text, "{\"name\": \"C_Login\", \"calls\": 2, \"errors\": 2, ");
        check_holds(text, "{\"rv\": 160, \"name\": \"CKR_PIN_INCORRECT\", \"count\": 1}");
        check_holds(text, "{\"rv\": 2147483655, \"name\": null, \"count\": 1}");
        check_holds(text, "{\"name\": \"C_Finalize\", \"calls\": 1, ");
        CHECK(strstr(text, "C_Logout") == NULL); /* only the child called it */
        CHECK_TEXT(text + strlen(text) - 5, "\n ]}\n");
        snprintf(silent_path, sizeof silent_path, "%s/trace.%ld", folder, silent);
        CHECK(stat(silent_path, &info) != 0);
        unlink(path);

        snprintf(command, sizeof command, "ls %s", folder);
        files = popen(command, "r");
        for (found = 0; files != NULL && fscanf(files, " trace.%ld", &child) == 1; found++)
            continue;
        pclose(files);
        CHECK_EQ(found, 1); /* there is no other file */
        snprintf(path, sizeof path, "%s/trace.%ld", folder, child);
        text = contents_of(path);
        check_holds(text, "{\"name\": \"C_Logout\", \"calls\": 1, ");
        CHECK(strstr(text, "C_SeedRandom") == NULL); /* only the parent called it */
        unlink(path);
    }
    CHECK_EQ(rmdir(folder), 0);
    return 0;
}
