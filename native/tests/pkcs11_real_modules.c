/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a shim that works only with the modules that were made for its tests. SoftHSM2, NSS and p11-kit are called if
 * they are installed.
 */
#define _GNU_SOURCE

#include "pkcs11_check.h"

#include <unistd.h>

static char folder[] = "/tmp/cside-modules-XXXXXX";

/* The first of these files that exists; NULL if none does. */
static const char *installed(const char *const paths[])
{
    for (; *paths != NULL; paths++) {
        if (access(*paths, R_OK) == 0)
            return *paths;
    }
    return NULL;
}

static cs_pkcs11_module *check_module(const char *path, unsigned major)
{
    cs_pkcs11_module *module = check_open(path);
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(module);

    CHECK_EQ(list->version.major, major);
    printf("%s: %d.%d\n", path, list->version.major, list->version.minor);
    return module;
}

/* Initialise a token, open a session, get random bytes and a digest. */
static void softhsm(const char *path)
{
    cs_pkcs11_module *module = check_module(path, 2);
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(module);
    CK_UTF8CHAR pin[] = "1234", label[33] = "shim                            ";
    CK_MECHANISM sha256 = {CKM_SHA256, NULL, 0};
    CK_SESSION_HANDLE session = 0;
    CK_SLOT_ID slots[4];
    CK_ULONG count = 4, nbytes = 32;
    CK_BYTE data[32] = {0}, digest[32];
    CK_INFO info, direct;
    char configuration[128];
    FILE *file = NULL;

    snprintf(configuration, sizeof configuration, "%s/softhsm2.conf", folder);
    file = fopen(configuration, "w");
    CHECK(file != NULL);
    fprintf(file, "directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n", folder);
    fclose(file);
    CHECK_EQ(setenv("SOFTHSM2_CONF", configuration, 1), 0);

    CHECK_EQ(list->C_GetSlotList(CK_FALSE, NULL, &count), CKR_CRYPTOKI_NOT_INITIALIZED);
    CHECK_EQ(cs_pkcs11_initialize(module, NULL, CKF_OS_LOCKING_OK, NULL), CKR_OK);
    CHECK_EQ(cs_pkcs11_initialize(module, NULL, CKF_OS_LOCKING_OK, NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
    CHECK_EQ(list->C_GetInfo(&info), CKR_OK);
    CHECK_EQ(C_GetInfo(&direct), CKR_CRYPTOKI_NOT_INITIALIZED); /* the default module is not open yet */
    CHECK_EQ(list->C_GetSlotList(CK_FALSE, slots, &count), CKR_OK);
    CHECK_EQ(list->C_InitToken(slots[0], pin, 4, label), CKR_OK);
    count = 4;
    CHECK_EQ(list->C_GetSlotList(CK_TRUE, slots, &count), CKR_OK);
    CHECK_EQ(list->C_OpenSession(slots[0], CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session), CKR_OK);
    CHECK_EQ(list->C_Login(session, CKU_SO, pin, 3), CKR_PIN_INCORRECT);
    CHECK_EQ(list->C_Login(session, CKU_SO, pin, 4), CKR_OK);
    CHECK_EQ(list->C_GenerateRandom(session, data, 32), CKR_OK);
    CHECK_EQ(list->C_DigestInit(session, &sha256), CKR_OK);
    CHECK_EQ(list->C_Digest(session, data, 32, digest, &nbytes), CKR_OK);
    CHECK_EQ(nbytes, 32);
    CHECK_EQ(trace_record("C_Digest").in_nbytes, 32);
    CHECK_EQ(trace_record("C_Digest").out_nbytes, 32);
    CHECK_EQ(trace_record("C_Login").errors, 1);
    CHECK_EQ(list->C_LoginUser(session, CKU_USER, pin, 4, NULL, 0), CKR_FUNCTION_NOT_SUPPORTED); /* 3.0 */
    CHECK_EQ(list->C_CloseSession(session), CKR_OK);
    CHECK_EQ(list->C_Finalize(NULL), CKR_OK);
}

static void nss(const char *path)
{
    cs_pkcs11_module *module = check_module(path, 3);
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(module);
    char parameters[] = "configdir='' certPrefix='' keyPrefix='' secmod='' flags=noCertDB,noModDB,readOnly";
    CK_FUNCTION_LIST_PTR old = NULL;
    CK_INTERFACE interfaces[16];
    CK_ULONG count = 16;
    CK_INFO info;

    CHECK_EQ(list->C_GetFunctionList(&old), CKR_OK);
    CHECK_EQ(old->version.major, 2);
    CHECK_EQ(list->C_GetInterfaceList(interfaces, &count), CKR_OK);
    CHECK(count >= 2);
    CHECK_EQ(cs_pkcs11_initialize(module, NULL, CKF_OS_LOCKING_OK, parameters), CKR_OK);
    CHECK_EQ(list->C_GetInfo(&info), CKR_OK);
    CHECK_EQ(info.cryptokiVersion.major, 3);
    CHECK_EQ(old->C_GetInfo(&info), CKR_OK); /* it tells by the list which version the caller knows */
    CHECK_EQ(info.cryptokiVersion.major, 2);
    CHECK_EQ(list->C_Finalize(NULL), CKR_OK);
}

static void p11_kit(const char *path)
{
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(check_open(path));
    CK_INFO info;

    printf("%s: %d.%d\n", path, list->version.major, list->version.minor);
    CHECK_EQ(list->C_Initialize(NULL), CKR_OK);
    CHECK_EQ(list->C_GetInfo(&info), CKR_OK);
    CHECK_EQ(list->C_Finalize(NULL), CKR_OK);
}

int main(void)
{
    static const char *const softhsm_paths[] = {"/usr/lib/softhsm/libsofthsm2.so",          "/usr/lib64/libsofthsm2.so",
                                                "/usr/lib64/softhsm/libsofthsm2.so",        "/usr/lib/libsofthsm2.so",
                                                "/opt/homebrew/lib/softhsm/libsofthsm2.so", NULL};
    static const char *const nss_paths[] = {"/usr/lib/x86_64-linux-gnu/libsoftokn3.so", "/usr/lib64/libsoftokn3.so",
                                            "/usr/lib/aarch64-linux-gnu/libsoftokn3.so", "/usr/lib/libsoftokn3.so",
                                            NULL};
    static const char *const p11_kit_paths[] = {
        "/usr/lib/x86_64-linux-gnu/p11-kit-proxy.so", "/usr/lib64/p11-kit-proxy.so",
        "/usr/lib/aarch64-linux-gnu/p11-kit-proxy.so", "/usr/lib/p11-kit-proxy.so", NULL};
    char command[64];
    int found = 0;

    CHECK(mkdtemp(folder) != NULL);
    cs_trace_enable(true);
    if (installed(softhsm_paths) != NULL)
        softhsm(installed(softhsm_paths)), found++;
    if (installed(nss_paths) != NULL)
        nss(installed(nss_paths)), found++;
    if (installed(p11_kit_paths) != NULL)
        p11_kit(installed(p11_kit_paths)), found++;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_EQ(system(command), 0);
    return found > 0 ? 0 : CHECK_SKIPPED;
}
