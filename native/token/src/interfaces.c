/* SPDX-License-Identifier: Apache-2.0
 *
 * interfaces.c - the function lists of 2.40, 3.0 and 3.2. The functions that return them work before C_Initialize.
 */
#include "module.h"

#include <string.h>

#define CK_PKCS11_FUNCTION_INFO(name) .name = name,

static CK_FUNCTION_LIST_3_2 list_3_2 = {
    .version = {3, 2},
#include "cside/pkcs11f.h"
};

#define CK_PKCS11_3_0_ONLY 1
static CK_FUNCTION_LIST_3_0 list_3_0 = {
    .version = {3, 0},
#include "cside/pkcs11f.h"
};
#undef CK_PKCS11_3_0_ONLY

#define CK_PKCS11_2_0_ONLY 1
static CK_FUNCTION_LIST list_2_40 = {
    .version = {2, 40},
#include "cside/pkcs11f.h"
};
#undef CK_PKCS11_2_0_ONLY

static CK_UTF8CHAR interface_name[] = "PKCS 11";

/* The first is the default. */
static CK_INTERFACE interfaces[] = {
    {interface_name, &list_3_2, 0},
    {interface_name, &list_3_0, 0},
    {interface_name, &list_2_40, 0},
};

#define INTERFACES (sizeof interfaces / sizeof interfaces[0])

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR ppFunctionList)
{
    if (ppFunctionList == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    *ppFunctionList = &list_2_40;
    return CKR_OK;
}

CK_RV C_GetInterfaceList(CK_INTERFACE_PTR pInterfacesList, CK_ULONG_PTR pulCount)
{
    CK_RV rv = CKR_OK;

    if (pulCount == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    if (pInterfacesList != NULL) {
        if (*pulCount < INTERFACES) {
            rv = CKR_BUFFER_TOO_SMALL;
        } else {
            memcpy(pInterfacesList, interfaces, sizeof interfaces);
        }
    }
    *pulCount = INTERFACES;
    return rv;
}

CK_RV C_GetInterface(CK_UTF8CHAR_PTR pInterfaceName, CK_VERSION_PTR pVersion, CK_INTERFACE_PTR_PTR ppInterface,
                     CK_FLAGS flags)
{
    if (ppInterface == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    if (pInterfaceName != NULL && strcmp((const char *)pInterfaceName, (const char *)interface_name) != 0) {
        return CKR_FUNCTION_FAILED;
    }
    for (size_t i = 0; i < INTERFACES; i++) {
        const CK_VERSION *version = interfaces[i].pFunctionList; /* every list begins with its version */

        if ((pVersion == NULL || (version->major == pVersion->major && version->minor == pVersion->minor)) &&
            (interfaces[i].flags & flags) == flags) {
            *ppInterface = &interfaces[i];
            return CKR_OK;
        }
    }
    return CKR_FUNCTION_FAILED;
}
