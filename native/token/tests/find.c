/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a search that finds wrong objects, objects that must not be seen, or objects made after it began; a search that
 * is slow with 10,000 objects.
 */
#include "token.h"

#include <time.h>

static CK_SESSION_HANDLE session;

static CK_ULONG find(CK_ATTRIBUTE *template, CK_ULONG count)
{
    CK_OBJECT_HANDLE handles[64];
    CK_ULONG total = 0;
    CK_ULONG got = 0;

    OK(p11->C_FindObjectsInit(session, template, count));
    do {
        OK(p11->C_FindObjects(session, handles, 64, &got));
        total += got;
    } while (got > 0);
    OK(p11->C_FindObjectsFinal(session));
    return total;
}

static CK_OBJECT_HANDLE make(CK_ULONG number, CK_BBOOL *is_private)
{
    CK_OBJECT_CLASS object_class = CKO_DATA;
    CK_OBJECT_HANDLE object = 0;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_PRIVATE, is_private, 1},
                               {CKA_LABEL, &number, sizeof number},
                               {CKA_VALUE, text("a value that is longer than sixteen bytes"), 41}};

    OK(p11->C_CreateObject(session, template, COUNT(template), &object));
    return object;
}

static void ten_thousand(void)
{
    struct timespec begin;
    struct timespec end;
    CK_ULONG number = 7777;
    CK_ATTRIBUTE by_label = {CKA_LABEL, &number, sizeof number};
    double ms = 0;

    for (CK_ULONG i = 0; i < 10000; i++) {
        make(i, i % 2 ? &yes : &no);
    }
    CHECK_EQ(find(NULL, 0), 10000);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    CHECK_EQ(find(&by_label, 1), 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    ms = (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6;
    printf("one of 10,000 objects found in %.3f ms\n", ms);
    CHECK(ms < 250); /* a hundredth of that on an idle machine */
    OK(p11->C_Logout(session));
    CHECK_EQ(find(NULL, 0), 5000); /* private session objects were destroyed */
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)));
    CHECK_EQ(find(NULL, 0), 5000);
    OK(p11->C_CloseSession(session));
    session = user_session();
    CHECK_EQ(find(NULL, 0), 0);
}

static void matching(void)
{
    CK_OBJECT_HANDLE objects[4];
    CK_OBJECT_HANDLE got[8];
    CK_ULONG count = 0;
    CK_ULONG number = 1;
    CK_BYTE *secret = text("0123456789abcdef");
    CK_OBJECT_CLASS object_class = CKO_DATA;
    CK_ATTRIBUTE both[] = {{CKA_CLASS, &object_class, sizeof object_class}, {CKA_LABEL, &number, sizeof number}};
    CK_ATTRIBUTE shorter = {CKA_LABEL, &number, 3};
    CK_ATTRIBUTE unknown = {CKA_MODULUS, &number, sizeof number};
    CK_ATTRIBUTE lying = {CKA_LABEL, NULL, 4};
    CK_ATTRIBUTE value = {CKA_VALUE, secret, 16};
    CK_OBJECT_HANDLE key = secret_key(session, CKK_AES, secret, 16);
    CK_ATTRIBUTE sensitive = {CKA_SENSITIVE, &yes, 1};

    for (CK_ULONG i = 0; i < 4; i++) {
        objects[i] = make(i, &no);
    }
    CHECK_EQ(find(both, 2), 1);
    CHECK_EQ(find(both, 1), 4);
    CHECK_EQ(find(&shorter, 1), 0);
    CHECK_EQ(find(&unknown, 1), 0);
    CHECK_EQ(find(&value, 1), 1);
    OK(p11->C_SetAttributeValue(session, key, &sensitive, 1));
    CHECK_EQ(find(&value, 1), 0); /* a sensitive value cannot be guessed */
    EXPECT(p11->C_FindObjectsInit(session, &lying, 1), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(p11->C_FindObjectsInit(session, NULL, 1), CKR_ARGUMENTS_BAD);

    EXPECT(p11->C_FindObjects(session, got, 8, &count), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_FindObjectsFinal(session), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_FindObjectsInit(session, both, 1));
    EXPECT(p11->C_FindObjectsInit(session, both, 1), CKR_OPERATION_ACTIVE);
    EXPECT(p11->C_FindObjects(session, NULL, 8, &count), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_FindObjects(session, got, 8, NULL), CKR_ARGUMENTS_BAD);
    OK(p11->C_FindObjects(session, got, 1, &count));
    CHECK(count == 1 && got[0] == objects[0]);
    OK(p11->C_DestroyObject(session, objects[2]));
    make(4, &no); /* made after this search began */
    OK(p11->C_FindObjects(session, got, 8, &count));
    CHECK(count == 3 && got[0] == objects[1] && got[2] == objects[3]);
    EXPECT(p11->C_GetObjectSize(session, got[1], &count), CKR_OBJECT_HANDLE_INVALID);
    OK(p11->C_SessionCancel(session, CKF_FIND_OBJECTS));
    EXPECT(p11->C_FindObjectsFinal(session), CKR_OPERATION_NOT_INITIALIZED);
}

int main(void)
{
    token_start();
    session = user_session();
    ten_thousand();
    matching();
    OK(p11->C_Finalize(NULL));
    return 0;
}
