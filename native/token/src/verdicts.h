/* SPDX-License-Identifier: Apache-2.0
 *
 * verdicts.h - what libcrypto's answer to a verification means.
 */
#ifndef TOKEN_VERDICTS_H
#define TOKEN_VERDICTS_H

#include "module.h"

/** Forget earlier errors of libcrypto, so that signature_verdict() finds those of one verification. */
void signature_expect(void);

/** Return what libcrypto's answer to a verification means: CKR_OK for 1; CKR_HOST_MEMORY for an answer below 0, and where
 *  libcrypto recorded that it had no memory; else CKR_SIGNATURE_INVALID. For Ed25519 libcrypto 3.0 records nothing. */
CK_RV signature_verdict(int answer);

#endif
