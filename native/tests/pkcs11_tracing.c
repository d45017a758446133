/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: bytes that are counted and did not pass, errors that are not distinguished, an errno that is lost.
 */
#include "pkcs11_check.h"

#include <errno.h>

static uint64_t count_of(const char *function, CK_RV rv)
{
    cs_pkcs11_error_count counts[CS_PKCS11_ERRORS];
    uint64_t unlisted = 99;
    size_t found = cs_pkcs11_errors(counts, CS_PKCS11_ERRORS, &unlisted);

    CHECK(found <= CS_PKCS11_ERRORS);
    for (size_t i = 0; i < found; i++) {
        if (counts[i].index == trace_index(function) && counts[i].rv == rv)
            return counts[i].count;
    }
    return 0;
}

static void bytes(const CK_FUNCTION_LIST_3_2 *list, fake_state *state)
{
    CK_BYTE data[100] = {0};
    CK_ULONG room = 70;
    cs_trace_record record;

    cs_trace_reset();
    state->write = 1;
    state->written = 64;
    CHECK_EQ(list->C_Sign(1, data, 100, data, &room), CKR_OK);
    record = trace_record("C_Sign");
    CHECK(record.calls == 1 && record.errors == 0 && record.in_nbytes == 100 && record.out_nbytes == 64);
    CHECK_EQ(list->C_Sign(1, data, 100, NULL, &room), CKR_OK); /* only the length is asked for */
    CHECK_EQ(trace_record("C_Sign").out_nbytes, 64);
    state->answer = CKR_BUFFER_TOO_SMALL;
    CHECK_EQ(list->C_Sign(1, data, 10, data, &room), CKR_BUFFER_TOO_SMALL);
    record = trace_record("C_Sign");
    CHECK(record.calls == 3 && record.errors == 1 && record.in_nbytes == 210 && record.out_nbytes == 64);
    state->answer = CKR_OK;
    state->write = 0;
    CHECK_EQ(list->C_GenerateRandom(1, data, 16), CKR_OK);
    CHECK_EQ(trace_record("C_GenerateRandom").out_nbytes, 16);
    CHECK_EQ(trace_record("C_GenerateRandom").in_nbytes, 0);
    CHECK_EQ(list->C_Login(1, CKU_USER, data, 4), CKR_OK);
    CHECK_EQ(list->C_Login(1, CKU_USER, NULL, 4), CKR_OK); /* NULL counts as no bytes */
    CHECK_EQ(trace_record("C_Login").in_nbytes, 4);
    CHECK_EQ(list->C_InitToken(1, data, 4, data), CKR_OK);
    CHECK_EQ(trace_record("C_InitToken").in_nbytes, 36);
    CHECK_EQ(list->C_Verify(1, data, 10, data, 20), CKR_OK);
    CHECK_EQ(trace_record("C_Verify").in_nbytes, 30);
    CHECK_EQ(list->C_WrapKey(1, NULL, 1, 1, data, NULL), CKR_OK); /* NULL in place of the length */
    CHECK_EQ(trace_record("C_WrapKey").out_nbytes, 0);
    room = 5;
    /* the parameter does not count as a byte string */
    CHECK_EQ(list->C_SignMessage(1, data, 9, data, 20, data, &room), CKR_OK);
    CHECK_EQ(trace_record("C_SignMessage").in_nbytes, 20);
    CHECK_EQ(trace_record("C_SignMessage").out_nbytes, 5);
}

static void errors(const CK_FUNCTION_LIST_3_2 *list, fake_state *state)
{
    uint64_t unlisted = 0;
    size_t listed = 0;

    cs_trace_reset();
    CHECK_EQ(cs_pkcs11_errors(NULL, 0, NULL), 0);
    state->answer = CKR_PIN_INCORRECT;
    for (int i = 0; i < 3; i++)
        list->C_Login(1, CKU_USER, NULL, 0);
    list->C_Logout(1);
    state->answer = CKR_VENDOR_DEFINED | 0x1234;
    list->C_Login(1, CKU_USER, NULL, 0);
    CHECK_EQ(count_of("C_Login", CKR_PIN_INCORRECT), 3);
    CHECK_EQ(count_of("C_Logout", CKR_PIN_INCORRECT), 1);
    CHECK_EQ(count_of("C_Login", CKR_VENDOR_DEFINED | 0x1234), 1);
    CHECK_EQ(trace_record("C_Login").errors, 4);
    CHECK_EQ(cs_pkcs11_errors(NULL, 0, &unlisted), 3);
    CHECK_EQ(unlisted, 0);
    for (CK_RV rv = 1; rv <= CS_PKCS11_ERRORS; rv++) { /* more pairs than the table has entries */
        state->answer = 0x10000 + rv;
        list->C_Logout(1);
    }
    listed = cs_pkcs11_errors(NULL, 0, &unlisted);
    CHECK(listed <= CS_PKCS11_ERRORS && unlisted > 0);
    CHECK_EQ(listed + unlisted, 3 + CS_PKCS11_ERRORS);
    CHECK_EQ(trace_record("C_Logout").errors, 1 + CS_PKCS11_ERRORS);
    CHECK_EQ(count_of("C_Login", CKR_PIN_INCORRECT), 3);
    cs_trace_reset();
    CHECK_EQ(cs_pkcs11_errors(NULL, 0, &unlisted), 0);
    CHECK_EQ(unlisted, 0);
    state->answer = CKR_OK;
}

int main(void)
{
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(check_open(FAKE_3_2_PATH));
    fake_state *state = fake_state_of(FAKE_3_2_PATH);
    CK_INTERFACE_PTR interface = NULL;

    CHECK_EQ(cs_trace_count() - trace_index("C_Initialize"), 104);
    CHECK_EQ(list->C_Logout(1), CKR_OK);
    CHECK_EQ(trace_record("C_Logout").calls, 0); /* off by default */
    state->answer = CKR_DEVICE_ERROR;
    CHECK_EQ(list->C_Logout(1), CKR_DEVICE_ERROR);
    CHECK_EQ(cs_pkcs11_errors(NULL, 0, NULL), 0);
    state->answer = CKR_OK;

    cs_trace_enable(true);
    CHECK_EQ(list->C_Initialize(NULL), CKR_OK);
    CHECK_EQ(cs_pkcs11_initialize(check_open(FAKE_3_2_PATH), NULL, 0, NULL), CKR_OK);
    CHECK_EQ(trace_record("C_Initialize").calls, 2);
    CHECK_EQ(list->C_GetInterface(NULL, NULL, &interface, 0), CKR_OK);
    CHECK_EQ(trace_record("C_GetInterface").calls, 1);
    CHECK(trace_record("C_Initialize").total_ns > 0);
    state->error_number = EDOM;
    errno = 0;
    CHECK_EQ(list->C_Logout(1), CKR_OK);
    CHECK_EQ(errno, EDOM);
    state->answer = CKR_DEVICE_ERROR;
    errno = 0;
    CHECK_EQ(list->C_Finalize(NULL), CKR_DEVICE_ERROR);
    CHECK_EQ(errno, EDOM);
    state->error_number = 0;
    state->answer = CKR_OK;
    bytes(list, state);
    errors(list, state);
    return 0;
}
