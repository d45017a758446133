/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: one file that becomes two modules, libcside as its own module, a failure without a reason, too many modules.
 */
#define _GNU_SOURCE

#include "pkcs11_check.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static char folder[] = "/tmp/cside-opening-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static unsigned turn;

    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void copy_file(const char *from, const char *to)
{
    char buffer[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    size_t nbytes = 0;

    CHECK(in != NULL && out != NULL);
    while ((nbytes = fread(buffer, 1, sizeof buffer, in)) > 0)
        CHECK_EQ(fwrite(buffer, 1, nbytes, out), nbytes);
    CHECK_EQ(fclose(in), 0);
    CHECK_EQ(fclose(out), 0);
}

static void check_fails(const char *path, cs_status expected, const char *reason)
{
    cs_pkcs11_module *module = NULL;

    errno = EDOM;
    CHECK_EQ(cs_pkcs11_open(path, &module), expected);
    CHECK(module == NULL);
    CHECK_EQ(errno, EDOM);
    if (strstr(cs_pkcs11_load_error(), reason) == NULL || strstr(cs_pkcs11_load_error(), path) == NULL) {
        fprintf(stderr, "\"%s\" lacks \"%s\" or the path\n", cs_pkcs11_load_error(), reason);
        exit(1);
    }
}

static void failures(void)
{
    FILE *file = fopen(in_folder("text.so"), "w");
    cs_pkcs11_module *module = NULL;

    CHECK(file != NULL);
    fputs("not a library, though it is long enough to be looked at as one, is it not? It is not.\n", file);
    fclose(file);
    CHECK_TEXT(cs_pkcs11_load_error(), "");
    CHECK_EQ(cs_pkcs11_open("", &module), CS_E_ARGUMENT);
    CHECK_EQ(cs_pkcs11_open(FAKE_2_40_PATH, NULL), CS_E_ARGUMENT);
    check_fails(in_folder("absent.so"), CS_E_NOT_FOUND, "No such file");
    check_fails(in_folder("text.so"), CS_E_NOT_FOUND, "invalid ELF header");
    check_fails("libm.so.6", CS_E_NOT_FOUND, "not a PKCS #11 module");
    check_fails(CSIDE_PATH, CS_E_NOT_FOUND, "is libcside itself");
    CHECK_EQ(symlink(CSIDE_PATH, in_folder("symlink.so")), 0);
    check_fails(in_folder("symlink.so"), CS_E_NOT_FOUND, "is libcside itself");
    if (link(CSIDE_PATH, in_folder("hardlink.so")) == 0)
        check_fails(in_folder("hardlink.so"), CS_E_NOT_FOUND, "is libcside itself");
}

static void *open_fake(void *result)
{
    cs_pkcs11_module **module = result;

    *module = check_open(FAKE_3_2_PATH);
    return NULL;
}

static void concurrently(void)
{
    cs_pkcs11_module *modules[8];
    pthread_t threads[8];

    for (size_t i = 0; i < 8; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, open_fake, &modules[i]), 0);
    for (size_t i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 8; i++)
        CHECK(modules[i] == modules[0]);
    CHECK_TEXT(cs_pkcs11_path(modules[0]), FAKE_3_2_PATH);
    CHECK_EQ(symlink(FAKE_3_2_PATH, in_folder("fake.so")), 0);
    CHECK(check_open(in_folder("fake.so")) == modules[0]);
}

static void *first_call(void *result)
{
    CK_FUNCTION_LIST_PTR *list = result;

    CHECK_EQ(C_GetFunctionList(list), CKR_OK);
    return NULL;
}

/* The exported functions open the default module once, when one of them first needs it. */
static void the_default(void)
{
    CK_FUNCTION_LIST_PTR lists[8];
    CK_FUNCTION_LIST_PTR list = NULL;
    pthread_t threads[8];
    CK_INFO info;
    CK_ULONG count = 0;

    CHECK_EQ(setenv("CSIDE_PKCS11_MODULE", in_folder("absent.so"), 1), 0);
    CHECK_EQ(C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
    CHECK_EQ(C_Initialize(NULL), CKR_GENERAL_ERROR);
    CHECK_EQ(C_GetFunctionList(&list), CKR_GENERAL_ERROR);
    CHECK_EQ(C_GetInterfaceList(NULL, &count), CKR_GENERAL_ERROR);
    CHECK_EQ(cs_pkcs11_set_default(in_folder("also absent.so")), CS_OK);
    CHECK_EQ(C_Initialize(NULL), CKR_GENERAL_ERROR);
    CHECK(strstr(cs_pkcs11_load_error(), "also absent.so") != NULL);
    CHECK_EQ(cs_pkcs11_set_default(NULL), CS_OK);
    CHECK_EQ(setenv("CSIDE_PKCS11_MODULE", FAKE_3_2_PATH, 1), 0);
    for (size_t i = 0; i < 8; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, first_call, &lists[i]), 0);
    for (size_t i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 8; i++)
        CHECK(lists[i] == lists[0]);
    CHECK_EQ(C_GetInfo(&info), CKR_OK);
    CHECK_EQ(cs_pkcs11_set_default(FAKE_2_40_PATH), CS_E_CLOSED);
    CHECK(check_open(NULL) == check_open(FAKE_3_2_PATH));
    CHECK_EQ(setenv("CSIDE_PKCS11_MODULE", FAKE_2_40_PATH, 1), 0);
    CHECK(check_open(NULL) == check_open(FAKE_3_2_PATH)); /* the default is fixed now */
}

static void too_many(void)
{
    cs_pkcs11_module *modules[CS_PKCS11_MODULES];
    char name[32];
    fake_state *state = NULL;

    modules[0] = check_open(FAKE_3_2_PATH);
    for (int i = 1; i < CS_PKCS11_MODULES - 1; i++) { /* one more is open already */
        snprintf(name, sizeof name, "module-%d.so", i);
        copy_file(i % 2 == 0 ? FAKE_3_2_PATH : FAKE_2_40_PATH, in_folder(name));
        modules[i] = check_open(in_folder(name));
    }
    copy_file(FAKE_3_0_PATH, in_folder("one more.so"));
    check_fails(in_folder("one more.so"), CS_E_STATE, "8 modules are open");
    CHECK(check_open(in_folder("module-3.so")) == modules[3]); /* modules that are open can still be opened again */
    for (int i = 1; i < CS_PKCS11_MODULES - 1; i++) {
        snprintf(name, sizeof name, "module-%d.so", i);
        state = fake_state_of(in_folder(name));
        state->answer = (CK_RV)(1000 + i);
        /* each list forwards to its own module */
        CHECK_EQ(cs_pkcs11_functions(modules[i])->C_CloseSession((CK_ULONG)i), 1000 + i);
        CHECK_EQ(state->arguments[0], i);
    }
}

/* A module that calls libcside while libcside asks it for its lists gets an error, and there is no deadlock. */
static void calling_back(void)
{
    CHECK_EQ(setenv("FAKE_CALLS_BACK", CSIDE_PATH, 1), 0);
    CHECK_EQ(setenv("CSIDE_PKCS11_MODULE", FAKE_2_40_PATH, 1), 0);
    copy_file(FAKE_2_40_PATH, in_folder("calls back.so"));
    check_open(in_folder("calls back.so"));
    CHECK_EQ(unsetenv("FAKE_CALLS_BACK"), 0);
}

int main(void)
{
    char command[64];

    CHECK(mkdtemp(folder) != NULL);
    failures();
    calling_back();
    concurrently();
    the_default();
    too_many();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? 0 : 1;
}
