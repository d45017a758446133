/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a wrong session state, logins that do not exclude each other, stale handles, thousands of sessions, and objects
 * that remain after logout.
 */
#include "token.h"

static CK_STATE state(CK_SESSION_HANDLE session)
{
    CK_SESSION_INFO info;

    OK(p11->C_GetSessionInfo(session, &info));
    return info.state;
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user_type)
{
    const char *pin = user_type == CKU_SO ? SO_PIN : USER_PIN;

    return p11->C_Login(session, user_type, text(pin), strlen(pin));
}

static void states(void)
{
    CK_SESSION_HANDLE ro = 0;
    CK_SESSION_HANDLE rw = 0;
    CK_SESSION_HANDLE other = 0;

    EXPECT(p11->C_OpenSession(0, CKF_RW_SESSION, NULL, NULL, &ro), CKR_SESSION_PARALLEL_NOT_SUPPORTED);
    EXPECT(p11->C_OpenSession(0, RW | CKF_ASYNC_SESSION, NULL, NULL, &ro), CKR_SESSION_ASYNC_NOT_SUPPORTED);
    EXPECT(p11->C_OpenSession(0, RO, NULL, NULL, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_OpenSession(77, RO, NULL, NULL, &ro), CKR_SLOT_ID_INVALID);
    EXPECT(p11->C_OpenSession(1, RO, NULL, NULL, &ro), CKR_TOKEN_NOT_RECOGNIZED); /* not initialised */
    OK(p11->C_OpenSession(0, RO, NULL, NULL, &ro));
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &rw));
    CHECK_EQ(state(ro), CKS_RO_PUBLIC_SESSION);
    CHECK_EQ(state(rw), CKS_RW_PUBLIC_SESSION);
    EXPECT(p11->C_Logout(ro), CKR_USER_NOT_LOGGED_IN);
    EXPECT(login(rw, CKU_SO), CKR_SESSION_READ_ONLY_EXISTS);
    EXPECT(login(rw, 42), CKR_USER_TYPE_INVALID);
    EXPECT(p11->C_Login(rw, CKU_USER, NULL, 0), CKR_ARGUMENTS_BAD);
    EXPECT(login(rw, CKU_CONTEXT_SPECIFIC), CKR_OPERATION_NOT_INITIALIZED);
    OK(login(ro, CKU_USER));
    CHECK_EQ(state(ro), CKS_RO_USER_FUNCTIONS);
    CHECK_EQ(state(rw), CKS_RW_USER_FUNCTIONS);
    EXPECT(login(ro, CKU_USER), CKR_USER_ALREADY_LOGGED_IN);
    EXPECT(login(rw, CKU_SO), CKR_USER_ANOTHER_ALREADY_LOGGED_IN);
    OK(p11->C_Logout(rw));
    CHECK_EQ(state(ro), CKS_RO_PUBLIC_SESSION);
    OK(p11->C_CloseSession(ro));
    OK(login(rw, CKU_SO));
    CHECK_EQ(state(rw), CKS_RW_SO_FUNCTIONS);
    EXPECT(p11->C_OpenSession(0, RO, NULL, NULL, &ro), CKR_SESSION_READ_WRITE_SO_EXISTS);
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &other));
    CHECK_EQ(state(other), CKS_RW_SO_FUNCTIONS);
    OK(p11->C_CloseAllSessions(0));
    EXPECT(p11->C_CloseSession(rw), CKR_SESSION_HANDLE_INVALID);
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &rw)); /* closing the last session logged out */
    CHECK_EQ(state(rw), CKS_RW_PUBLIC_SESSION);
    EXPECT(p11->C_LoginUser(rw, CKU_USER, text(USER_PIN), 8, text("alice"), 5), CKR_USER_TYPE_INVALID);
    OK(p11->C_LoginUser(rw, CKU_USER, text(USER_PIN), 8, NULL, 0));
    OK(p11->C_CloseSession(rw));
    EXPECT(p11->C_GetSessionInfo(rw, NULL), CKR_SESSION_HANDLE_INVALID);
    EXPECT(p11->C_CloseAllSessions(77), CKR_SLOT_ID_INVALID);
}

