/* SPDX-License-Identifier: Apache-2.0
 *
 * cside_token.h - what libcside_token exports beside PKCS #11: a hand for the removable slot, which is the last one.
 * dlsym() these; a program that only uses the token as a module needs nothing from here.
 *
 * Both return CKR_CRYPTOKI_NOT_INITIALIZED before C_Initialize, CKR_SLOT_ID_INVALID for a slot that does not exist, and
 * CKR_ACTION_PROHIBITED for one that is not removable. A token that is already where it should be is CKR_OK, and no event.
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

/** Put the token into its slot. It comes back as it was taken out, with nobody logged in. */
CSIDE_TOKEN_API CK_RV cside_token_insert(CK_SLOT_ID slot_id);

/** Take the token out of its slot: sessions with it are closed, and their handles invalid. */
CSIDE_TOKEN_API CK_RV cside_token_remove(CK_SLOT_ID slot_id);

#ifdef __cplusplus
}
#endif
#endif
