/* SPDX-License-Identifier: Apache-2.0
 *
 * verdicts.c - tells a wrong signature from one that there was no memory to verify.
 */
#include "verdicts.h"

#include <openssl/err.h>

void signature_expect(void)
{
    ERR_clear_error();
}

CK_RV signature_verdict(int answer)
{
    bool lacks_memory = answer < 0;
    unsigned long error = 0;

    while ((error = ERR_get_error()) != 0) {
        lacks_memory = lacks_memory || ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE;
    }
    if (answer == 1) {
        return CKR_OK;
    }
    return lacks_memory ? CKR_HOST_MEMORY : CKR_SIGNATURE_INVALID;
}
