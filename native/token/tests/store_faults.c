/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a change of the store that an error or a crash interrupts, which takes half an effect, or another effect than its
 * return value says.
 *
 * Each change below is made again and again: once for every system call that it makes, which fails, or at which the
 * process is killed. Then the store is loaded anew. After CKR_OK it must be in the new state, after an error in the old
 * one, and after a kill in one of the two. A state is everything that can be seen through PKCS #11.
 */
#include "faults.h"

#include "store_changes.h"

#include <sys/wait.h>

#define STATE_NBYTES 1024

struct state {
    char text[STATE_NBYTES];
};

static struct shared {
    CK_RV rv;
    struct state after; /* what the process saw after its change */
} *shared;

static struct snapshot start;

/* ---- what can be seen
 * ---------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* All objects, in the order of their labels, with the length of their values. */
static void describe_objects(CK_SESSION_HANDLE session, struct state *out)
{
    CK_OBJECT_HANDLE found[16];
    char lines[16][80];
    char *sorted[16];
    CK_ULONG count = find_all(session, found, 16);
    size_t used = strlen(out->text);

    for (CK_ULONG i = 0; i < count; i++) {
        CK_BYTE label[33] = {0};
        CK_OBJECT_CLASS object_class = 0;
        CK_ULONG size = 0;
        CK_ATTRIBUTE template[] = {{CKA_LABEL, label, 32}, {CKA_CLASS, &object_class, sizeof object_class}};

        OK(p11->C_GetAttributeValue(session, found[i], template, 2));
        OK(p11->C_GetObjectSize(session, found[i], &size));
        snprintf(lines[i], sizeof lines[i], "%lu:%s:%lu", object_class, (char *)label, size);
        sorted[i] = lines[i];
    }
    qsort(sorted, count, sizeof sorted[0], compare);
    for (CK_ULONG i = 0; i < count; i++) {
        used += (size_t)snprintf(out->text + used, sizeof out->text - used, " %s", sorted[i]);
    }
}

/* Load the store, and describe all of it. Tries of PINs change the store; the caller restores it. */
static void describe(struct state *out)
{
    CK_TOKEN_INFO info;
    CK_SESSION_HANDLE session = 0;
    CK_RV rv = CKR_OK;

    memset(out, 0, sizeof *out);
    OK(p11->C_Initialize(NULL));
    rv = p11->C_GetTokenInfo(0, &info);
    if (rv != CKR_OK) {
        snprintf(out->text, sizeof out->text, "refused: %#lx", rv);
    } else {
        snprintf(out->text, sizeof out->text, "%.4s flags %#lx;", (char *)info.label, info.flags);
        OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
        if (try_pin(session, CKU_USER, USER_PIN) == CKR_OK) {
            strcat(out->text, " old PIN;");
        } else if (try_pin(session, CKU_USER, NEW_PIN) == CKR_OK) {
            strcat(out->text, " new PIN;");
        }
        describe_objects(session, out);
    }
    OK(p11->C_Finalize(NULL));
}

/* ---- faults
 * ---------------------------------------------------------------------------------------------------------- */

/* Make the change in a child, with a fault. Returns the number of system calls; negative if the child was killed. */
static int attempt(const struct change *which, enum fault_kind kind, int at, int error)
{
    int status = 0;
    pid_t child = 0;

    snapshot_restore(&start, 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CK_SESSION_HANDLE session = 0;
        int count = 0;

        OK(p11->C_Initialize(NULL));
        OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
        if (which->user != NOBODY) {
            OK(try_pin(session, which->user, which->user == CKU_SO ? SO_PIN : USER_PIN));
        }
        faults_arm(kind, at, error, NULL);
        shared->rv = which->make(session);
        count = faults_disarm();
        memset(&shared->after, 0, sizeof shared->after);
        if (which->user == CKU_USER) {
            describe_objects(session, &shared->after);
        }
        OK(p11->C_Finalize(NULL));
        faults->count = count;
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    faults->is_armed = false;
    if (WIFEXITED(status)) {
        CHECK_EQ(WEXITSTATUS(status), 0);
        return faults->count;
    }
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && kind == FAULT_KILL);
    return -faults->count;
}

static void fail(const struct change *which, int at, const char *what, const struct state *now, const struct state *old,
                 const struct state *new)
{
    fprintf(stderr, "%s, system call %d (%s), rv %#lx: %s\n  is  %s\n  old %s\n  new %s\n", which->name, at,
            faults->calls[at - 1], shared->rv, what, now->text, old->text, new->text);
    exit(1);
}

/* The two are equal but for the flags of a PIN that was tried. */
static bool equal(const struct change *which, const struct state *left, const struct state *right)
{
    const char *left_text = left->text;
    const char *right_text = right->text;

    if (which->counts && strncmp(left_text, right_text, 4) == 0 && strchr(left_text, ';') != NULL &&
        strchr(right_text, ';') != NULL) {
        left_text = strchr(left_text, ';');
        right_text = strchr(right_text, ';');
    }
    return strcmp(left_text, right_text) == 0;
}

/* No file has a temporary name after the store was loaded. */
static void expect_name(const char *path, const char *name)
{
    const char *suffix = strrchr(name, '.');

    if (strcmp(name, "token") != 0 && (suffix == NULL || strcmp(suffix, ".object") != 0)) {
        fprintf(stderr, "%s was left behind\n", path);
        exit(1);
    }
}

