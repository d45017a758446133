/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_attributes.c - C_GetAttributeValue: one native call with room for each attribute, and two more for the values
 * that did not fit.
 */
#include "pkcs11_attributes.h"
#include "errors.h"
#include "pkcs11_arguments.h"
#include "pkcs11_calls.h"
#include "pkcs11_errors.h"
#include "pkcs11_memory.h"
#include "pkcs11_module.h"
#include "pkcs11_results.h"
#include "pkcs11_templates.h"
#include "raised.h"

#define FUNCTION "C_GetAttributeValue"
/** Room for an attribute if the caller gives no size. */
#define DEFAULT_NBYTES 256

/** One attribute: what the caller wants, and what the module has returned. */
typedef struct wanted {
    CK_ATTRIBUTE_TYPE type;
    CK_ULONG room;
    CK_BYTE *data;
    CK_ULONG nbytes; /* CK_UNAVAILABLE_INFORMATION if there is no value */
} wanted;

typedef struct attribute_call {
    const pkcs11_module *self;
    pkcs11_hold hold;
    wanted *attributes;
    CK_ULONG count;
    CK_SESSION_HANDLE session;
    CK_OBJECT_HANDLE object;
    pkcs11_call call;
} attribute_call;

/** One item of the argument: a type, or a tuple (type, nbytes). */
static int as_wanted(PyObject *item, wanted *out)
{
    out->room = DEFAULT_NBYTES;
    out->data = NULL;
    out->nbytes = CK_UNAVAILABLE_INFORMATION;
    if (!PyTuple_Check(item)) {
        if (pkcs11_as_ulong(item, &out->type) < 0) {
            return -1;
        }
    } else {
        if (PyTuple_GET_SIZE(item) != 2) {
            PyErr_SetString(PyExc_TypeError, "an attribute is a type or a tuple (type, nbytes)");
            return -1;
        }
        if (pkcs11_as_ulong(PyTuple_GET_ITEM(item, 0), &out->type) < 0 ||
            pkcs11_as_ulong(PyTuple_GET_ITEM(item, 1), &out->room) < 0) {
            return -1;
        }
    }
    if (out->type == CKA_WRAP_TEMPLATE || out->type == CKA_UNWRAP_TEMPLATE || out->type == CKA_DERIVE_TEMPLATE) {
        PyErr_SetString(PyExc_ValueError, "an attribute that is a template cannot be read");
        return -1;
    }
    return 0;
}

