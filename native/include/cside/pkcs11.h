/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11.h - PKCS #11 3.2 (which includes 3.1, 3.0 and 2.40), in the standard's own three files: pkcs11t.h has the
 * types and values, pkcs11f.h the functions, and this file makes declarations, types and lists of them.
 *
 * A program that defines CK_PTR, CK_DECLARE_FUNCTION, CK_DECLARE_FUNCTION_POINTER, CK_CALLBACK_FUNCTION or NULL_PTR
 * before it includes this file keeps its own definition. libcside is a module by this header: see pkcs11_shim.h.
 */
#ifndef CSIDE_PKCS11_H
#define CSIDE_PKCS11_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CK_PTR
#define CK_PTR *
#endif
#ifndef CK_DEFINE_FUNCTION
#define CK_DEFINE_FUNCTION(returnType, name) returnType name
#endif
#ifndef CK_DECLARE_FUNCTION
#define CK_DECLARE_FUNCTION(returnType, name) returnType name
#endif
#ifndef CK_DECLARE_FUNCTION_POINTER
#define CK_DECLARE_FUNCTION_POINTER(returnType, name) returnType(CK_PTR name)
#endif
#ifndef CK_CALLBACK_FUNCTION
#define CK_CALLBACK_FUNCTION(returnType, name) returnType(CK_PTR name)
#endif
#ifndef NULL_PTR
#define NULL_PTR 0
#endif

#ifdef _WIN32
#pragma pack(push, cryptoki, 1)
#endif

#include "pkcs11t.h"

#define CK_PASTE(left, right) left##right

/* The exported functions. */
#define CK_NEED_ARG_LIST 1
#define CK_PKCS11_FUNCTION_INFO(name) extern CK_DECLARE_FUNCTION(CK_RV, name)
#include "pkcs11f.h"
#undef CK_PKCS11_FUNCTION_INFO

/* For each function the type of a pointer to it, as CK_C_Sign for C_Sign. */
#define CK_PKCS11_FUNCTION_INFO(name) typedef CK_DECLARE_FUNCTION_POINTER(CK_RV, CK_PASTE(CK_, name))
#include "pkcs11f.h"
#undef CK_PKCS11_FUNCTION_INFO
#undef CK_NEED_ARG_LIST

/* The function lists: a version, then one pointer per function. Each list begins like the next shorter one. */
#define CK_PKCS11_FUNCTION_INFO(name) CK_PASTE(CK_, name) name;

struct CK_FUNCTION_LIST_3_2 {
    CK_VERSION version;
#include "pkcs11f.h"
};

#define CK_PKCS11_3_0_ONLY 1
struct CK_FUNCTION_LIST_3_0 {
    CK_VERSION version;
#include "pkcs11f.h"
};
#undef CK_PKCS11_3_0_ONLY

#define CK_PKCS11_2_0_ONLY 1
struct CK_FUNCTION_LIST {
    CK_VERSION version;
#include "pkcs11f.h"
};
#undef CK_PKCS11_2_0_ONLY

#undef CK_PKCS11_FUNCTION_INFO
#undef CK_PASTE

#ifdef _WIN32
#pragma pack(pop, cryptoki)
#endif

#ifdef __cplusplus
}
#endif
#endif
