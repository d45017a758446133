/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_module.h - what the files of the shim know of each other.
 *
 * pkcs11_forward.c   the functions that forward, and where to
 * pkcs11_lists.c     which lists and interfaces a module has, and what is handed out for them
 * pkcs11_open.c      opening modules, and the one behind the exported functions
 * pkcs11_locks.c     an application's locks with a pointer of its own
 * pkcs11_errors.c    return values: their names, and how often each came
 * pkcs11_report.c    the file that CSIDE_TRACE_FILE asks for
 */
#ifndef CSIDE_PKCS11_MODULE_H
#define CSIDE_PKCS11_MODULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cside/status.h"

/* The standard's functions are exported. */
#define CK_DECLARE_FUNCTION(returnType, name) CS_API returnType name
#include "cside/pkcs11_shim.h"
#include "trace_list.h"

/** Functions of the longest list, and of the shorter ones. */
enum {
    FUNCTIONS = CS_TRACE_FUNCTIONS - CS_TRACE_ID_C_Initialize,
    FUNCTIONS_3_0 = CS_TRACE_ID_C_EncapsulateKey - CS_TRACE_ID_C_Initialize,
    FUNCTIONS_2 = CS_TRACE_ID_C_GetInterfaceList - CS_TRACE_ID_C_Initialize
};

/** A module may behave differently by its 2.x list, so each module has two sets of forwarding functions. */
enum { SET_NEWEST, SET_2, SETS_PER_MODULE, SETS = CS_PKCS11_MODULES * SETS_PER_MODULE };

/** One version of the standard may come with several flags; more are not told apart. */
enum { INTERFACES = 8 };

typedef void (*pkcs11_function)(void);

/** A function list, by name and by number. */
typedef union function_list {
    CK_FUNCTION_LIST_3_2 by_name;
    struct {
        CK_VERSION version;
        pkcs11_function functions[FUNCTIONS];
    } by_number;
} function_list;

_Static_assert(sizeof(CK_FUNCTION_LIST_3_2) == offsetof(function_list, by_number.functions[FUNCTIONS]),
               "the longest list holds what the trace counts");

struct cs_pkcs11_module {
    void *handle;
    char *path;
    unsigned number;
    CK_C_GetInterfaceList interface_list; /* the module's own, or NULL */
    CK_C_GetInterface interface;
    function_list newest; /* all functions */
    function_list list_2; /* what C_GetFunctionList hands out */
    function_list lists[INTERFACES];
    CK_INTERFACE interfaces[INTERFACES];
    CK_ULONG interfaces_count;
};

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* ---- pkcs11_forward.c ---- */

/** Where a set forwards to. Written before its functions are handed out, never after. */
extern function_list cs_pkcs11_backing[SETS];

/** What the exported functions forward to. */
extern _Atomic(const function_list *) cs_pkcs11_exported;

/** Every function returns CKR_FUNCTION_NOT_SUPPORTED. */
void cs_pkcs11_fill_missing(function_list *out);

/** The exported functions, by the address that other libraries see. */
void cs_pkcs11_fill_exported(function_list *out);

/** The functions of a set. */
void cs_pkcs11_fill_set(unsigned set, function_list *out);

/** The functions of a module that hand out lists, which forward to pkcs11_lists.c. */
void cs_pkcs11_fill_lists(unsigned number, function_list *out);

/* ---- pkcs11_lists.c ---- */

/** Find out which lists the module has, given its 2.x list, and fill in all that it hands out. */
void cs_pkcs11_lists_fill(cs_pkcs11_module *module, const CK_FUNCTION_LIST *list);

CK_RV cs_pkcs11_list_get(unsigned number, CK_FUNCTION_LIST_PTR_PTR out_list);
CK_RV cs_pkcs11_interfaces_get(unsigned number, CK_INTERFACE_PTR out_interfaces, CK_ULONG_PTR count);
CK_RV cs_pkcs11_interface_get(unsigned number, CK_UTF8CHAR_PTR name, CK_VERSION_PTR version,
                              CK_INTERFACE_PTR_PTR out_interface, CK_FLAGS flags);

/* ---- pkcs11_open.c ---- */

extern cs_pkcs11_module cs_pkcs11_modules[CS_PKCS11_MODULES];

/** A function of the module, by its symbol; NULL where it has none, or where the symbol is one of libcside's own. */
pkcs11_function cs_pkcs11_symbol(void *handle, const char *name);

/** Open the module behind the exported functions, if need be. CKR_GENERAL_ERROR, and a line on stderr. */
CK_RV cs_pkcs11_default_open(void);

/** The first module that was opened, the exported functions' before all others; NULL for none. */
const cs_pkcs11_module *cs_pkcs11_first(void);

/** A variable of the environment; NULL where it is unset, empty, or not to be trusted. */
const char *cs_pkcs11_environment(const char *name);

/* ---- pkcs11_locks.c ---- */

/** Nobody is initialising a module here: this is a child of fork(). */
void cs_pkcs11_locks_in_child(void);

/* ---- pkcs11_errors.c ---- */

/** Count one call of a standard function. Keeps errno. */
void cs_pkcs11_count_call(size_t id, uint64_t start, CK_RV rv, uint64_t in_nbytes, uint64_t out_nbytes);

/** Forget the return values counted so far. Under the trace's lock. */
void cs_pkcs11_errors_reset(void);

/* ---- pkcs11_report.c ---- */

/** Write the report, if one was asked for. Keeps errno. */
void cs_pkcs11_report_write(void);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
