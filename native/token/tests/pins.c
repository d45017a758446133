/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: PINs of wrong length that are accepted, PINs that the wrong user can set, wrong PINs that are not counted,
 * flagged or do not lock, and a user whom the SO cannot unlock.
 */
#include "token.h"

static CK_SESSION_HANDLE session;

static CK_FLAGS flags(void)
{
    CK_TOKEN_INFO info;

    OK(p11->C_GetTokenInfo(0, &info));
    return info.flags;
}

static CK_RV login(CK_USER_TYPE user_type, const char *pin)
{
    return p11->C_Login(session, user_type, text(pin), strlen(pin));
}

static void lengths(void)
{
    CK_BYTE pin[65];

    memset(pin, 'x', sizeof pin);
    OK(login(CKU_SO, SO_PIN));
    EXPECT(p11->C_InitPIN(session, pin, 3), CKR_PIN_LEN_RANGE);
    EXPECT(p11->C_InitPIN(session, pin, 65), CKR_PIN_LEN_RANGE);
    EXPECT(p11->C_InitPIN(session, NULL, 0), CKR_ARGUMENTS_BAD);
    OK(p11->C_InitPIN(session, pin, 64));
    OK(p11->C_InitPIN(session, text(USER_PIN), strlen(USER_PIN)));
    EXPECT(p11->C_SetPIN(session, text(SO_PIN), strlen(SO_PIN), pin, 3), CKR_PIN_LEN_RANGE);
    OK(p11->C_SetPIN(session, text(SO_PIN), strlen(SO_PIN), text("another"), 7)); /* the SO's own PIN */
    OK(p11->C_Logout(session));
    EXPECT(login(CKU_SO, SO_PIN), CKR_PIN_INCORRECT);
    OK(login(CKU_SO, "another"));
    OK(p11->C_SetPIN(session, text("another"), 7, text(SO_PIN), strlen(SO_PIN)));
    OK(p11->C_Logout(session));
}

static void who_may(void)
{
    CK_SESSION_HANDLE reader = 0;

    EXPECT(p11->C_InitPIN(session, text("12345"), 5), CKR_USER_NOT_LOGGED_IN);
    OK(p11->C_OpenSession(0, RO, NULL, NULL, &reader));
    EXPECT(p11->C_SetPIN(reader, text(USER_PIN), 8, text("12345"), 5), CKR_SESSION_READ_ONLY);
    OK(p11->C_CloseSession(reader));
    EXPECT(p11->C_SetPIN(session, text("wrong"), 5, text("12345"), 5), CKR_PIN_INCORRECT);
    OK(p11->C_SetPIN(session, text(USER_PIN), 8, text("12345"), 5)); /* the user's PIN, while nobody is logged in */
    OK(login(CKU_USER, "12345"));
    EXPECT(p11->C_InitPIN(session, text("12345"), 5), CKR_USER_NOT_LOGGED_IN);
    OK(p11->C_SetPIN(session, text("12345"), 5, text(USER_PIN), 8));
    EXPECT(p11->C_SetPIN(session, NULL, 5, text(USER_PIN), 8), CKR_ARGUMENTS_BAD);
    OK(p11->C_Logout(session));
}

static void user_lock(void)
{
    CHECK_EQ(flags() & (CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED), 0);
    for (int i = 0; i < 5; i++) {
        EXPECT(login(CKU_USER, "wrong pin"), CKR_PIN_INCORRECT);
        CHECK_EQ((flags() & CKF_USER_PIN_COUNT_LOW) != 0, i < 4);
        CHECK_EQ((flags() & CKF_USER_PIN_FINAL_TRY) != 0, i == 3);
    }
    CHECK(flags() & CKF_USER_PIN_LOCKED);
    EXPECT(login(CKU_USER, USER_PIN), CKR_PIN_LOCKED);
    EXPECT(p11->C_SetPIN(session, text(USER_PIN), 8, text("12345"), 5), CKR_PIN_LOCKED);
    OK(login(CKU_SO, SO_PIN));
    OK(p11->C_InitPIN(session, text(USER_PIN), 8));
    OK(p11->C_Logout(session));
    CHECK_EQ(flags() & CKF_USER_PIN_LOCKED, 0);
    EXPECT(login(CKU_USER, "x"), CKR_PIN_INCORRECT); /* a PIN of an impossible length is counted, too */
    CHECK(flags() & CKF_USER_PIN_COUNT_LOW);
    OK(login(CKU_USER, USER_PIN)); /* a correct PIN resets the count */
    CHECK_EQ(flags() & CKF_USER_PIN_COUNT_LOW, 0);
    OK(p11->C_Logout(session));
}

static void init_token(void)
{
    CK_UTF8CHAR label[32];
    CK_TOKEN_INFO info;

    memset(label, 'L', sizeof label);
    EXPECT(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label), CKR_SESSION_EXISTS);
    OK(p11->C_CloseSession(session));
    EXPECT(p11->C_InitToken(0, text("wrong"), 5, label), CKR_PIN_INCORRECT);
    EXPECT(p11->C_InitToken(0, NULL, 5, label), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_InitToken(99, text(SO_PIN), strlen(SO_PIN), label), CKR_SLOT_ID_INVALID);
    EXPECT(p11->C_InitToken(1, text("123"), 3, label), CKR_PIN_LEN_RANGE);
    OK(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label));
    OK(p11->C_GetTokenInfo(0, &info));
    CHECK(memcmp(info.label, label, 32) == 0);
    CHECK(info.flags & CKF_TOKEN_INITIALIZED);
    CHECK_EQ(info.flags & CKF_USER_PIN_INITIALIZED, 0);
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    EXPECT(login(CKU_USER, USER_PIN), CKR_USER_PIN_NOT_INITIALIZED);
    EXPECT(p11->C_SetPIN(session, text(USER_PIN), 8, text("12345"), 5), CKR_USER_PIN_NOT_INITIALIZED);
}

static void so_lock(void)
{
    CK_UTF8CHAR label[32] = {0};

    for (int i = 0; i < 5; i++) {
        EXPECT(login(CKU_SO, "wrong pin"), CKR_PIN_INCORRECT);
        CHECK_EQ((flags() & CKF_SO_PIN_COUNT_LOW) != 0, i < 4);
        CHECK_EQ((flags() & CKF_SO_PIN_FINAL_TRY) != 0, i == 3);
    }
    CHECK(flags() & CKF_SO_PIN_LOCKED);
    EXPECT(login(CKU_SO, SO_PIN), CKR_PIN_LOCKED);
    OK(p11->C_CloseSession(session));
    EXPECT(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label), CKR_PIN_LOCKED);
}

int main(void)
{
    token_start();
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    lengths();
    who_may();
    user_lock();
    init_token();
    so_lock();
    OK(p11->C_Finalize(NULL));
    return 0;
}
