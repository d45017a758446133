/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a program that names no module and does not get the token in the folder of libcside.
 */
#define _POSIX_C_SOURCE 200809L

#include "pkcs11_check.h"

#include <unistd.h>

int main(void)
{
    char path[4096];
    cs_pkcs11_module *module = NULL;
    CK_FUNCTION_LIST_PTR list = NULL;
    CK_INFO info;

    CHECK_EQ(unsetenv("CSIDE_PKCS11_MODULE"), 0);
    snprintf(path, sizeof path, "%.*slibcside_token.so", (int)(strrchr(CSIDE_PATH, '/') - CSIDE_PATH + 1), CSIDE_PATH);
    if (access(path, F_OK) != 0) {
        CHECK_EQ(cs_pkcs11_open(NULL, &module), CS_E_NOT_FOUND);
        CHECK(strstr(cs_pkcs11_load_error(), "libcside_token.so: cannot open shared object file") != NULL);
        CHECK_EQ(C_GetFunctionList(&list), CKR_GENERAL_ERROR);
        return 0;
    }
    CHECK_EQ(C_GetFunctionList(&list), CKR_OK);
    module = check_open(NULL);
    CHECK_EQ(access(cs_pkcs11_path(module), R_OK), 0);
    CHECK_EQ(cs_pkcs11_functions(module)->version.major, 3);
    CHECK_EQ(C_Initialize(NULL), CKR_OK);
    CHECK_EQ(cs_pkcs11_functions(module)->C_Initialize(NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED); /* the same module */
    CHECK_EQ(list->C_GetInfo(&info), CKR_OK);
    CHECK_EQ(C_Finalize(NULL), CKR_OK);
    CHECK_EQ(list->C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
    return 0;
}
