/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a list of a newer version than the module has, or one whose functions bypass the shim.
 */
#include "pkcs11_check.h"

static void check_version(const void *list, unsigned major, unsigned minor)
{
    CK_VERSION version;

    memcpy(&version, list, sizeof version);
    CHECK_EQ(version.major, major);
    CHECK_EQ(version.minor, minor);
}

/* Check that a call by this list is counted by the shim and reaches the module. */
static void check_forwards(const void *list, const char *path)
{
    const CK_FUNCTION_LIST *functions = list;
    fake_state *state = fake_state_of(path);
    uint64_t before = trace_record("C_Logout").calls, calls = state->calls;

    CHECK_EQ(functions->C_Logout(1), CKR_OK);
    CHECK_EQ(state->calls, calls + 1);
    CHECK_EQ(trace_record("C_Logout").calls, before + 1);
}

/* A module of 2.40 has no interfaces; the shim offers one for it. */
static void of_2_40(void)
{
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(check_open(FAKE_2_40_PATH));
    CK_UTF8CHAR standard[] = "PKCS 11", other[] = "Other";
    CK_VERSION version = {2, 40}, newer = {3, 0};
    CK_INTERFACE interfaces[2];
    CK_INTERFACE_PTR interface = NULL;
    CK_FUNCTION_LIST_PTR old = NULL;
    CK_ULONG count = 0;

    check_version(list, 2, 40);
    CHECK_EQ(list->C_GetFunctionList(NULL), CKR_ARGUMENTS_BAD);
    CHECK_EQ(list->C_GetFunctionList(&old), CKR_OK);
    check_version(old, 2, 40);
    check_forwards(old, FAKE_2_40_PATH);
    CHECK_EQ(list->C_GetInterfaceList(NULL, NULL), CKR_ARGUMENTS_BAD);
    CHECK_EQ(list->C_GetInterfaceList(NULL, &count), CKR_OK);
    CHECK_EQ(count, 1);
    count = 0;
    CHECK_EQ(list->C_GetInterfaceList(interfaces, &count), CKR_BUFFER_TOO_SMALL);
    CHECK_EQ(count, 1);
    CHECK_EQ(list->C_GetInterfaceList(interfaces, &count), CKR_OK);
    CHECK_TEXT((const char *)interfaces[0].pInterfaceName, "PKCS 11");
    CHECK_EQ(interfaces[0].flags, 0);
    check_version(interfaces[0].pFunctionList, 2, 40);
    check_forwards(interfaces[0].pFunctionList, FAKE_2_40_PATH);
    CHECK_EQ(list->C_GetInterface(NULL, NULL, &interface, 0), CKR_OK);
    CHECK(interface->pFunctionList == interfaces[0].pFunctionList);
    CHECK_EQ(list->C_GetInterface(standard, &version, &interface, 0), CKR_OK);
    CHECK_EQ(list->C_GetInterface(standard, &newer, &interface, 0), CKR_FUNCTION_FAILED);
    CHECK_EQ(list->C_GetInterface(other, NULL, &interface, 0), CKR_FUNCTION_FAILED);
    CHECK_EQ(list->C_GetInterface(standard, NULL, &interface, CKF_INTERFACE_FORK_SAFE), CKR_FUNCTION_FAILED);
    CHECK_EQ(list->C_GetInterface(standard, NULL, NULL, 0), CKR_ARGUMENTS_BAD);
}

static void of_3(const char *path, unsigned minor, CK_ULONG expected_count)
{
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(check_open(path));
    CK_UTF8CHAR standard[] = "PKCS 11", vendor[] = "Vendor fake";
    CK_VERSION version = {3, 0}, absent = {3, 3};
    CK_INTERFACE interfaces[8];
    CK_INTERFACE_PTR interface = NULL;
    CK_FUNCTION_LIST_PTR old = NULL;
    CK_ULONG count = 8;

    check_version(list, 3, minor);
    check_forwards(list, path);
    CHECK_EQ(list->C_GetFunctionList(&old), CKR_OK);
    check_version(old, 2, 40);
    check_forwards(old, path);
    CHECK_EQ(list->C_GetInterfaceList(interfaces, &count), CKR_OK);
    CHECK_EQ(count, expected_count);
    check_version(interfaces[0].pFunctionList, 2, 40);
    check_version(interfaces[1].pFunctionList, 3, 0);
    CHECK_EQ(interfaces[1].flags, CKF_INTERFACE_FORK_SAFE);
    for (CK_ULONG i = 0; i + 1 < count; i++)
        check_forwards(interfaces[i].pFunctionList, path);
    CHECK_TEXT((const char *)interfaces[count - 1].pInterfaceName, "Vendor fake");
    CHECK_EQ(list->C_GetInterface(vendor, NULL, &interface, 0), CKR_OK);
    CHECK(interface->pFunctionList == interfaces[count - 1].pFunctionList); /* the module's own list */
    CHECK_EQ(list->C_GetInterface(standard, &version, &interface, CKF_INTERFACE_FORK_SAFE), CKR_OK);
    CHECK(interface->pFunctionList == interfaces[1].pFunctionList);
    CHECK_EQ(list->C_GetInterface(standard, &absent, &interface, 0), CKR_FUNCTION_FAILED);
    CHECK_EQ(list->C_GetInterface(NULL, NULL, &interface, 0), CKR_OK);
    check_forwards(interface->pFunctionList, path);
}

int main(void)
{
    cs_trace_enable(true);
    of_2_40();
    of_3(FAKE_3_0_PATH, 0, 3);
    of_3(FAKE_3_2_PATH, 2, 4);
    CHECK_TEXT(cs_pkcs11_rv_name(CKR_OK), "CKR_OK");
    CHECK_TEXT(cs_pkcs11_rv_name(0xA0), "CKR_PIN_INCORRECT");
    CHECK_TEXT(cs_pkcs11_rv_name(0x191), "CKR_CRYPTOKI_ALREADY_INITIALIZED");
    CHECK(cs_pkcs11_rv_name(0x4) == NULL);
    CHECK(cs_pkcs11_rv_name(CKR_VENDOR_DEFINED | 1) == NULL);
    return 0;
}
