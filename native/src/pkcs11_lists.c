/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_lists.c - finds out which function lists and interfaces a module has, and makes those that callers are given.
 *
 * A module of 3.x offers its lists as interfaces with the name "PKCS 11". An older module has a single list and no
 * interfaces; the shim offers one interface for it. The 2.x list forwards to the module's own 2.x list, all other lists
 * forward to the module's newest list.
 */
#include "pkcs11_module.h"

#include <string.h>

#include "cside/trace.h"

#define STANDARD "PKCS 11"

/* The largest number of interfaces that is read from a module. */
#define ASKED 32

static CK_UTF8CHAR standard_name[] = STANDARD;

cs_pkcs11_module cs_pkcs11_modules[CS_PKCS11_MODULES];

static bool is_standard(const CK_INTERFACE *interface)
{
    return interface->pInterfaceName != NULL && interface->pFunctionList != NULL &&
           strcmp((const char *)interface->pInterfaceName, STANDARD) == 0;
}

static CK_VERSION version_of(const void *list)
{
    CK_VERSION version;

    memcpy(&version, list, sizeof version); /* every list begins with its version */
    return version;
}

static unsigned number_of(CK_VERSION version)
{
    return version.major * 256u + version.minor;
}

/* Number of functions in a list of this version that came from an interface. */
static size_t functions_of(CK_VERSION version)
{
    if (version.major < 3)
        return FUNCTIONS_2;
    return version.major == 3 && version.minor < 2 ? FUNCTIONS_3_0 : FUNCTIONS;
}

/* The targets of a set that forwards to a list of the module. Where the program is linked with libcside, a module that
 * refers to its own functions by their public names gets those of libcside in its list; the module's own are then
 * looked up by name. */
static void targets_find(const cs_pkcs11_module *module, const void *list, size_t functions_count, function_list *out)
{
    function_list exported, missing, theirs = {0};

    cs_pkcs11_fill_exported(&exported);
    cs_pkcs11_fill_missing(&missing);
    memcpy(&theirs, list, offsetof(function_list, by_number.functions[functions_count]));
    for (size_t i = 0; i < FUNCTIONS; i++) {
        pkcs11_function function = theirs.by_number.functions[i];
        if (function != NULL && function == exported.by_number.functions[i])
            function = cs_pkcs11_symbol(module->handle, cs_trace_name(CS_TRACE_ID_C_Initialize + i));
        out->by_number.functions[i] = function != NULL ? function : missing.by_number.functions[i];
    }
}

/* Add one interface of the module, unless it is there already. Returns its list, or NULL. */
static const void *interface_add(cs_pkcs11_module *module, const CK_INTERFACE *interface)
{
    CK_VERSION version = {0, 0};

    if (!is_standard(interface))
        return NULL;
    version = version_of(interface->pFunctionList);
    for (CK_ULONG i = 0; i < module->interfaces_count; i++) {
        if (module->interfaces[i].flags == interface->flags &&
            number_of(module->lists[i].by_number.version) == number_of(version))
            return NULL;
    }
    if (module->interfaces_count == INTERFACES || (version.major != 2 && version.major != 3))
        return NULL;
    module->lists[module->interfaces_count].by_number.version = version;
    module->interfaces[module->interfaces_count].flags = interface->flags;
    module->interfaces_count++;
    return interface->pFunctionList;
}

static const void *newer(const void *left, const void *right)
{
    if (left == NULL || right == NULL)
        return left != NULL ? left : right;
    return number_of(version_of(right)) > number_of(version_of(left)) ? right : left;
}

