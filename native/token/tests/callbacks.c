/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: mutexes of the application that are not used or not destroyed, and a notify callback that cannot cancel or
 * cannot call the module.
 */
#include "token.h"

#define BIG_NBYTES ((CK_ULONG)5 << 20)

static int created;
static int destroyed;
static int locked;
static int held;
static int fail_after = -1;

static CK_RV mutex_create(void **out)
{
    if (fail_after >= 0 && created >= fail_after) {
        return CKR_HOST_MEMORY;
    }
    created++;
    *out = check_alloc(4);
    *(int *)*out = 0;
    return CKR_OK;
}

static CK_RV mutex_destroy(void *mutex)
{
    destroyed++;
    CHECK_EQ(*(int *)mutex, 0);
    free(mutex);
    return CKR_OK;
}

static CK_RV mutex_lock(void *mutex)
{
    CHECK_EQ(*(int *)mutex, 0); /* with one thread it is never locked already */
    *(int *)mutex = 1;
    locked++;
    held++;
    return CKR_OK;
}

static CK_RV mutex_unlock(void *mutex)
{
    CHECK_EQ(*(int *)mutex, 1);
    *(int *)mutex = 0;
    held--;
    return CKR_OK;
}

static int notified;
static CK_RV answer = CKR_OK;
static bool close_meanwhile;

static CK_RV notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *application)
{
    CK_SESSION_INFO info;

    CHECK_EQ(event, CKN_SURRENDER);
    CHECK(application == &notified);
    CHECK_EQ(held, 0);
    notified++;
    OK(p11->C_GetSessionInfo(session, &info));
    EXPECT(p11->C_Finalize(NULL), CKR_FUNCTION_FAILED); /* not allowed in a callback */
    if (close_meanwhile) {
        OK(p11->C_CloseSession(session));
    }
    return answer;
}

static void initialise(void)
{
    CK_C_INITIALIZE_ARGS args = {mutex_create, mutex_destroy, mutex_lock, NULL, 0, NULL};

    token_load();
    EXPECT(p11->C_Initialize(&args), CKR_ARGUMENTS_BAD); /* all four are needed, or none */
    args.UnlockMutex = mutex_unlock;
    args.pReserved = &args;
    EXPECT(p11->C_Initialize(&args), CKR_ARGUMENTS_BAD);
    args.pReserved = NULL;
    fail_after = 0;
    EXPECT(p11->C_Initialize(&args), CKR_HOST_MEMORY);
    fail_after = -1;
    args.flags = CKF_OS_LOCKING_OK;
    OK(p11->C_Initialize(&args));
    EXPECT(p11->C_Initialize(&args), CKR_CRYPTOKI_ALREADY_INITIALIZED);
    EXPECT(p11->C_Initialize(NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
}

static CK_SESSION_HANDLE open_session(void)
{
    CK_SESSION_HANDLE session = 0;

    OK(p11->C_OpenSession(0, RW, &notified, notify, &session));
    return session;
}

static void surrender(void)
{
    CK_MECHANISM sha256 = {CKM_SHA256, NULL, 0};
    CK_MECHANISM gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_AES_CTR_PARAMS params = {128, {0}};
    CK_MECHANISM ctr = {CKM_AES_CTR, &params, sizeof params};
    CK_ATTRIBUTE public_template = {CKA_EC_PARAMS, p256, sizeof p256};
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;
    CK_OBJECT_HANDLE key = 0;
    CK_SESSION_HANDLE session = open_session();
    CK_BYTE *big = check_alloc(BIG_NBYTES);
    CK_BYTE digest[32];
    CK_ULONG nbytes = sizeof digest;

    memset(big, 1, BIG_NBYTES);
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), 8));
    OK(p11->C_GenerateKeyPair(session, &gen, &public_template, 1, NULL, 0, &public_key, &private_key));
    CHECK(notified >= 1);
    notified = 0;
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_Digest(session, big, BIG_NBYTES, digest, &nbytes));
    CHECK(notified >= 3);
    notified = 0;
    key = secret_key(session, CKK_AES, "0123456789abcdef", 16);
    OK(p11->C_EncryptInit(session, &ctr, key));
    nbytes = BIG_NBYTES;
    OK(p11->C_Encrypt(session, big, BIG_NBYTES, big, &nbytes));
    CHECK(notified >= 3);

    answer = CKR_CANCEL;
    EXPECT(p11->C_GenerateKeyPair(session, &gen, &public_template, 1, NULL, 0, &public_key, &private_key),
           CKR_FUNCTION_CANCELED);
    OK(p11->C_DigestInit(session, &sha256));
    nbytes = sizeof digest;
    EXPECT(p11->C_Digest(session, big, BIG_NBYTES, digest, &nbytes), CKR_FUNCTION_CANCELED);
    EXPECT(p11->C_Digest(session, big, 1, digest, &nbytes), CKR_OPERATION_NOT_INITIALIZED);

    answer = CKR_OK;
    close_meanwhile = true;
    OK(p11->C_DigestInit(session, &sha256));
    EXPECT(p11->C_Digest(session, big, BIG_NBYTES, digest, &nbytes), CKR_SESSION_CLOSED);
    EXPECT(p11->C_CloseSession(session), CKR_SESSION_HANDLE_INVALID);
    session = open_session();
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), 8));
    EXPECT(p11->C_GenerateKeyPair(session, &gen, &public_template, 1, NULL, 0, &public_key, &private_key),
           CKR_SESSION_CLOSED);
    close_meanwhile = false;
    free(big);
}

