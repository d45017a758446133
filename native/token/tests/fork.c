/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a fork() inside a notify callback, after which the interrupted call goes on in the child, where its module is
 * abandoned; and one that waits for a thread in C_Finalize, which waits for the call.
 */
#include "token.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

#define BIG_NBYTES ((CK_ULONG)3 << 20)

enum operation { DIGEST, DIGEST_PART, MAC, ENCRYPT, DECRYPT, GENERATE_PAIR, OPERATIONS };

static CK_BYTE big[BIG_NBYTES], out[BIG_NBYTES];
static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE key, mac_key;
static pid_t child;
static int forks_at; /* the depth of callbacks at which the process forks */
static int depth;
static bool starts_again; /* the child initialises the module inside the callback */
static bool is_child;

static void pause_ms(long ms)
{
    const struct timespec pause = {0, ms * 1000000};

    nanosleep(&pause, NULL);
}

static CK_RV run(CK_SESSION_HANDLE in, enum operation operation)
{
    CK_AES_CTR_PARAMS ctr_params = {128, {0}};
    CK_MECHANISM sha = {CKM_SHA256, NULL, 0};
    CK_MECHANISM hmac = {CKM_SHA256_HMAC, NULL, 0};
    CK_MECHANISM ctr = {CKM_AES_CTR, &ctr_params, sizeof ctr_params};
    CK_MECHANISM gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE public_template = {CKA_EC_PARAMS, p256, sizeof p256};
    CK_OBJECT_HANDLE pair[2];
    CK_ULONG nbytes = BIG_NBYTES;

    switch (operation) {
    case DIGEST:
        OK(p11->C_DigestInit(in, &sha));
        return p11->C_Digest(in, big, BIG_NBYTES, out, &nbytes);
    case DIGEST_PART:
        OK(p11->C_DigestInit(in, &sha));
        return p11->C_DigestUpdate(in, big, BIG_NBYTES);
    case MAC:
        OK(p11->C_SignInit(in, &hmac, mac_key));
        return p11->C_Sign(in, big, BIG_NBYTES, out, &nbytes);
    case ENCRYPT:
        OK(p11->C_EncryptInit(in, &ctr, key));
        return p11->C_Encrypt(in, big, BIG_NBYTES, out, &nbytes);
    case DECRYPT:
        OK(p11->C_DecryptInit(in, &ctr, key));
        return p11->C_DecryptUpdate(in, big, BIG_NBYTES, out, &nbytes);
    default:
        return p11->C_GenerateKeyPair(in, &gen, &public_template, 1, NULL, 0, &pair[0], &pair[1]);
    }
}

static CK_RV notify(CK_SESSION_HANDLE in, CK_NOTIFICATION event, void *application)
{
    CK_SESSION_HANDLE inner = 0;
    CK_RV rv = CKR_OK;

    (void)in;
    (void)event;
    (void)application;
    if (child != 0 || is_child) {
        return CKR_OK;
    }
    if (++depth < forks_at) {
        OK(p11->C_OpenSession(0, RW, NULL, notify, &inner));
        rv = run(inner, DIGEST);
        CHECK_EQ(rv, is_child ? CKR_CRYPTOKI_NOT_INITIALIZED : CKR_OK);
    } else {
        child = fork();
        CHECK(child >= 0);
        is_child = child == 0;
        if (is_child) {
            alarm(20);
        }
        if (is_child && starts_again) {
            OK(p11->C_Initialize(NULL));
        }
    }
    depth--;
    return CKR_OK;
}

/* ---- C_Finalize waits for calls, also in the child ---- */

static atomic_bool in_callback, is_over;

static CK_RV stay(CK_SESSION_HANDLE in, CK_NOTIFICATION event, void *application)
{
    (void)in;
    (void)event;
    (void)application;
    atomic_store(&in_callback, true);
    pause_ms(100);
    atomic_store(&is_over, true);
    return CKR_CANCEL;
}

static void *digest(void *argument)
{
    CK_SESSION_HANDLE in = 0;

    OK(p11->C_OpenSession(0, RW, NULL, stay, &in));
    EXPECT(run(in, DIGEST), CKR_FUNCTION_CANCELED);
    return argument;
}

/* What a child does after the interrupted call has returned. */
static void go_on(CK_RV rv)
{
    CK_UTF8CHAR label[32] = {0};
    CK_INFO info;
    pthread_t thread;

    CHECK_EQ(rv, CKR_CRYPTOKI_NOT_INITIALIZED);
    if (!starts_again) {
        EXPECT(p11->C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
        EXPECT(p11->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
        OK(p11->C_Initialize(NULL));
    }
    EXPECT(p11->C_CloseSession(session), CKR_SESSION_HANDLE_INVALID);
    OK(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label));
    CHECK_EQ(pthread_create(&thread, NULL, digest, NULL), 0);
    while (!atomic_load(&in_callback)) {
        pause_ms(1);
    }
    OK(p11->C_Finalize(NULL));
    CHECK(atomic_load(&is_over)); /* C_Finalize has waited for the call */
    pthread_join(thread, NULL);
    OK(p11->C_Initialize(NULL));
    OK(p11->C_Finalize(NULL));
    exit(0);
}

static void check_child(void)
{
    int status = -1;

    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
    child = 0;
}

static void forks_inside(enum operation operation, int at, bool again)
{
    CK_RV rv = CKR_OK;

    forks_at = at;
    starts_again = again;
    OK(p11->C_OpenSession(0, RW, NULL, notify, &session));
    rv = run(session, operation);
    if (is_child) {
        go_on(rv);
    }
    CHECK_EQ(rv, CKR_OK);
    CHECK(child > 0);
    check_child();
    OK(p11->C_CloseSession(session));
}

/* ---- fork() while another thread is in C_Finalize ---- */

static void *finalize(void *argument)
{
    OK(p11->C_Finalize(NULL));
    return argument;
}

static CK_RV fork_late(CK_SESSION_HANDLE in, CK_NOTIFICATION event, void *application)
{
    pthread_t *thread = application;
    CK_INFO info;

    (void)in;
    (void)event;
    if (child == 0) {
        CHECK_EQ(pthread_create(thread, NULL, finalize, NULL), 0);
        while (p11->C_GetInfo(&info) == CKR_OK) {
            pause_ms(1);
        }
        pause_ms(20);
        EXPECT(p11->C_Initialize(NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED); /* C_Finalize waits for this call */
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(20);
            OK(p11->C_Initialize(NULL));
            OK(p11->C_Finalize(NULL));
            _exit(0);
        }
    }
    return CKR_OK;
}

static void forks_during_finalize(void)
{
    pthread_t thread;

    alarm(60);
    OK(p11->C_OpenSession(0, RW, &thread, fork_late, &session));
    OK(run(session, DIGEST));
    pthread_join(thread, NULL);
    check_child();
    OK(p11->C_Initialize(NULL)); /* waits for a C_Finalize that has not ended */
    OK(p11->C_Finalize(NULL));
}

int main(void)
{
    CK_SESSION_HANDLE first = 0;

    token_start();
    first = user_session();
    check_fill(big, sizeof big);
    key = secret_key(first, CKK_AES, "0123456789abcdef", 16);
    mac_key = secret_key(first, CKK_GENERIC_SECRET, "0123456789abcdef", 16);
    for (enum operation operation = 0; operation < OPERATIONS; operation++) {
        for (int at = 1; at <= 2; at++) {
            forks_inside(operation, at, false);
            forks_inside(operation, at, true);
        }
    }
    forks_during_finalize();
    return 0;
}
