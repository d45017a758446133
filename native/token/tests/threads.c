/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: wrong results of threads that work at the same time, each with its own session, and crashes of threads that
 * share a session.
 */
#include "token.h"

#include <pthread.h>

#define THREADS 4
#define ROUNDS 300

static _Atomic CK_SESSION_HANDLE shared;
static CK_OBJECT_HANDLE mac;

static void *own_session(void *argument)
{
    CK_MECHANISM hmac = {CKM_SHA256_HMAC, NULL, 0};
    CK_ULONG number = *(CK_ULONG *)argument;
    CK_SESSION_HANDLE session = 0;
    CK_OBJECT_CLASS object_class = CKO_DATA;

    for (int i = 0; i < ROUNDS; i++) {
        CK_BYTE signature[32];
        CK_ULONG nbytes = sizeof signature;
        CK_OBJECT_HANDLE object = 0;
        CK_OBJECT_HANDLE found[2];
        CK_ULONG count = 0;
        CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                                   {CKA_LABEL, &number, sizeof number}};

        OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
        OK(p11->C_SignInit(session, &hmac, mac));
        OK(p11->C_SignUpdate(session, (CK_BYTE *)&number, sizeof number));
        OK(p11->C_CreateObject(session, template, 2, &object));
        OK(p11->C_SignFinal(session, signature, &nbytes));
        OK(p11->C_VerifyInit(session, &hmac, mac));
        OK(p11->C_Verify(session, (CK_BYTE *)&number, sizeof number, signature, 32));
        OK(p11->C_FindObjectsInit(session, template, 2));
        OK(p11->C_FindObjects(session, found, 2, &count));
        CHECK(count == 1 && found[0] == object);
        OK(p11->C_CloseSession(session));
    }
    return NULL;
}

static void *same_session(void *argument)
{
    CK_MECHANISM hmac = {CKM_SHA256_HMAC, NULL, 0};
    CK_MECHANISM sha = {CKM_SHA512, NULL, 0};
    CK_BYTE out[64];
    CK_OBJECT_HANDLE found[4];
    CK_ULONG nbytes = 0;

    (void)argument;
    for (int i = 0; i < ROUNDS; i++) { /* results and errors are both allowed */
        nbytes = sizeof out;
        p11->C_SignInit(shared, &hmac, mac);
        p11->C_SignUpdate(shared, text("abc"), 3);
        p11->C_SignFinal(shared, out, &nbytes);
        p11->C_DigestInit(shared, &sha);
        nbytes = sizeof out;
        p11->C_Digest(shared, text("abc"), 3, out, &nbytes);
        p11->C_FindObjectsInit(shared, NULL, 0);
        p11->C_FindObjects(shared, found, 4, &nbytes);
        p11->C_FindObjectsFinal(shared);
        p11->C_SessionCancel(shared, ~0UL);
    }
    return NULL;
}

static void *open_and_close(void *argument)
{
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        CK_SESSION_HANDLE session = shared;

        p11->C_CloseSession(session); /* while other threads use it */
        OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
        shared = session;
    }
    return NULL;
}

static void run(void *(*first)(void *), void *(*last)(void *))
{
    pthread_t threads[THREADS];
    CK_ULONG numbers[THREADS];

    for (CK_ULONG i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, i + 1 < THREADS ? first : last, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
}

int main(void)
{
    CK_SESSION_HANDLE keeper = 0;
    CK_SESSION_HANDLE opened = 0;

    token_start();
    keeper = user_session();
    mac = secret_key(keeper, CKK_GENERIC_SECRET, "0123456789abcdef", 16);
    run(own_session, own_session);
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &opened));
    shared = opened;
    run(same_session, same_session);
    run(same_session, open_and_close);
    OK(p11->C_Finalize(NULL));
    return 0;
}
