/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an argument that the shim changes, loses or swaps, or a function that forwards to another function. The program
 * is linked with libcside, so that the symbols of the shim take precedence over those of the module.
 */
#include "pkcs11_check.h"

#include "pkcs11_calls.h"

static fake_state *state;
static uint64_t calls;

/* Each argument of each function has a different value; of a CK_BBOOL only the lowest byte counts. */
static uintptr_t value_of(const char *function, unsigned position)
{
    return (uintptr_t)fake_answer(function) << 16 ^ (uintptr_t)(position + 1) * 0x0101010101010111u;
}

static void expect_argument(unsigned position, uintptr_t expected)
{
    CHECK(state->arguments[position] == expected);
}

#define GIVE(type, position) (type) value_of(current, position)
#define NOTE(type, name, position) \
    (expect_argument(position, (uintptr_t)(type)value_of(current, position)), CHECK_COUNT(position))
#define CHECK_COUNT(position) (last = (position))

static bool hands_out_lists(const char *function)
{
    return strcmp(function, "C_GetFunctionList") == 0 || strncmp(function, "C_GetInterface", 14) == 0;
}

#define CALL(name, parameters, values, notes) \
    if (!hands_out_lists(#name)) { \
        const char *current = #name; \
        unsigned last = 0; \
        CHECK_EQ(list->name values, fake_answer(#name)); \
        CHECK_TEXT(state->function, #name); \
        notes; \
        CHECK_EQ(state->arguments_count, last + 1); \
        calls++; \
    }
#define MISSING(name, parameters, values, notes) \
    if (!hands_out_lists(#name)) { \
        const char *current = #name; \
        state->function = NULL; \
        CHECK_EQ(list->name values, CKR_FUNCTION_NOT_SUPPORTED); \
        CHECK(state->function == NULL && current != NULL); \
    }

static void all_of_2_40(const CK_FUNCTION_LIST *list)
{
    PKCS11_CALLS_2_40(CALL)
}

static void all_of_3_0(const CK_FUNCTION_LIST_3_0 *list)
{
    PKCS11_CALLS_2_40(CALL)
    PKCS11_CALLS_3_0(CALL)
}

static void all_of_3_2(const CK_FUNCTION_LIST_3_2 *list)
{
    PKCS11_CALLS_2_40(CALL)
    PKCS11_CALLS_3_0(CALL)
    PKCS11_CALLS_3_2(CALL)
}

static void none_of_3_0(const CK_FUNCTION_LIST_3_2 *list)
{
    PKCS11_CALLS_3_0(MISSING)
}

static void none_of_3_2(const CK_FUNCTION_LIST_3_2 *list)
{
    PKCS11_CALLS_3_2(MISSING)
}

/* The exported functions, as a function list. */
static CK_FUNCTION_LIST_3_2 exported(void)
{
#define LISTED(name, parameters, values, notes) .name = name,
    return (CK_FUNCTION_LIST_3_2){PKCS11_CALLS_2_40(LISTED) PKCS11_CALLS_3_0(LISTED) PKCS11_CALLS_3_2(LISTED)};
}

static const CK_FUNCTION_LIST_3_2 *take(const char *path)
{
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(check_open(path));

    state = fake_state_of(path);
    state->answer_by_name = 1;
    calls = 0;
    return list;
}

static void everything(void)
{
    const CK_FUNCTION_LIST_3_2 *list = take(FAKE_2_40_PATH), symbols = exported();
    CK_FUNCTION_LIST_PTR old = NULL;

    all_of_2_40((const CK_FUNCTION_LIST *)(const void *)list);
    CHECK_EQ(calls, 67); /* 68 without C_GetFunctionList */
    none_of_3_0(list);
    none_of_3_2(list);
    CHECK_EQ(list->C_GetFunctionList(&old), CKR_OK);
    all_of_2_40(old);

    list = take(FAKE_3_0_PATH);
    all_of_3_0((const CK_FUNCTION_LIST_3_0 *)(const void *)list);
    CHECK_EQ(calls, 89); /* 92 without the three that return lists */
    none_of_3_2(list);
    CHECK_EQ(list->C_GetFunctionList(&old), CKR_OK);
    all_of_2_40(old);

    list = take(FAKE_3_2_PATH);
    all_of_3_2(list);
    CHECK_EQ(calls, 101);
    CHECK_EQ(list->C_GetFunctionList(&old), CKR_OK);
    all_of_2_40(old);
    CHECK_EQ(C_GetFunctionList(&old), CKR_OK); /* opens the default module */
    all_of_2_40(old);
    calls = 0;
    all_of_3_2(&symbols);
    CHECK_EQ(calls, 101);
}

int main(void)
{
    CK_INFO info;

    CHECK_EQ(cs_pkcs11_set_default(FAKE_3_2_PATH), CS_OK);
    CHECK_EQ(C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
    CHECK_EQ(C_GetSlotList(CK_FALSE, NULL, NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    everything();
    cs_trace_enable(true);
    everything();
    /* the modules of 2.40 and 3.0 lack it, and are counted too */
    CHECK_EQ(trace_record("C_UnwrapKeyAuthenticated").calls, 4);
    return 0;
}
