/* SPDX-License-Identifier: Apache-2.0
 *
 * cside_token.h - the functions that libcside_token exports beside PKCS #11: they put the token into the removable
 * slot, which is the last one, and take it out. Look them up by dlsym(). A program that only uses the module does not
 * need them.
 *
 * Both return CKR_CRYPTOKI_NOT_INITIALIZED before C_Initialize, CKR_SLOT_ID_INVALID for a slot that does not exist, and
 * CKR_ACTION_PROHIBITED for one that is not removable. Where the token is in the requested place already, they return
 * CKR_OK and there is no event.
 */
#ifndef CSIDE_TOKEN_H
#define CSIDE_TOKEN_H

#include "cside/pkcs11.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CSIDE_TOKEN_API __attribute__((visibility("default")))
#else
#define CSIDE_TOKEN_API
#endif

/** Put the token into its slot. It has the contents that it had when it was taken out, and nobody is logged in. */
CSIDE_TOKEN_API CK_RV cside_token_insert(CK_SLOT_ID slot_id);

/** Take the token out of its slot. Its sessions are closed, and their handles become invalid. */
CSIDE_TOKEN_API CK_RV cside_token_remove(CK_SLOT_ID slot_id);

#ifdef __cplusplus
}
#endif
#endif