static int as_attributes(attribute_call *reading, PyObject *types)
{
    PyObject *items = pkcs11_frozen(types, &reading->hold);

    if (items == NULL) {
        return -1;
    }
    reading->count = (CK_ULONG)PyTuple_GET_SIZE(items);
    if (reading->count == 0) {
        return 0;
    }
    reading->attributes = pkcs11_hold_memory(&reading->hold, reading->count * sizeof(*reading->attributes));
    if (reading->attributes == NULL) {
        return -1;
    }
    for (CK_ULONG i = 0; i < reading->count; i++) {
        if (as_wanted(PyTuple_GET_ITEM(items, (Py_ssize_t)i), &reading->attributes[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

/** Allocate the room of these attributes, in one piece. Returns 0, or -1 with an exception set. */
static int make_room(attribute_call *reading, wanted *const *chosen, CK_ULONG count)
{
    CK_BYTE *data = NULL;
    size_t total = 0;

    for (CK_ULONG i = 0; i < count; i++) {
        if (chosen[i]->room > (size_t)PY_SSIZE_T_MAX - total) {
            PyErr_NoMemory();
            return -1;
        }
        total += chosen[i]->room;
    }
    data = pkcs11_hold_memory(&reading->hold, total);
    if (data == NULL) {
        return -1;
    }
    for (CK_ULONG i = 0; i < count; i++) {
        chosen[i]->data = data;
        data += chosen[i]->room;
    }
    return 0;
}

/** Make one native call for these attributes, for their values or, if `with_room` is false, for their sizes only.
 *  Returns 0, or -1 with an exception set. */
static int call_once(attribute_call *reading, wanted *const *chosen, CK_ULONG count, bool with_room, CK_RV *rv)
{
    CK_ATTRIBUTE *attributes = NULL;

    if (count > 0) {
        attributes = pkcs11_hold_memory(&reading->hold, count * sizeof(*attributes));
        if (attributes == NULL) {
            return -1;
        }
    }
    for (CK_ULONG i = 0; i < count; i++) {
        attributes[i].type = chosen[i]->type;
        attributes[i].pValue = with_room ? chosen[i]->data : NULL;
        attributes[i].ulValueLen = with_room ? chosen[i]->room : 0;
    }
    pkcs11_enter(&reading->call);
    *rv = reading->self->functions->C_GetAttributeValue(reading->session, reading->object, attributes, count);
    pkcs11_leave(&reading->call);
    if (core_raised_give(&reading->call.raised)) {
        return -1;
    }
    for (CK_ULONG i = 0; i < count; i++) {
        CK_ULONG nbytes = attributes[i].ulValueLen;

        if (with_room && nbytes > chosen[i]->room) {
            if (*rv == CKR_OK && nbytes != CK_UNAVAILABLE_INFORMATION) {
                pkcs11_overrun(FUNCTION, nbytes, chosen[i]->room, "bytes");
                return -1;
            }
            nbytes = CK_UNAVAILABLE_INFORMATION;
        }
        chosen[i]->nbytes = nbytes;
    }
    return 0;
}

/** Whether the module has processed every attribute, although some have no value. */
static bool is_partial(CK_RV rv)
{
    return rv == CKR_BUFFER_TOO_SMALL || rv == CKR_ATTRIBUTE_SENSITIVE || rv == CKR_ATTRIBUTE_TYPE_INVALID;
}

/** Move the attributes with a length (or without one, if `available` is false) to the front; return their number. */
static CK_ULONG choose(wanted **chosen, CK_ULONG count, bool available)
{
    CK_ULONG left = 0;

    for (CK_ULONG i = 0; i < count; i++) {
        if ((chosen[i]->nbytes != CK_UNAVAILABLE_INFORMATION) == available) {
            chosen[left++] = chosen[i];
        }
    }
    return left;
}

/** Make the second call, for the sizes of the attributes that have no value yet, and the third, for their values. *rv
 *  is the return value to raise in the end. */
static int read_missing(attribute_call *reading, wanted **chosen, CK_RV *rv)
{
    CK_ULONG missing = choose(chosen, reading->count, false);
    CK_ULONG known = 0;
    CK_RV third = CKR_OK;

    if (missing == 0) {
        return 0; /* the module reports a failure, but every attribute has a value */
    }
    if (call_once(reading, chosen, missing, false, rv) < 0) {
        return -1;
    }
    known = *rv == CKR_OK || is_partial(*rv) ? choose(chosen, missing, true) : 0;
    if (known == 0) {
        for (CK_ULONG i = 0; i < missing; i++) {
            chosen[i]->nbytes = CK_UNAVAILABLE_INFORMATION;
        }
        return 0;
    }
    for (CK_ULONG i = 0; i < known; i++) {
        chosen[i]->room = chosen[i]->nbytes;
    }
    if (make_room(reading, chosen, known) < 0 || call_once(reading, chosen, known, true, &third) < 0) {
        return -1;
    }
    if (third != CKR_OK && !is_partial(third)) {
        for (CK_ULONG i = 0; i < known; i++) {
            chosen[i]->nbytes = CK_UNAVAILABLE_INFORMATION;
        }
    }
    if (*rv == CKR_OK) {
        *rv = third;
    }
    return 0;
}

/** The list [(type, value), ...], with None for an attribute that has no value. */
static PyObject *attribute_list(const attribute_call *reading)
{
    PyObject *list = PyList_New((Py_ssize_t)reading->count);

    for (CK_ULONG i = 0; list != NULL && i < reading->count; i++) {
        const wanted *attribute = &reading->attributes[i];
        bool available = attribute->nbytes != CK_UNAVAILABLE_INFORMATION;
        PyObject *const items[] = {
            PyLong_FromUnsignedLong(attribute->type),
            available ? PyBytes_FromStringAndSize((const char *)attribute->data, (Py_ssize_t)attribute->nbytes)
                      : Py_NewRef(Py_None),
        };
        PyObject *pair = pkcs11_pack(items, 2);

        if (pair == NULL) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, (Py_ssize_t)i, pair);
    }
    return list;
}

PyObject *pkcs11_C_GetAttributeValue(PyObject *object, PyObject *const *args, Py_ssize_t nargs)
{
    attribute_call reading;
    wanted **chosen = NULL;
    PyObject *list = NULL;
    CK_RV rv = CKR_OK;

    if (nargs != 3) {
        return core_bad_count(FUNCTION, 3, nargs);
    }
    reading.self = (pkcs11_module *)object;
    reading.attributes = NULL;
    reading.count = 0;
    pkcs11_hold_start(&reading.hold);
    if (pkcs11_as_ulong(args[0], &reading.session) < 0 || pkcs11_as_ulong(args[1], &reading.object) < 0 ||
        as_attributes(&reading, args[2]) < 0) {
        goto exit;
    }
    chosen = pkcs11_hold_memory(&reading.hold, reading.count * sizeof(*chosen));
    if (chosen == NULL) {
        goto exit;
    }
    for (CK_ULONG i = 0; i < reading.count; i++) {
        chosen[i] = &reading.attributes[i];
    }
    if (make_room(&reading, chosen, reading.count) < 0 || call_once(&reading, chosen, reading.count, true, &rv) < 0) {
        goto exit;
    }
    if (rv != CKR_OK && !is_partial(rv)) {
        pkcs11_raise(reading.self->state, rv, FUNCTION, NULL);
        goto exit;
    }
    if (rv != CKR_OK && read_missing(&reading, chosen, &rv) < 0) {
        goto exit;
    }
    list = attribute_list(&reading);
    if (list != NULL && rv != CKR_OK) {
        pkcs11_raise(reading.self->state, rv, FUNCTION, list);
        Py_CLEAR(list);
    }
exit:
    pkcs11_hold_release(&reading.hold);
    return list;
}
