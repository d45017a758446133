/* SPDX-License-Identifier: Apache-2.0
 *
 * wrapped_keys.c - wrapped keys, of which an attacker chooses the ciphertext, or the contents of a well-wrapped one. A key that
 * is unwrapped, and may be wrapped, is the same after both.
 */
#include "token_input.h"

#include <openssl/evp.h>

#define CONTENT_NBYTES 2048

static const uint8_t wrapping_value[32] = {1, 2, 3};
static uint8_t iv[16];

static CK_OBJECT_HANDLE wrapping_key(CK_SESSION_HANDLE session)
{
    static CK_OBJECT_CLASS secret = CKO_SECRET_KEY;
    static CK_KEY_TYPE aes = CKK_AES;
    static CK_BBOOL yes = CK_TRUE;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret, sizeof secret},
                               {CKA_KEY_TYPE, &aes, sizeof aes},
                               {CKA_VALUE, text((const char *)wrapping_value), sizeof wrapping_value},
                               {CKA_WRAP, &yes, 1},
                               {CKA_UNWRAP, &yes, 1}};
    CK_OBJECT_HANDLE key = 0;

    MUST(C_CreateObject(session, template, sizeof template / sizeof template[0], &key) == CKR_OK);
    return key;
}

/* Wrap the contents as RFC 5649 or in CBC with padding. Returns the number of bytes; 0 if that cannot be. */
static size_t wrap(CK_MECHANISM_TYPE mechanism, const uint8_t *content, size_t nbytes, uint8_t *out)
{
    const EVP_CIPHER *cipher = mechanism == CKM_AES_CBC_PAD ? EVP_aes_256_cbc() : EVP_aes_256_wrap_pad();
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int first = 0, last = 0;
    bool is_done = false;

    MUST(ctx != NULL);
    EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    is_done = nbytes > 0 &&
              EVP_EncryptInit_ex(ctx, cipher, NULL, wrapping_value, mechanism == CKM_AES_CBC_PAD ? iv : NULL) == 1 &&
              EVP_EncryptUpdate(ctx, out, &first, content, (int)nbytes) == 1 &&
              EVP_EncryptFinal_ex(ctx, out + first, &last) == 1;
    EVP_CIPHER_CTX_free(ctx);
    return is_done ? (size_t)first + (size_t)last : 0;
}

static void check_same(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE wrapping,
                       CK_OBJECT_HANDLE key, CK_ATTRIBUTE *template, CK_ULONG count)
{
    uint8_t first[CONTENT_NBYTES * 2], second[CONTENT_NBYTES * 2];
    CK_ULONG first_nbytes = sizeof first, second_nbytes = sizeof second;
    CK_OBJECT_HANDLE again = 0;

    if (C_WrapKey(session, mechanism, wrapping, key, first, &first_nbytes) != CKR_OK)
        return;
    MUST(C_UnwrapKey(session, mechanism, wrapping, first, first_nbytes, template, count, &again) == CKR_OK);
    MUST(C_WrapKey(session, mechanism, wrapping, again, second, &second_nbytes) == CKR_OK);
    MUST(first_nbytes == second_nbytes && memcmp(first, second, first_nbytes) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct input input = {data, nbytes};
    struct blocks blocks = {.count = 0};
    CK_ATTRIBUTE template[TEMPLATE_MAX + 4];
    CK_SESSION_HANDLE session = kept_session("standard");
    CK_OBJECT_HANDLE wrapping = wrapping_key(session), key = 0;
    unsigned how = take_byte(&input);
    CK_MECHANISM mechanism = {(how & 3) == 0   ? CKM_AES_CBC_PAD
                              : (how & 3) == 1 ? CKM_AES_KEY_WRAP
                                               : CKM_AES_KEY_WRAP_KWP,
                              (how & 3) == 0 ? iv : NULL, (how & 3) == 0 ? sizeof iv : 0};
    CK_OBJECT_CLASS object_class = (how & 4) != 0 ? CKO_PRIVATE_KEY : CKO_SECRET_KEY;
    CK_KEY_TYPE key_type = (how & 4) == 0   ? ((how & 8) != 0 ? CKK_AES : CKK_GENERIC_SECRET)
                           : (how & 8) != 0 ? CKK_RSA
                                            : CKK_EC;
    CK_BBOOL yes = CK_TRUE, no = CK_FALSE;
    CK_ULONG count = take_template(&input, &blocks, template, TEMPLATE_MAX);
    size_t content_nbytes = CONTENT_NBYTES, wrapped_nbytes = 0;
    uint8_t *content = take_bytes(&input, &content_nbytes), wrapped[CONTENT_NBYTES * 2], *exact = NULL;

    if ((how & 16) == 0) { /* else the template says what it wants */
        template[count++] = (CK_ATTRIBUTE){CKA_CLASS, &object_class, sizeof object_class};
        template[count++] = (CK_ATTRIBUTE){CKA_KEY_TYPE, &key_type, sizeof key_type};
        template[count++] = (CK_ATTRIBUTE){CKA_EXTRACTABLE, &yes, 1};
        template[count++] = (CK_ATTRIBUTE){CKA_SENSITIVE, &no, 1};
    }
    if ((how & 32) != 0 && mechanism.mechanism != CKM_AES_KEY_WRAP) {
        wrapped_nbytes = wrap(mechanism.mechanism, content, content_nbytes, wrapped);
    } else if (content_nbytes > 0) {
        memcpy(wrapped, content, wrapped_nbytes = content_nbytes);
    }
    exact = block(&blocks, wrapped, wrapped_nbytes);
    if (C_UnwrapKey(session, &mechanism, wrapping, exact, wrapped_nbytes, template, count, &key) == CKR_OK) {
        for (unsigned i = 0; i < 4; i++)
            read_back(session, key, take_attribute_type(&input));
        check_same(session, &mechanism, wrapping, key, template, count);
    }
    free(content);
    blocks_free(&blocks);
    return 0;
}