static void many(void)
{
    enum { SESSIONS = 5000 };
    CK_SESSION_HANDLE *handles = check_alloc(SESSIONS * sizeof *handles);
    CK_SESSION_HANDLE again = 0;
    CK_TOKEN_INFO info;

    for (size_t i = 0; i < SESSIONS; i++) {
        OK(p11->C_OpenSession(0, i % 2 ? RW : RO, NULL, NULL, &handles[i]));
    }
    OK(p11->C_GetTokenInfo(0, &info));
    CHECK_EQ(info.ulSessionCount, SESSIONS);
    CHECK_EQ(info.ulRwSessionCount, SESSIONS / 2);
    OK(p11->C_CloseSession(handles[7]));
    OK(p11->C_OpenSession(0, RO, NULL, NULL, &again)); /* uses the same entry and another handle */
    CHECK(again != handles[7]);
    EXPECT(p11->C_GetFunctionStatus(handles[7]), CKR_SESSION_HANDLE_INVALID);
    EXPECT(p11->C_GetFunctionStatus(handles[8]), CKR_FUNCTION_NOT_PARALLEL);
    EXPECT(p11->C_CancelFunction(handles[8]), CKR_FUNCTION_NOT_PARALLEL);
    OK(p11->C_CloseAllSessions(0));
    for (size_t i = 0; i < SESSIONS; i++) {
        EXPECT(p11->C_CloseSession(handles[i]), CKR_SESSION_HANDLE_INVALID);
    }
    free(handles);
}

static CK_OBJECT_HANDLE data_object(CK_SESSION_HANDLE session, CK_BBOOL *on_token, CK_BBOOL *is_private)
{
    CK_OBJECT_CLASS object_class = CKO_DATA;
    CK_OBJECT_HANDLE object = 0;
    CK_ATTRIBUTE template[] = {
        {CKA_CLASS, &object_class, sizeof object_class}, {CKA_TOKEN, on_token, 1}, {CKA_PRIVATE, is_private, 1}};

    OK(p11->C_CreateObject(session, template, COUNT(template), &object));
    return object;
}

static void objects(void)
{
    CK_SESSION_HANDLE session = user_session();
    CK_SESSION_HANDLE other = 0;
    CK_OBJECT_HANDLE token_private = data_object(session, &yes, &yes);
    CK_OBJECT_HANDLE token_public = data_object(session, &yes, &no);
    CK_OBJECT_HANDLE session_private = data_object(session, &no, &yes);
    CK_OBJECT_HANDLE session_public = data_object(session, &no, &no);
    CK_ULONG nbytes = 0;

    OK(p11->C_OpenSession(0, RO, NULL, NULL, &other));
    OK(p11->C_GetObjectSize(other, session_private, &nbytes)); /* all sessions of a program share them */
    CHECK(nbytes > 0);
    EXPECT(p11->C_DestroyObject(other, token_public), CKR_SESSION_READ_ONLY);
    OK(p11->C_Logout(session));
    EXPECT(p11->C_GetObjectSize(session, token_private, &nbytes), CKR_OBJECT_HANDLE_INVALID);
    EXPECT(p11->C_GetObjectSize(session, session_private, &nbytes), CKR_OBJECT_HANDLE_INVALID);
    OK(p11->C_GetObjectSize(session, token_public, &nbytes));
    OK(login(session, CKU_USER)); /* old handles stay invalid */
    EXPECT(p11->C_GetObjectSize(session, token_private, &nbytes), CKR_OBJECT_HANDLE_INVALID);
    OK(p11->C_CloseSession(session));
    EXPECT(p11->C_GetObjectSize(other, session_public, &nbytes), CKR_OBJECT_HANDLE_INVALID);
    OK(p11->C_GetObjectSize(other, token_public, &nbytes));
    OK(p11->C_CloseSession(other));
}

int main(void)
{
    token_start();
    states();
    many();
    objects();
    OK(p11->C_Finalize(NULL));
    return 0;
}
