/* SPDX-License-Identifier: Apache-2.0
 *
 * fake.c - the module of fake.h, compiled as a module of 2.40, 3.0 or 3.2. Its lists refer to its functions by their
 * public symbols, as many modules do. In a program that is linked with libcside these symbols may resolve to libcside.
 */
#include "modules/fake.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pkcs11_calls.h"

#define EXPORT __attribute__((visibility("default")))

static fake_state state;

EXPORT fake_state *fake_state_get(void);
EXPORT fake_state *fake_state_get(void)
{
    return &state;
}

static void begin(const char *function)
{
    state.calls++;
    state.function = function;
    state.arguments_count = 0;
}

static void keep(unsigned position, uintptr_t value)
{
    state.arguments[position] = value;
    state.arguments_count = position + 1;
}

static CK_RV end(const char *function)
{
    if (state.when_called != NULL)
        state.when_called(function);
    if (state.error_number != 0)
        errno = state.error_number;
    if (state.look_at_args && strcmp(function, "C_Initialize") == 0) {
        state.has_args = state.arguments[0] != 0;
        if (state.has_args)
            memcpy(&state.args, (const void *)state.arguments[0], sizeof state.args);
    }
    if (state.write && strcmp(function, "C_Sign") == 0)
        *(CK_ULONG *)state.arguments[4] = state.written;
    return state.answer_by_name ? fake_answer(function) : state.answer;
}

#define NOTE(type, name, position) keep(position, (uintptr_t)name)
#define FUNCTION(name, parameters, values, notes) \
    EXPORT CK_RV name parameters \
    { \
        begin(#name); \
        notes; \
        return end(#name); \
    }
#define LISTED(name, parameters, values, notes) .name = name,

/* These three functions work in the usual way, since the shim calls them when it opens the module. */
#define C_GetFunctionList C_GetFunctionList_noted
#define C_GetInterfaceList C_GetInterfaceList_noted
#define C_GetInterface C_GetInterface_noted
EXPORT CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list);
EXPORT CK_RV C_GetInterfaceList(CK_INTERFACE_PTR list, CK_ULONG_PTR count);
EXPORT CK_RV C_GetInterface(CK_UTF8CHAR_PTR name, CK_VERSION_PTR version, CK_INTERFACE_PTR_PTR out, CK_FLAGS flags);
PKCS11_CALLS_2_40(FUNCTION)
#ifndef FAKE_2_40
PKCS11_CALLS_3_0(FUNCTION)
#endif
#ifdef FAKE_3_2
PKCS11_CALLS_3_2(FUNCTION)
#endif
#undef C_GetFunctionList
#undef C_GetInterfaceList
#undef C_GetInterface

static CK_FUNCTION_LIST list_2 = {.version = {2, 40}, PKCS11_CALLS_2_40(LISTED)};

/* A module that loads other modules may be configured to load libcside, while libcside is opening it. */
static void call_back(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD), *symbol = NULL;
    CK_C_GetFunctionList get_list = NULL;
    CK_FUNCTION_LIST_PTR ignored = NULL;

    if (handle == NULL)
        return;
    symbol = dlsym(handle, "C_GetFunctionList");
    memcpy(&get_list, &symbol, sizeof get_list);
    if (get_list(&ignored) != CKR_GENERAL_ERROR)
        abort();
    dlclose(handle);
}

EXPORT CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list)
{
    if (getenv("FAKE_CALLS_BACK") != NULL)
        call_back(getenv("FAKE_CALLS_BACK"));
    if (state.when_asked != NULL)
        state.when_asked();
    *list = &list_2;
    return CKR_OK;
}

#ifndef FAKE_2_40
static CK_FUNCTION_LIST_3_0 list_3_0 = {.version = {3, 0}, PKCS11_CALLS_2_40(LISTED) PKCS11_CALLS_3_0(LISTED)};
#ifdef FAKE_3_2
static CK_FUNCTION_LIST_3_2 list_3_2 = {.version = {3, 2},
                                        PKCS11_CALLS_2_40(LISTED) PKCS11_CALLS_3_0(LISTED) PKCS11_CALLS_3_2(LISTED)};
#endif

static CK_UTF8CHAR standard_name[] = "PKCS 11", vendor_name[] = "Vendor fake";
static int vendor_list;

static CK_INTERFACE interfaces[] = {
    {standard_name, &list_2, 0},
    {standard_name, &list_3_0, CKF_INTERFACE_FORK_SAFE},
#ifdef FAKE_3_2
    {standard_name, &list_3_2, 0},
#endif
    {vendor_name, &vendor_list, 0},
};
enum { INTERFACES = sizeof interfaces / sizeof interfaces[0] };

EXPORT CK_RV C_GetInterfaceList(CK_INTERFACE_PTR list, CK_ULONG_PTR count)
{
    CK_ULONG room = *count;

    *count = INTERFACES;
    if (list == NULL)
        return CKR_OK;
    if (room < INTERFACES)
        return CKR_BUFFER_TOO_SMALL;
    memcpy(list, interfaces, sizeof interfaces);
    return CKR_OK;
}

EXPORT CK_RV C_GetInterface(CK_UTF8CHAR_PTR name, CK_VERSION_PTR version, CK_INTERFACE_PTR_PTR out, CK_FLAGS flags)
{
    for (size_t i = 0; i < INTERFACES; i++) {
        CK_INTERFACE *one = &interfaces[i];
        if (name != NULL && strcmp((const char *)name, (const char *)one->pInterfaceName) != 0)
            continue;
        if (version != NULL && memcmp(version, one->pFunctionList, sizeof *version) != 0)
            continue;
        if ((one->flags & flags) != flags)
            continue;
        *out = one;
        return CKR_OK;
    }
    return CKR_FUNCTION_FAILED;
}
#endif
