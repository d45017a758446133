/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: more guesses of a PIN than the token allows, by several processes at once, or by a process that is killed before
 * its wrong guess is counted.
 */
#include "faults.h"

#include "store_files.h"

#include <sys/wait.h>

#define PROCESSES 10
#define GUESSES 4
#define TRIES 5

static CK_RV guess(CK_SESSION_HANDLE session, const char *pin)
{
    return p11->C_Login(session, CKU_USER, text(pin), strlen(pin));
}

/* Ten processes, which all have the store open before the first of them guesses, if they can. */
static void many_processes(void)
{
    struct {
        int ready;
        int answered; /* guesses that the token answered by right or wrong */
    } *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int refused = 0;

    CHECK(shared != MAP_FAILED);
    for (int i = 0; i < PROCESSES; i++) {
        pid_t child = fork();

        CHECK(child >= 0);
        if (child == 0) {
            CK_SESSION_HANDLE session = 0;
            CK_RV rv = p11->C_Initialize(NULL);

            __atomic_add_fetch(&shared->ready, 1, __ATOMIC_SEQ_CST);
            while (__atomic_load_n(&shared->ready, __ATOMIC_SEQ_CST) < PROCESSES) {
                usleep(1000);
            }
            if (rv != CKR_OK) {
                _exit(rv == CKR_GENERAL_ERROR ? 7 : 1);
            }
            OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
            for (int turn = 0; turn < GUESSES; turn++) {
                if (guess(session, "wrong pin") == CKR_PIN_INCORRECT) {
                    __atomic_add_fetch(&shared->answered, 1, __ATOMIC_SEQ_CST);
                }
            }
            _exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;

        CHECK(wait(&status) > 0 && WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7);
        refused += WEXITSTATUS(status) == 7;
    }
    fprintf(stderr, "%d processes were refused, %d guesses were answered\n", refused, shared->answered);
    CHECK(shared->answered <= TRIES);
    CHECK_EQ(refused, PROCESSES - 1);
    CHECK_EQ(munmap(shared, sizeof *shared), 0);
}

/* What a process did that logged in and was killed at its n-th system call. */
struct outcome {
    bool is_killed;
    CK_RV rv;
    int count;
    const char *calls[FAULT_CALLS_MAX];
};

static void login_and_kill(const char *pin, int at, struct outcome *out)
{
    static CK_RV *answer;
    int status = 0;
    pid_t child = 0;

    if (answer == NULL) {
        answer = mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        CHECK(answer != MAP_FAILED);
    }
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CK_SESSION_HANDLE session = 0;

        OK(p11->C_Initialize(NULL));
        OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
        faults_arm(FAULT_KILL, at, 0, NULL);
        *answer = guess(session, pin);
        faults_disarm();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    faults->is_armed = false;
    out->is_killed = WIFSIGNALED(status);
    CHECK(out->is_killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    out->rv = *answer;
    out->count = faults->count;
    memcpy(out->calls, faults->calls, sizeof out->calls);
}

static bool is_counted(void)
{
    CK_TOKEN_INFO info;

    OK(p11->C_Initialize(NULL));
    OK(p11->C_GetTokenInfo(0, &info));
    OK(p11->C_Finalize(NULL));
    return (info.flags & (CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_LOCKED)) != 0;
}

/* Kill a login with a wrong PIN at each system call in turn. Either it was counted, or the login with the right PIN made
 * the same calls so far, so that nobody learns from them whether the guess was right. */
static void killed(void)
{
    static struct outcome wrong;
    static struct outcome right;
    struct snapshot fresh = snapshot_take(0);
    int uncounted = 0;
    int at = 0;

    do {
        bool is_wrong_counted = false;
        bool is_same = false;

        at++;
        login_and_kill("wrong pin", at, &wrong);
        is_wrong_counted = is_counted();
        snapshot_restore(&fresh, 0);
        login_and_kill(USER_PIN, at, &right);
        snapshot_restore(&fresh, 0);
        is_same = wrong.is_killed && right.is_killed && wrong.count == right.count &&
                  memcmp(wrong.calls, right.calls, (size_t)wrong.count * sizeof wrong.calls[0]) == 0;
        if (!is_wrong_counted && !is_same) {
            fprintf(stderr,
                    "killed at system call %d, %s: a wrong PIN is not counted, and can be told from the right one\n",
                    at, wrong.calls[wrong.count > 0 ? wrong.count - 1 : 0]);
            exit(1);
        }
        uncounted += !is_wrong_counted;
    } while (wrong.is_killed || right.is_killed);
    CHECK(at > 5); /* there were system calls to kill at */
    CHECK(uncounted > 0);
    CHECK_EQ(wrong.rv, CKR_PIN_INCORRECT);
    CHECK_EQ(right.rv, CKR_OK);
    snapshot_free(&fresh);
}

/* A count that cannot be stored is a guess that is not answered. */
static void no_disk(void)
{
    struct snapshot fresh = snapshot_take(0);
    CK_SESSION_HANDLE session = 0;

    OK(p11->C_Initialize(NULL));
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    for (int i = 0; i < 2 * TRIES; i++) {
        faults_arm(FAULT_FAIL_ALL, 1, ENOSPC, "write");
        EXPECT(guess(session, i % 2 ? "wrong pin" : USER_PIN), CKR_DEVICE_ERROR);
        CHECK(faults_disarm() > 0);
    }
    OK(guess(session, USER_PIN));
    OK(p11->C_Logout(session));
    faults_arm(FAULT_FAIL, 2, EIO, "renameat"); /* the count is stored, and cannot be taken back */
    OK(guess(session, USER_PIN));
    CHECK_EQ(faults_disarm(), 2);
    OK(p11->C_Logout(session));
    OK(p11->C_Finalize(NULL));
    CHECK(is_counted());
    OK(p11->C_Initialize(NULL));
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    OK(guess(session, USER_PIN)); /* the next login takes it back */
    OK(p11->C_Finalize(NULL));
    CHECK(!is_counted());
    snapshot_restore(&fresh, 0);
    snapshot_free(&fresh);
}

/* A child of fork() is another process, which must wait for its parent, and it does not keep the store locked. */
static void forked(void)
{
    int to_parent[2];
    int to_child[2];
    char answer = 0;
    pid_t child = 0;

    CHECK(pipe(to_parent) == 0 && pipe(to_child) == 0);
    OK(p11->C_Initialize(NULL));
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        answer = p11->C_Initialize(NULL) == CKR_GENERAL_ERROR ? 'y' : 'n';
        CHECK_EQ(close(to_child[1]), 0);
        CHECK_EQ(write(to_parent[1], &answer, 1), 1);
        CHECK_EQ(read(to_child[0], &answer, 1), 0); /* lives until the parent closes the pipe */
        _exit(0);
    }
    CHECK_EQ(read(to_parent[0], &answer, 1), 1);
    CHECK_EQ(answer, 'y');
    OK(p11->C_Finalize(NULL));
    OK(p11->C_Initialize(NULL)); /* the child lives still */
    OK(p11->C_Finalize(NULL));
    close(to_child[0]);
    close(to_child[1]);
    close(to_parent[0]);
    close(to_parent[1]);
    CHECK(waitpid(child, NULL, 0) == child);
}

int main(void)
{
    struct snapshot fresh = {0};

    faults_create();
    store_create();
    token_start();
    OK(p11->C_Finalize(NULL));
    fresh = snapshot_take(0);
    killed();
    no_disk();
    many_processes();
    snapshot_restore(&fresh, 0);
    snapshot_free(&fresh);
    forked();
    store_destroy();
    return 0;
}
