/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_calls.c - the calls of a module's functions that are under way.
 */
#include "pkcs11_calls.h"

_Thread_local pkcs11_call *pkcs11_under_way;
