/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an object that is accepted, and is too large to be loaded again.
 */
#include "store_files.h"

#ifndef ATTRIBUTE_NBYTES
#define ATTRIBUTE_NBYTES ((CK_ULONG)1 << 24) /* the longest attribute that the token takes */
#endif

static CK_SESSION_HANDLE session;
static CK_BYTE *bytes;

/* Make a data object whose four attributes have so many bytes each. */
static CK_RV make(CK_BBOOL is_token, CK_ULONG nbytes, CK_OBJECT_HANDLE *out)
{
    CK_OBJECT_CLASS object_class = CKO_DATA;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_TOKEN, &is_token, 1},
                               {CKA_LABEL, bytes, nbytes},
                               {CKA_APPLICATION, bytes, nbytes},
                               {CKA_OBJECT_ID, bytes, nbytes},
                               {CKA_VALUE, bytes, nbytes}};

    return p11->C_CreateObject(session, template, COUNT(template), out);
}

int main(void)
{
    CK_OBJECT_HANDLE objects[3] = {0};
    CK_OBJECT_HANDLE found[8];
    CK_ATTRIBUTE stored = {CKA_TOKEN, &yes, 1};
    CK_ULONG count = 0;
    CK_ULONG loaded = 0;

    bytes = check_alloc(ATTRIBUTE_NBYTES + 1);
    check_fill(bytes, ATTRIBUTE_NBYTES + 1);
    store_create();
    token_start();
    session = user_session();
    EXPECT(make(CK_FALSE, ATTRIBUTE_NBYTES + 1, &objects[0]), CKR_ATTRIBUTE_VALUE_INVALID);
    count += make(CK_TRUE, ATTRIBUTE_NBYTES, &objects[0]) == CKR_OK;
    count += make(CK_TRUE, ATTRIBUTE_NBYTES / 8 * 7, &objects[1]) == CKR_OK;
    OK(make(CK_FALSE, ATTRIBUTE_NBYTES, &objects[2])); /* a session object is not stored */
    count += p11->C_CopyObject(session, objects[2], &stored, 1, &objects[2]) == CKR_OK;
    count += store_object(session, "small", &objects[2]) == CKR_OK;
    CHECK(count > 1); /* both the small object and a large one */
    CHECK_EQ(find_all(session, found, 8), count + 1);
    OK(p11->C_Finalize(NULL));
    OK(p11->C_Initialize(NULL));
    session = user_session();
    loaded = find_all(session, found, 8);
    CHECK_EQ(loaded, count);
    OK(p11->C_Finalize(NULL));
    store_destroy();
    free(bytes);
    return 0;
}
