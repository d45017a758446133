/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a token in a directory that is read back differently, a damaged file that affects other files, and a process
 * that is killed while it writes and leaves an incomplete object.
 */
#include "token.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static char dir[] = "/tmp/cside-token-XXXXXX";

static void slot_dir(char *out, size_t nbytes)
{
    snprintf(out, nbytes, "%s/slot-0", dir);
}

/* Call `each` for every file of the slot. Returns the number of files. */
static int files(void (*each)(const char *path))
{
    char path[300];
    char file[600];
    int count = 0;
    DIR *open_dir = NULL;
    struct dirent *entry = NULL;

    slot_dir(path, sizeof path);
    open_dir = opendir(path);
    CHECK(open_dir != NULL);
    while ((entry = readdir(open_dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            count++;
            snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
            if (each != NULL) {
                each(file);
            }
        }
    }
    closedir(open_dir);
    return count;
}

static CK_ULONG find_all(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *out, CK_ULONG room)
{
    CK_ULONG count = 0;

    OK(p11->C_FindObjectsInit(session, NULL, 0));
    OK(p11->C_FindObjects(session, out, room, &count));
    OK(p11->C_FindObjectsFinal(session));
    return count;
}

static CK_OBJECT_HANDLE make(CK_SESSION_HANDLE session, const char *label)
{
    CK_OBJECT_CLASS object_class = CKO_DATA;
    CK_OBJECT_HANDLE object = 0;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_TOKEN, &yes, 1},
                               {CKA_LABEL, text(label), strlen(label)},
                               {CKA_VALUE, text("0123456789012345678901234567890123456789"), 40}};

    OK(p11->C_CreateObject(session, template, COUNT(template), &object));
    return object;
}

static void round_trip(void)
{
    CK_MECHANISM gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_MECHANISM ecdsa = {CKM_ECDSA_SHA256, NULL, 0};
    CK_MECHANISM_TYPE allowed[] = {CKM_ECDSA_SHA256};
    CK_ATTRIBUTE public_template[] = {{CKA_EC_PARAMS, p256, sizeof p256}, {CKA_TOKEN, &yes, 1}};
    CK_ATTRIBUTE private_template[] = {{CKA_TOKEN, &yes, 1}, {CKA_ALLOWED_MECHANISMS, allowed, sizeof allowed}};
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;
    CK_OBJECT_HANDLE object = 0;
    CK_OBJECT_HANDLE found[16];
    CK_SESSION_HANDLE session = 0;
    CK_BYTE signature[64];
    CK_ULONG nbytes = sizeof signature;
    CK_ATTRIBUTE label = {CKA_LABEL, text("second"), 6};
    CK_OBJECT_CLASS private_class = CKO_PRIVATE_KEY;
    CK_ATTRIBUTE by_class = {CKA_CLASS, &private_class, sizeof private_class};
    CK_ULONG count = 0;
    CK_TOKEN_INFO before;
    CK_TOKEN_INFO after;

    token_start();
    session = user_session();
    OK(p11->C_GenerateKeyPair(session, &gen, public_template, 2, private_template, 2, &public_key, &private_key));
    object = make(session, "first");
    make(session, "gone");
    OK(p11->C_SetAttributeValue(session, object, &label, 1));
    CHECK_EQ(find_all(session, found, 16), 4);
    OK(p11->C_DestroyObject(session, found[3]));
    CHECK_EQ(files(NULL), 4);
    OK(p11->C_Logout(session));
    EXPECT(p11->C_Login(session, CKU_USER, text("wrong"), 5), CKR_PIN_INCORRECT);
    OK(p11->C_GetTokenInfo(0, &before));
    OK(p11->C_Finalize(NULL));

    OK(p11->C_Initialize(NULL));
    OK(p11->C_GetTokenInfo(0, &after));
    CHECK(memcmp(before.label, after.label, 32) == 0 && memcmp(before.serialNumber, after.serialNumber, 16) == 0);
    CHECK(after.flags & CKF_USER_PIN_COUNT_LOW); /* the count of wrong PINs was stored, too */
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    CHECK_EQ(find_all(session, found, 16), 2);
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), 8));
    CHECK_EQ(find_all(session, found, 16), 3);
    OK(p11->C_FindObjectsInit(session, &label, 1));
    OK(p11->C_FindObjects(session, found, 16, &count));
    OK(p11->C_FindObjectsFinal(session));
    CHECK_EQ(count, 1);
    OK(p11->C_FindObjectsInit(session, &by_class, 1));
    OK(p11->C_FindObjects(session, found, 16, &count));
    OK(p11->C_FindObjectsFinal(session));
    CHECK_EQ(count, 1);
    OK(p11->C_SignInit(session, &ecdsa, found[0]));
    OK(p11->C_Sign(session, text("abc"), 3, signature, &nbytes));
    OK(p11->C_Finalize(NULL));
}

