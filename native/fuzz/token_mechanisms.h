/* SPDX-License-Identifier: Apache-2.0
 *
 * token_mechanisms.h - reads a mechanism and its parameter from an input. The parameter need not be that of the mechanism.
 */
#ifndef CSIDE_FUZZ_TOKEN_MECHANISMS_H
#define CSIDE_FUZZ_TOKEN_MECHANISMS_H

#include "token_input.h"

static inline CK_MECHANISM take_mechanism(struct input *input, struct blocks *blocks)
{
    static const CK_MECHANISM_TYPE types[] = {CKM_SHA_1,
                                              CKM_SHA256,
                                              CKM_SHA512,
                                              CKM_SHA3_256,
                                              CKM_SHA_1_HMAC,
                                              CKM_SHA256_HMAC,
                                              CKM_SHA256_HMAC_GENERAL,
                                              CKM_ECDSA,
                                              CKM_ECDSA_SHA256,
                                              CKM_ECDH1_DERIVE,
                                              CKM_AES_ECB,
                                              CKM_AES_CBC,
                                              CKM_AES_CBC_PAD,
                                              CKM_AES_CTR,
                                              CKM_AES_GCM,
                                              CKM_AES_KEY_WRAP,
                                              CKM_AES_KEY_WRAP_KWP,
                                              CKM_AES_KEY_GEN,
                                              CKM_GENERIC_SECRET_KEY_GEN,
                                              CKM_EC_KEY_PAIR_GEN,
                                              CKM_SHA512_HMAC_GENERAL,
                                              CKM_DES3_CBC};
    CK_MECHANISM mechanism = {types[take_byte(input) % (sizeof types / sizeof types[0])], NULL, 0};
    unsigned kind = take_byte(input) % 8;
    size_t nbytes = 0;
    uint8_t *raw = NULL;
    CK_ULONG number = 0;
    CK_GCM_PARAMS gcm = {0};
    CK_AES_CTR_PARAMS ctr = {0};
    CK_ECDH1_DERIVE_PARAMS ecdh = {0};

    switch (kind) {
    case 0: /* an initial value */
        nbytes = 16;
        break;
    case 1:
        number = take_byte(input);
        mechanism.pParameter = block(blocks, &number, mechanism.ulParameterLen = sizeof number);
        return mechanism;
    case 2:
        nbytes = 12;
        raw = take_bytes(input, &nbytes);
        gcm.pIv = block(blocks, raw, nbytes);
        gcm.ulIvLen = nbytes;
        gcm.ulTagBits = take_byte(input) % 4 != 0 ? 128 : take_byte(input);
        mechanism.pParameter = block(blocks, &gcm, mechanism.ulParameterLen = sizeof gcm);
        free(raw);
        return mechanism;
    case 3:
        ctr.ulCounterBits = take_byte(input) % 4 != 0 ? 128 : take_byte(input);
        memset(ctr.cb, take_byte(input), sizeof ctr.cb);
        mechanism.pParameter = block(blocks, &ctr, mechanism.ulParameterLen = sizeof ctr);
        return mechanism;
    case 4:
        nbytes = 65;
        raw = take_bytes(input, &nbytes);
        ecdh.kdf = take_byte(input) % 4;
        ecdh.pPublicData = block(blocks, raw, nbytes);
        ecdh.ulPublicDataLen = nbytes;
        mechanism.pParameter = block(blocks, &ecdh, mechanism.ulParameterLen = sizeof ecdh);
        free(raw);
        return mechanism;
    case 5:
        nbytes = take_byte(input) % 64;
        break;
    default:
        return mechanism;
    }
    raw = take_bytes(input, &nbytes);
    mechanism.pParameter = block(blocks, raw, mechanism.ulParameterLen = nbytes);
    free(raw);
    return mechanism;
}

#endif
