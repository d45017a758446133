/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a token that cannot be read counts as one that is not there, so that a preset or C_InitToken erases its keys.
 */
#include "faults.h"

#include "store_files.h"

#include <sys/wait.h>

#define PRESET "preset:" SO_PIN ":" USER_PIN

static struct snapshot good;

static void make_token(void)
{
    CK_MECHANISM gen = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG length = 32;
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &length, sizeof length}, {CKA_TOKEN, &yes, 1}};
    CK_OBJECT_HANDLE key = 0;
    CK_SESSION_HANDLE session = 0;

    OK(p11->C_Initialize(NULL));
    session = user_session();
    OK(p11->C_GenerateKey(session, &gen, template, COUNT(template), &key));
    OK(p11->C_Finalize(NULL));
    good = snapshot_take(0);
    CHECK_EQ(good.count, 2); /* the token and the key */
}

/* The token and its key are there, and the user can log in. */
static void expect_whole(void)
{
    CK_SESSION_HANDLE session = 0;
    CK_OBJECT_HANDLE found[4];

    OK(p11->C_Initialize(NULL));
    session = user_session();
    CHECK_EQ(find_all(session, found, 4), 1);
    OK(p11->C_Finalize(NULL));
}

/* Every function refuses the slot, the other slots work, and no file changes. `fault` is armed during C_Initialize. */
static void expect_refused(const char *fault, int at)
{
    struct snapshot before = snapshot_take(0);
    CK_UTF8CHAR label[32] = {0};
    CK_TOKEN_INFO token_info;
    CK_SLOT_INFO slot_info;
    CK_MECHANISM_INFO mechanism_info;
    CK_ULONG count = 0;
    CK_SESSION_HANDLE session = 0;

    if (fault != NULL) {
        faults_arm(FAULT_FAIL, at, EMFILE, fault);
    }
    OK(p11->C_Initialize(NULL));
    CHECK(fault == NULL || faults_disarm() >= at);
    OK(p11->C_GetSlotInfo(0, &slot_info));
    CHECK(slot_info.flags & CKF_TOKEN_PRESENT);
    EXPECT(p11->C_GetTokenInfo(0, &token_info), CKR_TOKEN_NOT_RECOGNIZED);
    EXPECT(p11->C_GetMechanismList(0, NULL, &count), CKR_TOKEN_NOT_RECOGNIZED);
    EXPECT(p11->C_GetMechanismInfo(0, CKM_SHA256, &mechanism_info), CKR_TOKEN_NOT_RECOGNIZED);
    EXPECT(p11->C_OpenSession(0, RW, NULL, NULL, &session), CKR_TOKEN_NOT_RECOGNIZED);
    EXPECT(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label), CKR_TOKEN_NOT_RECOGNIZED);
    OK(p11->C_GetTokenInfo(1, &token_info));
    OK(p11->C_Finalize(NULL));
    CHECK(snapshot_holds(&before, 0));
    snapshot_free(&before);
}

static void damaged_token(void)
{
    char path[PATH_NBYTES];
    char aside[PATH_NBYTES];
    size_t at = 0;

    slot_path(0, "token", path);
    slot_path(0, "aside", aside);
    while (strcmp(good.files[at].name, "token") != 0) {
        at++;
    }
    for (size_t byte = 0; byte < good.files[at].nbytes; byte += 9) { /* flip one bit */
        good.files[at].data[byte] ^= 1;
        snapshot_restore(&good, 0);
        good.files[at].data[byte] ^= 1;
        expect_refused(NULL, 0);
    }
    for (size_t nbytes = 0; nbytes < good.files[at].nbytes; nbytes += 17) { /* cut the file off */
        file_write(path, good.files[at].data, nbytes);
        expect_refused(NULL, 0);
    }
    snapshot_restore(&good, 0);
    CHECK_EQ(rename(path, aside), 0); /* a key without a token */
    expect_refused(NULL, 0);
    CHECK_EQ(symlink("aside", path), 0);
    expect_refused(NULL, 0);
    CHECK_EQ(remove(path), 0);
    CHECK_EQ(mkdir(path, 0700), 0);
    OK(p11->C_Initialize(NULL));
    EXPECT(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), (CK_UTF8CHAR[32]){0}), CKR_TOKEN_NOT_RECOGNIZED);
    OK(p11->C_Finalize(NULL));
    CHECK_EQ(rmdir(path), 0);
    CHECK_EQ(rename(aside, path), 0);
    expect_whole();
}

/* The process has no file descriptor left, or the disk does not answer, when the slot is read. */
static void no_descriptor(void)
{
    expect_refused("open", 2); /* the first is the lock's */
    expect_refused("openat", 1);
    expect_refused("read", 1);
    expect_whole();
}

/* Every system call of C_Initialize fails in turn. Whatever it returns, no file changes. */
static void every_call(void)
{
    int at = 0;
    int refused = 0;

    do {
        CK_TOKEN_INFO info;
        CK_RV rv = CKR_OK;

        at++;
        faults_arm(FAULT_FAIL, at, EMFILE, NULL);
        rv = p11->C_Initialize(NULL);
        faults_disarm();
        if (rv == CKR_OK) {
            refused += p11->C_GetTokenInfo(0, &info) == CKR_TOKEN_NOT_RECOGNIZED;
            OK(p11->C_Finalize(NULL));
        } else {
            EXPECT(rv, CKR_GENERAL_ERROR);
            refused++;
        }
        CHECK(snapshot_holds(&good, 0));
    } while (faults->count >= at);
    CHECK(refused > 3);
    expect_whole();
}

/* A preset that is killed or fails at each of its system calls is applied by the next C_Initialize, whole. */
static void preset(enum fault_kind kind)
{
    struct snapshot nothing = {0};
    int at = 0;
    int status = 0;

    do {
        CK_SESSION_HANDLE session = 0;
        pid_t child = 0;

        at++;
        snapshot_restore(&nothing, 0);
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            faults_arm(kind, at, ENOSPC, NULL);
            _exit(p11->C_Initialize(NULL) == CKR_OK ? 0 : 1);
        }
        CHECK(waitpid(child, &status, 0) == child);
        faults_disarm();
        OK(p11->C_Initialize(NULL));
        session = user_session();
        OK(p11->C_CloseSession(session));
        OK(p11->C_Finalize(NULL));
        CHECK_EQ(store_each(0, NULL), 1);
    } while (faults->count >= at);
    CHECK(at > 10);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    faults_create();
    token_load();
    store_create();
    CHECK(setenv("CSIDE_TOKEN_PRESET", PRESET, 1) == 0);
    make_token();
    expect_whole();
    damaged_token();
    no_descriptor();
    every_call();
    preset(FAULT_FAIL);
    preset(FAULT_KILL);
    snapshot_free(&good);
    store_destroy();
    return 0;
}
