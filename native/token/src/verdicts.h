/* SPDX-License-Identifier: Apache-2.0
 *
 * verdicts.h - what libcrypto's answer to a verification means.
 */
#ifndef TOKEN_VERDICTS_H
#define TOKEN_VERDICTS_H

#include "module.h"

/** Forget earlier errors of libcrypto, so that signature_verdict() finds those of one verification. */
void signature_expect(void);

/** What libcrypto's answer to a verification means: 1 that the signature is right, below 0 that there was no memory to
 *  verify it, 0 that it is wrong or the latter, which an error tells. libcrypto 3.0 has no such error for Ed25519. */
CK_RV signature_verdict(int answer);

#endif
