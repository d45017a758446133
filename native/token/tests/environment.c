/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a program that runs with more rights than its caller's, and is told by the caller's environment which folder to
 * read and write, and which tokens to initialise.
 */
#define _DEFAULT_SOURCE /* chown */

#include "token.h"

#ifdef __linux__
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define OTHER_USER 65534

/* In the copy of this program: the exit status says how many slots there are. Where the copy is mounted without set-uid
 * programs it has no other rights than its caller. */
static int count_slots(bool has_rights)
{
    CK_ULONG count = 0;

    if (has_rights && getauxval(AT_SECURE) == 0) {
        return CHECK_SKIPPED;
    }
    if (faccessat(AT_FDCWD, TOKEN_PATH, R_OK, AT_EACCESS) != 0) {
        return CHECK_SKIPPED; /* the other user cannot read the module */
    }
    token_load();
    OK(p11->C_Initialize(NULL));
    OK(p11->C_GetSlotList(CK_FALSE, NULL, &count));
    OK(p11->C_Finalize(NULL));
    return (int)count;
}

static void copy_self(const char *path)
{
    static char buffer[65536];
    FILE *in = fopen("/proc/self/exe", "rb");
    FILE *out = fopen(path, "wb");
    size_t nbytes = 0;

    CHECK(in != NULL && out != NULL);
    while ((nbytes = fread(buffer, 1, sizeof buffer, in)) > 0) {
        CHECK_EQ(fwrite(buffer, 1, nbytes, out), nbytes);
    }
    CHECK(fclose(in) == 0 && fclose(out) == 0);
}

static int run(const char *path, const char *as)
{
    char command[256];
    int status = 0;

    snprintf(command, sizeof command, "CSIDE_TOKEN_SLOTS=5 %s %s", path, as);
    status = system(command);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int main(int count, char **arguments)
{
    char folder[] = "/tmp/cside-environment-XXXXXX";
    char path[64];
    int slots = 0;

    if (count > 1) {
        return count_slots(strcmp(arguments[1], "set-uid") == 0);
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return CHECK_SKIPPED; /* the search for leaks fails in a program that runs with more rights */
#endif
    if (geteuid() != 0) {
        return CHECK_SKIPPED; /* only root can give a program another owner */
    }
    CHECK(mkdtemp(folder) != NULL && chmod(folder, 0755) == 0);
    snprintf(path, sizeof path, "%s/program", folder);
    copy_self(path);
    CHECK_EQ(chmod(path, 0755), 0);
    CHECK_EQ(run(path, "plain"), 5);
    CHECK_EQ(chown(path, OTHER_USER, OTHER_USER), 0);
    CHECK_EQ(chmod(path, 04755), 0);
    slots = run(path, "set-uid");
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
    if (slots == CHECK_SKIPPED) {
        return CHECK_SKIPPED;
    }
    CHECK_EQ(slots, 3); /* the default */
    return 0;
}
#else
int main(void)
{
    return CHECK_SKIPPED;
}
#endif
