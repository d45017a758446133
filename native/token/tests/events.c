/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a token that is removed and keeps its sessions, and waiting that misses an event or the end of the module.
 */
#include "token.h"

#include <pthread.h>
#include <time.h>

static void pause_ms(long ms)
{
    struct timespec time = {0, ms * 1000000};

    nanosleep(&time, NULL);
}

static void *wait_for_event(void *out)
{
    CK_SLOT_ID slot = 99;

    *(CK_RV *)out = p11->C_WaitForSlotEvent(0, &slot, NULL);
    return NULL;
}

int main(void)
{
    CK_SLOT_ID slot = 99;
    CK_SLOT_INFO info;
    CK_TOKEN_INFO token_info;
    CK_SESSION_HANDLE session = 0;
    CK_UTF8CHAR label[32] = {0};
    CK_ULONG count = 0;
    CK_RV rv = CKR_OK;
    pthread_t thread;

    token_load();
    EXPECT(token_remove(2), CKR_CRYPTOKI_NOT_INITIALIZED);
    EXPECT(p11->C_WaitForSlotEvent(0, &slot, NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    OK(p11->C_Initialize(NULL));
    OK(p11->C_GetSlotInfo(2, &info));
    CHECK_EQ(info.flags, CKF_TOKEN_PRESENT | CKF_REMOVABLE_DEVICE);
    EXPECT(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, &slot, NULL), CKR_NO_EVENT);
    EXPECT(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, NULL, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, &slot, &slot), CKR_ARGUMENTS_BAD);
    EXPECT(token_remove(0), CKR_ACTION_PROHIBITED);
    EXPECT(token_remove(9), CKR_SLOT_ID_INVALID);

    OK(p11->C_InitToken(2, text(SO_PIN), strlen(SO_PIN), label));
    OK(p11->C_OpenSession(2, RW, NULL, NULL, &session));
    OK(p11->C_Login(session, CKU_SO, text(SO_PIN), strlen(SO_PIN)));
    OK(token_remove(2));
    OK(token_remove(2)); /* there is no second event */
    OK(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, &slot, NULL));
    CHECK_EQ(slot, 2);
    EXPECT(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, &slot, NULL), CKR_NO_EVENT);
    OK(p11->C_GetSlotInfo(2, &info));
    CHECK_EQ(info.flags, CKF_REMOVABLE_DEVICE);
    EXPECT(p11->C_GetTokenInfo(2, &token_info), CKR_TOKEN_NOT_PRESENT);
    EXPECT(p11->C_GetMechanismList(2, NULL, &count), CKR_TOKEN_NOT_PRESENT);
    EXPECT(p11->C_OpenSession(2, RW, NULL, NULL, &session), CKR_TOKEN_NOT_PRESENT);
    EXPECT(p11->C_InitToken(2, text(SO_PIN), strlen(SO_PIN), label), CKR_TOKEN_NOT_PRESENT);
    EXPECT(p11->C_CloseSession(session), CKR_SESSION_HANDLE_INVALID);
    OK(p11->C_GetSlotList(CK_FALSE, NULL, &count));
    CHECK_EQ(count, 3);
    OK(p11->C_GetSlotList(CK_TRUE, NULL, &count));
    CHECK_EQ(count, 2);

    CHECK(pthread_create(&thread, NULL, wait_for_event, &rv) == 0);
    pause_ms(50);
    OK(token_insert(2));
    CHECK(pthread_join(thread, NULL) == 0);
    OK(rv);
    OK(p11->C_GetTokenInfo(2, &token_info));
    CHECK(token_info.flags & CKF_TOKEN_INITIALIZED); /* as it was when it was taken out */
    CHECK_EQ(token_info.ulSessionCount, 0);

    CHECK(pthread_create(&thread, NULL, wait_for_event, &rv) == 0);
    pause_ms(50);
    OK(p11->C_Finalize(NULL));
    CHECK(pthread_join(thread, NULL) == 0);
    EXPECT(rv, CKR_CRYPTOKI_NOT_INITIALIZED);
    return 0;
}
