/* SPDX-License-Identifier: Apache-2.0
 *
 * interfaces.c - a backing module whose answers about its function lists and interfaces are lies, and what the shim then
 * gives to callers: lists whose every function can be called.
 */
#include "fuzz.h"

#include "pkcs11_module.h"

static struct input answers;
static function_list lists[4]; /* of 2.40, 3.0, 3.1 and 3.2, with holes */
static char names[3][16];
static CK_INTERFACE given; /* by C_GetInterface */

#define FUNCTION(value) \
    static CK_RV value##_of_module(void) \
    { \
        return value; \
    }
FUNCTION(CKR_DEVICE_ERROR)

/* A pointer to an interface's name or list, which is NULL in one case of four. */
static CK_INTERFACE take_interface(void)
{
    unsigned name = take_byte(&answers) % 4, list = take_byte(&answers) % 5;

    return (CK_INTERFACE){name < 3 ? (CK_UTF8CHAR *)names[name] : NULL, list < 4 ? &lists[list] : NULL,
                          take_byte(&answers) % 3};
}

/* Says how many there are, perhaps another number each time, and writes no more than there is room for: a module that
 * writes more is past help. */
static CK_RV interface_list(CK_INTERFACE_PTR out, CK_ULONG_PTR count)
{
    CK_ULONG room = *count, claimed = take_byte(&answers);

    if (claimed == 255)
        claimed = (CK_ULONG)-1;
    for (CK_ULONG i = 0; out != NULL && i < room && i < claimed; i++)
        out[i] = take_interface();
    *count = claimed;
    return take_byte(&answers) % 8 == 1 ? CKR_BUFFER_TOO_SMALL : CKR_OK;
}

static CK_RV interface(CK_UTF8CHAR_PTR name, CK_VERSION_PTR version, CK_INTERFACE_PTR_PTR out, CK_FLAGS flags)
{
    (void)name, (void)version, (void)flags;
    given = take_interface();
    *out = take_byte(&answers) % 4 == 1 ? NULL : &given;
    return take_byte(&answers) % 4 == 1 ? CKR_FUNCTION_FAILED : CKR_OK;
}

static void make_lists(void)
{
    strcpy(names[0], "PKCS 11");
    strcpy(names[1], "PKCS 11 ");
    strcpy(names[2], "");
    for (size_t i = 0; i < 4; i++) {
        unsigned holes = take_byte(&answers);

        lists[i].by_number.version = (CK_VERSION){take_byte(&answers) % 5, take_byte(&answers) % 50};
        for (size_t f = 0; f < FUNCTIONS; f++)
            lists[i].by_number.functions[f] =
                holes > 0 && f % holes == 0 ? NULL : (pkcs11_function)CKR_DEVICE_ERROR_of_module;
    }
}

/* Every function that a caller is given leads somewhere. */
static void check_list(const CK_VERSION *list)
{
    const function_list *whole = (const function_list *)(const void *)list;
    size_t count = list->major < 3 ? FUNCTIONS_2 : list->minor < 2 && list->major == 3 ? FUNCTIONS_3_0 : FUNCTIONS;

    for (size_t i = 0; i < count; i++)
        MUST(whole->by_number.functions[i] != NULL);
}

/* A list of a version that the module did not have when it was opened is given to callers as it is. */
static bool is_modules_own(const void *list)
{
    return list >= (void *)lists && list < (void *)(lists + 4);
}

static void check_functions(const function_list *target)
{
    CK_INTERFACE found[32];
    CK_INTERFACE_PTR one = NULL;
    CK_FUNCTION_LIST_PTR list = NULL;
    CK_ULONG count = sizeof found / sizeof found[0];
    CK_VERSION version = {3, take_byte(&answers) % 4};

    MUST(target->by_name.C_GetFunctionList(&list) == CKR_OK && list != NULL);
    MUST(target->by_name.C_GetFunctionList(NULL) == CKR_ARGUMENTS_BAD);
    check_list(&list->version);
    if (target->by_name.C_GetInterfaceList(found, &count) == CKR_OK && count <= 32) {
        for (CK_ULONG i = 0; i < count; i++)
            if (found[i].pFunctionList != NULL && found[i].pInterfaceName != NULL &&
                strcmp((char *)found[i].pInterfaceName, "PKCS 11") == 0 && !is_modules_own(found[i].pFunctionList))
                check_list(found[i].pFunctionList);
    }
    target->by_name.C_GetInterface(NULL, take_byte(&answers) % 2 == 0 ? &version : NULL, &one, take_byte(&answers) % 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    static function_list targets[SETS_PER_MODULE];
    cs_pkcs11_module module = {0}, *placed = &cs_pkcs11_modules[0];
    unsigned offers = 0;

    answers = (struct input){data, nbytes};
    offers = take_byte(&answers);
    make_lists();
    module.interface_list = (offers & 1) != 0 ? interface_list : NULL;
    module.interface = (offers & 2) != 0 ? interface : NULL;
    cs_pkcs11_lists_ask(&module, (const CK_FUNCTION_LIST *)(const void *)&lists[offers >> 2 & 3], targets);
    MUST(module.interfaces_count <= INTERFACES);
    *placed = module;
    cs_pkcs11_lists_fill(placed, targets);
    MUST(placed->interfaces_count >= 1 && placed->interfaces_count <= INTERFACES);
    for (size_t i = 0; i < FUNCTIONS; i++)
        MUST(placed->newest.by_number.functions[i] != NULL && targets[SET_2].by_number.functions[i] != NULL);
    for (unsigned set = 0; set < SETS_PER_MODULE; set++)
        check_functions(&cs_pkcs11_backing[set]);
    return 0;
}