static long damage_at;
static bool cut;

static void damage(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "r+b");
    int byte = 0;

    CHECK(file != NULL && fstat(fileno(file), &status) == 0);
    if (strstr(path, ".object") != NULL && status.st_size > 0) {
        long at = damage_at % status.st_size;

        if (cut) {
            CHECK(ftruncate(fileno(file), at) == 0);
        } else {
            CHECK(fseek(file, at, SEEK_SET) == 0);
            byte = fgetc(file);
            CHECK(fseek(file, at, SEEK_SET) == 0);
            CHECK(fputc(byte ^ 0x41, file) != EOF);
        }
    }
    fclose(file);
}

static void damaged(void)
{
    CK_OBJECT_HANDLE found[16];
    CK_SESSION_HANDLE session = 0;

    CHECK(freopen("/dev/null", "w", stderr) != NULL); /* suppress the expected messages */
    for (damage_at = 0; damage_at < 500; damage_at += 7) {
        for (int i = 0; i < 2; i++) { /* change a byte and restore it; then truncate the file, which loses the token */
            files(damage);
            OK(p11->C_Initialize(NULL));
            OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
            OK(p11->C_Login(session, CKU_USER, text(USER_PIN), 8));
            CHECK_EQ(find_all(session, found, 16), i ? 3 : 0);
            OK(p11->C_Finalize(NULL));
        }
    }
    cut = true;
    damage_at = 499;
    for (int i = 0; i < 10; i++, damage_at /= 2) {
        files(damage);
        OK(p11->C_Initialize(NULL));
        OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
        OK(p11->C_Login(session, CKU_USER, text(USER_PIN), 8));
        CHECK(find_all(session, found, 16) == 0);
        make(session, "next to the ruins");
        CHECK_EQ(find_all(session, found, 16), 1);
        OK(p11->C_DestroyObject(session, found[0]));
        OK(p11->C_Finalize(NULL));
    }
}

/* Start children that write until they are killed. */
static void killed(void)
{
    struct timespec pause = {0, 30000000};

    for (int i = 0; i < 5; i++) {
        CK_OBJECT_HANDLE found[16];
        CK_SESSION_HANDLE session = 0;
        CK_BYTE label[8];
        CK_ATTRIBUTE attribute = {CKA_LABEL, label, sizeof label};
        CK_ULONG count = 0;
        pid_t child = fork();

        CHECK(child >= 0);
        if (child == 0) {
            CK_OBJECT_HANDLE object = 0;

            OK(p11->C_Initialize(NULL));
            session = user_session();
            object = make(session, "aaaaaaaa");
            for (int turn = 0;; turn++) {
                CK_ATTRIBUTE next = {CKA_LABEL, text(turn % 2 ? "aaaaaaaa" : "bbbbbbbb"), 8};

                OK(p11->C_SetAttributeValue(session, object, &next, 1));
            }
        }
        pause.tv_nsec = 20000000 + i * 7000000;
        nanosleep(&pause, NULL);
        CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
        OK(p11->C_Initialize(NULL));
        session = user_session();
        count = find_all(session, found, 16);
        for (CK_ULONG at = 0; at < count; at++) {
            attribute.ulValueLen = sizeof label;
            OK(p11->C_GetAttributeValue(session, found[at], &attribute, 1));
            CHECK(memcmp(label, "aaaaaaaa", 8) == 0 || memcmp(label, "bbbbbbbb", 8) == 0);
        }
        OK(p11->C_Finalize(NULL));
    }
}

static void erased(void)
{
    CK_UTF8CHAR label[32] = {0};

    OK(p11->C_Initialize(NULL));
    OK(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label));
    CHECK_EQ(files(NULL), 1); /* the file of the token, and none of an object */
    OK(p11->C_Finalize(NULL));
}

static void remove_file(const char *path)
{
    CHECK(remove(path) == 0);
}

int main(void)
{
    char path[300];

    CHECK(mkdtemp(dir) != NULL);
    CHECK(setenv("CSIDE_TOKEN_DIR", dir, 1) == 0);
    round_trip();
    damaged();
    killed();
    erased();
    files(remove_file);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/slot-%d", dir, i);
        CHECK(rmdir(path) == 0);
    }
    snprintf(path, sizeof path, "%s/lock", dir);
    CHECK(remove(path) == 0);
    CHECK(rmdir(dir) == 0);
    return 0;
}