static int each_call(const struct change *which, enum fault_kind kind, int error, const struct state *old,
                     const struct state *new)
{
    struct state now;
    struct state told;
    int at = 0;
    int count = 0;

    do {
        at++;
        count = attempt(which, kind, at, error);
        told = shared->after;
        describe(&now);
        store_each(0, expect_name);
        if (count < 0) {
            bool is_third = which->third != NULL && strstr(now.text, which->third) != NULL;

            if (!equal(which, &now, old) && !equal(which, &now, new) && !is_third) {
                fail(which, at, "the process was killed, and the state is neither the old nor the new one", &now, old,
                     new);
            }
        } else if (shared->rv == CKR_OK && !equal(which, &now, new)) {
            fail(which, at, "the call succeeded, and the state is not the new one", &now, old, new);
        } else if (shared->rv != CKR_OK && !equal(which, &now, old)) {
            fail(which, at, "the call failed, and the state is not the old one", &now, old, new);
        }
        if (count >= 0 && which->user == CKU_USER && strstr(now.text, told.text) == NULL) {
            fail(which, at, "the process saw other objects than the store has", &told, old, new);
        }
    } while (count < 0 || count >= at);
    return at - 1;
}

/* The disk fails at one call and never answers again, so that nothing can be put back. No half object is loaded. */
static int stuck(const struct change *which, const struct state *old, const struct state *new)
{
    struct state now;
    int at = 0;
    int count = 0;

    do {
        at++;
        count = attempt(which, FAULT_FAIL_ALL, at, EIO);
        describe(&now);
        if (!equal(which, &now, old) && !equal(which, &now, new) &&
            (which->third == NULL || strstr(now.text, which->third) == NULL)) {
            fail(which, at, "the disk failed for good, and the state is neither the old nor the new one", &now, old,
                 new);
        }
    } while (count >= at);
    return at - 1;
}

/* After a change that could be neither completed nor taken back, the store of the slot is not changed any more. */
static void refused_after(void)
{
    CK_TOKEN_INFO info;
    CK_SESSION_HANDLE session = 0;
    int last_sync = 0;
    int count = attempt(&changes[0], FAULT_COUNT, 0, 0);

    for (int i = 0; i < count; i++) {
        last_sync = strcmp(faults->calls[i], "fsync") == 0 ? i + 1 : last_sync;
    }
    snapshot_restore(&start, 0);
    OK(p11->C_Initialize(NULL));
    session = user_session();
    faults_arm(FAULT_FAIL_ALL, last_sync, EIO, NULL);
    EXPECT(changes[0].make(session), CKR_DEVICE_ERROR);
    faults_disarm();
    EXPECT(p11->C_GetTokenInfo(0, &info), CKR_TOKEN_NOT_RECOGNIZED);
    EXPECT(changes[0].make(session), CKR_DEVICE_ERROR);
    OK(p11->C_CloseAllSessions(0));
    OK(p11->C_Finalize(NULL));
    OK(p11->C_Initialize(NULL));
    OK(p11->C_GetTokenInfo(0, &info));
    OK(p11->C_Finalize(NULL));
}

/* Objects of a former token cannot be removed: nothing is stored before they are, and what is stored then stays. */
static void erased_later(void)
{
    CK_OBJECT_HANDLE object = 0;
    CK_OBJECT_HANDLE found[4];
    CK_UTF8CHAR label[32] = {0};
    CK_SESSION_HANDLE session = 0;

    snapshot_restore(&start, 0);
    OK(p11->C_Initialize(NULL));
    faults_arm(FAULT_FAIL_ALL, 1, EIO, "unlinkat");
    OK(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label));
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    CHECK_EQ(find_all(session, found, 4), 0);
    EXPECT(store_object(session, "early", &object), CKR_DEVICE_ERROR);
    EXPECT(try_pin(session, CKU_SO, SO_PIN), CKR_DEVICE_ERROR); /* not counted, so not checked */
    faults_disarm();
    OK(store_object(session, "late", &object));
    OK(p11->C_Finalize(NULL));
    OK(p11->C_Initialize(NULL));
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    CHECK_EQ(find_all(session, found, 4), 1);
    OK(p11->C_Finalize(NULL));
    CHECK_EQ(store_each(0, NULL), 2);
}

int main(void)
{
    CK_SESSION_HANDLE session = 0;
    CK_OBJECT_HANDLE object = 0;

    faults_create();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    store_create();
    token_start();
    session = user_session();
    OK(store_object(session, "one", &object));
    OK(store_object(session, "two", &object));
    OK(p11->C_Finalize(NULL));
    start = snapshot_take(0);
    for (size_t i = 0; i < COUNT(changes); i++) {
        struct state old;
        struct state new;
        int count = 0;
        int failed = 0;
        int killed = 0;

        describe(&old);
        count = attempt(&changes[i], FAULT_COUNT, 0, 0);
        CHECK(count > 3);
        OK(shared->rv);
        CHECK(faults_all_synced(count));
        describe(&new);
        CHECK(strcmp(old.text, new.text) != 0);
        failed = each_call(&changes[i], FAULT_FAIL, EIO, &old, &new);
        failed += each_call(&changes[i], FAULT_FAIL, ENOSPC, &old, &new);
        failed += stuck(&changes[i], &old, &new);
        killed = each_call(&changes[i], FAULT_KILL, 0, &old, &new);
        CHECK(failed > 0 && killed > 0);
        fprintf(stderr, "%s: %d failed and %d killed at each system call\n", changes[i].name, failed, killed);
        snapshot_restore(&start, 0);
    }
    refused_after();
    erased_later();
    snapshot_free(&start);
    store_destroy();
    return 0;
}