/* Add the interfaces of the module. Returns the newest list among them, or NULL. */
static const void *interfaces_find(cs_pkcs11_module *module)
{
    static const CK_VERSION versions[] = {{3, 2}, {3, 1}, {3, 0}, {2, 40}};
    CK_INTERFACE found[ASKED] = {{NULL, NULL, 0}}; /* a module may write fewer than it says */
    CK_ULONG count = 0;
    const void *newest = NULL;

    if (module->interface_list != NULL && module->interface_list(NULL, &count) == CKR_OK && count <= ASKED &&
        module->interface_list(found, &count) == CKR_OK && count <= ASKED) {
        for (CK_ULONG i = 0; i < count; i++)
            newest = newer(newest, interface_add(module, &found[i]));
    }
    for (size_t i = 0; newest == NULL && module->interface != NULL && i < sizeof versions / sizeof versions[0]; i++) {
        CK_VERSION version = versions[i];
        CK_INTERFACE_PTR one = NULL;
        if (module->interface(standard_name, &version, &one, 0) == CKR_OK && one != NULL)
            newest = newer(newest, interface_add(module, one));
    }
    return newest;
}

static bool has_3(const cs_pkcs11_module *module)
{
    return module->newest.by_number.version.major >= 3;
}

void cs_pkcs11_lists_ask(cs_pkcs11_module *module, const CK_FUNCTION_LIST *list,
                         function_list out_targets[SETS_PER_MODULE])
{
    const void *newest = interfaces_find(module);

    if (newest == NULL || version_of(newest).major < 3)
        newest = list;
    module->list_2.by_number.version = list->version;
    module->newest.by_number.version = version_of(newest);
    targets_find(module, newest, newest == list ? FUNCTIONS_2 : functions_of(version_of(newest)),
                 &out_targets[SET_NEWEST]);
    targets_find(module, list, FUNCTIONS_2, &out_targets[SET_2]);
}

/* ---- what is handed out ---- */

static CK_RV list_get(unsigned number, CK_FUNCTION_LIST_PTR_PTR out_list)
{
    if (out_list == NULL)
        return CKR_ARGUMENTS_BAD;
    *out_list = (CK_FUNCTION_LIST_PTR)(void *)&cs_pkcs11_modules[number].list_2;
    return CKR_OK;
}

/* The interface that the caller is given in place of one of the module's. An interface that is not the standard's is
 * returned as it is. So is one of a version that the module did not have when it was opened, since nothing is known of
 * its functions. */
static CK_INTERFACE_PTR interface_for(cs_pkcs11_module *module, CK_INTERFACE_PTR theirs)
{
    CK_INTERFACE_PTR same_version = theirs;

    if (!is_standard(theirs))
        return theirs;
    for (CK_ULONG i = 0; i < module->interfaces_count; i++) {
        if (number_of(module->lists[i].by_number.version) != number_of(version_of(theirs->pFunctionList)))
            continue;
        if (module->interfaces[i].flags == theirs->flags)
            return &module->interfaces[i];
        same_version = &module->interfaces[i];
    }
    return same_version;
}

static CK_RV interfaces_get(unsigned number, CK_INTERFACE_PTR out_interfaces, CK_ULONG_PTR count)
{
    cs_pkcs11_module *module = &cs_pkcs11_modules[number];
    CK_ULONG room = 0;
    CK_RV rv = CKR_OK;

    room = count != NULL ? *count : 0;
    if (module->interface_list != NULL) {
        rv = module->interface_list(out_interfaces, count);
        if (rv == CKR_OK && out_interfaces != NULL && count != NULL && *count > room)
            rv = CKR_BUFFER_TOO_SMALL; /* it says that it has written more than it was given room for */
        for (CK_ULONG i = 0; rv == CKR_OK && out_interfaces != NULL && count != NULL && i < *count; i++)
            out_interfaces[i] = *interface_for(module, &out_interfaces[i]);
        return rv;
    }
    if (count == NULL)
        return CKR_ARGUMENTS_BAD;
    *count = module->interfaces_count;
    if (out_interfaces == NULL)
        return CKR_OK;
    if (room < module->interfaces_count)
        return CKR_BUFFER_TOO_SMALL;
    memcpy(out_interfaces, module->interfaces, module->interfaces_count * sizeof *out_interfaces);
    return CKR_OK;
}

