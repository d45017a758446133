/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a module that cannot be initialised and finalised several times, and a child of fork() that is initialised
 * already or affects its parent.
 */
#include "token.h"

#include <sys/wait.h>

static void again_and_again(void)
{
    CK_SESSION_HANDLE session = 0;
    CK_SESSION_HANDLE stale = 0;
    CK_INFO info;

    token_load();
    EXPECT(p11->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    EXPECT(p11->C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
    for (int i = 0; i < 5; i++) {
        token_start();
        EXPECT(p11->C_CloseSession(stale), CKR_SESSION_HANDLE_INVALID);
        session = user_session();
        stale = session;
        EXPECT(p11->C_Finalize(&info), CKR_ARGUMENTS_BAD);
        OK(p11->C_GetInfo(&info));
        CHECK(info.cryptokiVersion.major == 3 && info.cryptokiVersion.minor == 2);
        OK(p11->C_Finalize(NULL)); /* while a session is open and a user is logged in */
    }
}

static void in_child(CK_SESSION_HANDLE session)
{
    CK_INFO info;
    CK_TOKEN_INFO token_info;

    EXPECT(p11->C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
    EXPECT(p11->C_CloseSession(session), CKR_CRYPTOKI_NOT_INITIALIZED);
    EXPECT(p11->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    OK(p11->C_Initialize(NULL));
    OK(p11->C_GetTokenInfo(0, &token_info));
    CHECK_EQ(token_info.flags & CKF_TOKEN_INITIALIZED, 0); /* it is in memory, and so only in the parent */
    EXPECT(p11->C_CloseSession(session), CKR_SESSION_HANDLE_INVALID);
    OK(p11->C_Finalize(NULL));
    exit(0);
}

static void fork_one(void)
{
    CK_SESSION_HANDLE session = 0;
    int status = -1;
    pid_t child = 0;

    token_start();
    session = user_session();
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        in_child(session);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
    OK(p11->C_CloseSession(session));
    OK(p11->C_Finalize(NULL));
}

int main(void)
{
    again_and_again();
    fork_one();
    return 0;
}