/* ---- GCM: a callback sees no plaintext before the tag was checked ---- */

static CK_BYTE *gcm_plain; /* where the plaintext is to be written */

static CK_RV look(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *application)
{
    (void)session;
    (void)event;
    (void)application;
    notified++;
    for (CK_ULONG i = 0; i < BIG_NBYTES; i++) {
        CHECK_EQ(gcm_plain[i], 0x55);
    }
    return answer;
}

/* Decrypt by each function that ends a GCM operation. */
static CK_RV gcm_decrypt(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, int way, CK_BYTE *whole, CK_BYTE *iv)
{
    CK_GCM_PARAMS params = {iv, 12, 96, NULL, 0, 128};
    CK_GCM_MESSAGE_PARAMS message = {iv, 12, 0, CKG_NO_GENERATE, whole + BIG_NBYTES, 128};
    CK_MECHANISM gcm = {CKM_AES_GCM, &params, sizeof params};
    CK_MECHANISM by_message = {CKM_AES_GCM, NULL, 0};
    CK_ULONG nbytes = BIG_NBYTES;
    CK_RV rv = CKR_OK;

    notified = 0;
    memset(gcm_plain, 0x55, BIG_NBYTES);
    if (way == 2) {
        OK(p11->C_MessageDecryptInit(session, &by_message, key));
        rv = p11->C_DecryptMessage(session, &message, sizeof message, NULL, 0, whole, BIG_NBYTES, gcm_plain, &nbytes);
        OK(p11->C_MessageDecryptFinal(session));
        return rv;
    }
    OK(p11->C_DecryptInit(session, &gcm, key));
    if (way == 0) {
        return p11->C_Decrypt(session, whole, BIG_NBYTES + 16, gcm_plain, &nbytes);
    }
    OK(p11->C_DecryptUpdate(session, whole, BIG_NBYTES + 16, gcm_plain, &nbytes));
    nbytes = BIG_NBYTES;
    return p11->C_DecryptFinal(session, gcm_plain, &nbytes);
}

static void plaintext_stays_hidden(void)
{
    static const CK_RV forged[] = {CKR_ENCRYPTED_DATA_INVALID, CKR_ENCRYPTED_DATA_INVALID, CKR_AEAD_DECRYPT_FAILED};
    CK_BYTE iv[12] = {1};
    CK_GCM_PARAMS params = {iv, sizeof iv, 96, NULL, 0, 128};
    CK_MECHANISM gcm = {CKM_AES_GCM, &params, sizeof params};
    CK_BYTE *big = check_alloc(BIG_NBYTES);
    CK_BYTE *whole = check_alloc(BIG_NBYTES + 16);
    CK_ULONG nbytes = BIG_NBYTES + 16;
    CK_SESSION_HANDLE session = 0;
    CK_OBJECT_HANDLE key = 0;

    gcm_plain = check_alloc(BIG_NBYTES);
    memset(big, 1, BIG_NBYTES);
    memset(gcm_plain, 0x55, BIG_NBYTES);
    OK(p11->C_OpenSession(0, RW, NULL, look, &session));
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), 8));
    key = secret_key(session, CKK_AES, "0123456789abcdef", 16);
    OK(p11->C_EncryptInit(session, &gcm, key));
    OK(p11->C_Encrypt(session, big, BIG_NBYTES, whole, &nbytes));
    for (int way = 0; way < 3; way++) {
        OK(gcm_decrypt(session, key, way, whole, iv));
        CHECK(memcmp(gcm_plain, big, BIG_NBYTES) == 0);
        CHECK(notified >= 3);
        whole[BIG_NBYTES - 1] ^= 1;
        EXPECT(gcm_decrypt(session, key, way, whole, iv), forged[way]);
        whole[BIG_NBYTES - 1] ^= 1;
        CHECK(gcm_plain[0] == 0x55 && gcm_plain[BIG_NBYTES - 1] == 0x55);
        answer = CKR_CANCEL;
        EXPECT(gcm_decrypt(session, key, way, whole, iv), CKR_FUNCTION_CANCELED);
        answer = CKR_OK;
        CHECK(gcm_plain[0] == 0x55 && gcm_plain[BIG_NBYTES - 1] == 0x55);
    }
    OK(p11->C_CloseSession(session));
    free(big);
    free(whole);
    free(gcm_plain);
}

int main(void)
{
    CK_UTF8CHAR label[32] = {0};
    CK_SESSION_HANDLE session = 0;
    int before = 0;

    initialise();
    OK(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label));
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    OK(p11->C_Login(session, CKU_SO, text(SO_PIN), strlen(SO_PIN)));
    OK(p11->C_InitPIN(session, text(USER_PIN), 8));
    OK(p11->C_CloseSession(session));
    surrender();
    plaintext_stays_hidden();
    session = open_session();
    before = created;
    fail_after = created;
    EXPECT(p11->C_OpenSession(0, RW, NULL, NULL, &session), CKR_HOST_MEMORY);
    CHECK_EQ(created, before);
    OK(p11->C_Finalize(NULL));
    CHECK(created > 3 && locked > 20 && held == 0);
    CHECK_EQ(destroyed, created);
    return 0;
}