static CK_RV interface_get(unsigned number, CK_UTF8CHAR_PTR name, CK_VERSION_PTR version,
                           CK_INTERFACE_PTR_PTR out_interface, CK_FLAGS flags)
{
    cs_pkcs11_module *module = &cs_pkcs11_modules[number];
    CK_RV rv = CKR_OK;

    if (module->interface != NULL) {
        rv = module->interface(name, version, out_interface, flags);
        if (rv == CKR_OK && out_interface != NULL && *out_interface != NULL)
            *out_interface = interface_for(module, *out_interface);
        return rv;
    }
    if (out_interface == NULL)
        return CKR_ARGUMENTS_BAD;
    if (name != NULL && strcmp((const char *)name, STANDARD) != 0)
        return CKR_FUNCTION_FAILED;
    for (CK_ULONG i = 0; i < module->interfaces_count; i++) {
        CK_INTERFACE_PTR one = &module->interfaces[i];
        if ((one->flags & flags) == flags &&
            (version == NULL || number_of(*version) == number_of(module->lists[i].by_number.version))) {
            *out_interface = one;
            return CKR_OK;
        }
    }
    return CKR_FUNCTION_FAILED; /* the value that the standard defines for the case that nothing matches */
}

#define LIST_FUNCTIONS(number) \
    static CK_RV list_get_##number(CK_FUNCTION_LIST_PTR_PTR out_list) \
    { \
        return list_get(number, out_list); \
    } \
    static CK_RV interfaces_get_##number(CK_INTERFACE_PTR out_interfaces, CK_ULONG_PTR count) \
    { \
        return interfaces_get(number, out_interfaces, count); \
    } \
    static CK_RV interface_get_##number(CK_UTF8CHAR_PTR name, CK_VERSION_PTR version, CK_INTERFACE_PTR_PTR out, \
                                        CK_FLAGS flags) \
    { \
        return interface_get(number, name, version, out, flags); \
    }
/* clang-format off */
#define EACH_MODULE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
/* clang-format on */
EACH_MODULE(LIST_FUNCTIONS)

/* The functions of a module that hand out lists. */
static void functions_fill(unsigned number, function_list *out)
{
#define LIST_GET(n) list_get_##n,
#define INTERFACES_GET(n) interfaces_get_##n,
#define INTERFACE_GET(n) interface_get_##n,
    static const CK_C_GetFunctionList lists[] = {EACH_MODULE(LIST_GET)};
    static const CK_C_GetInterfaceList interface_lists[] = {EACH_MODULE(INTERFACES_GET)};
    static const CK_C_GetInterface interfaces[] = {EACH_MODULE(INTERFACE_GET)};

    out->by_name.C_GetFunctionList = lists[number];
    out->by_name.C_GetInterfaceList = interface_lists[number];
    out->by_name.C_GetInterface = interfaces[number];
}

/* ---- what callers are given ---- */

/* The functions of a set, with the version that the module gave the list. */
static void list_fill(unsigned set, function_list *list)
{
    CK_VERSION version = list->by_number.version;

    cs_pkcs11_fill_set(set, list);
    list->by_number.version = version;
}

void cs_pkcs11_lists_fill(cs_pkcs11_module *module, const function_list targets[SETS_PER_MODULE])
{
    unsigned sets = module->number * SETS_PER_MODULE;

    for (unsigned i = 0; i < SETS_PER_MODULE; i++) {
        cs_pkcs11_backing[sets + i] = targets[i];
        functions_fill(module->number, &cs_pkcs11_backing[sets + i]);
    }
    list_fill(sets + SET_NEWEST, &module->newest);
    list_fill(sets + (has_3(module) ? SET_2 : SET_NEWEST), &module->list_2);
    for (CK_ULONG i = 0; i < module->interfaces_count; i++) {
        CK_VERSION version = module->lists[i].by_number.version;
        module->lists[i] = version.major >= 3 ? module->newest : module->list_2;
        module->lists[i].by_number.version = version;
        module->interfaces[i].pInterfaceName = standard_name;
        module->interfaces[i].pFunctionList = &module->lists[i];
    }
    if (module->interfaces_count == 0) {
        module->lists[0].by_number.version = module->list_2.by_number.version; /* the version that callers ask for */
        module->interfaces[0] = (CK_INTERFACE){standard_name, &module->list_2, 0};
        module->interfaces_count = 1;
    }
}
