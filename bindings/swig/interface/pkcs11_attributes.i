/* SPDX-License-Identifier: Apache-2.0
 *
 * C_GetAttributeValue. The first call gives each attribute as much room as most attributes need. If that is too small
 * for some, a second call asks for their sizes, and a third one reads them.
 */
%{
enum { CSIDE_ATTRIBUTE_NBYTES = 256 };

/* The attributes of one call. Attribute i becomes item `places[i]` of the result. */
typedef struct cside_reading {
    CK_ATTRIBUTE *attributes;
    CK_ULONG *rooms;
    Py_ssize_t *places;
    Py_ssize_t count;
} cside_reading;

static bool cside_reading_open(cside_reading *self, cside_arena *arena, Py_ssize_t count)
{
    self->count = 0;
    self->attributes = cside_arena_take(arena, (size_t)count, sizeof *self->attributes);
    if (self->attributes != NULL)
        self->rooms = cside_arena_take(arena, (size_t)count, sizeof *self->rooms);
    if (self->attributes != NULL && self->rooms != NULL)
        self->places = cside_arena_take(arena, (size_t)count, sizeof *self->places);
    return self->attributes != NULL && self->rooms != NULL && self->places != NULL;
}

static void cside_reading_add(cside_reading *self, CK_ATTRIBUTE_TYPE type, CK_ULONG room, Py_ssize_t place)
{
    self->attributes[self->count] = (CK_ATTRIBUTE){type, NULL, 0};
    self->rooms[self->count] = room;
    self->places[self->count++] = place;
}

/* Allocates the room of each attribute. */
static bool cside_reading_room(cside_reading *self, cside_arena *arena)
{
    for (Py_ssize_t i = 0; i < self->count; i++) {
        CK_ATTRIBUTE *attribute = &self->attributes[i];
        if ((attribute->pValue = cside_arena_take(arena, self->rooms[i], 1)) == NULL)
            return false;
        attribute->ulValueLen = self->rooms[i];
    }
    return true;
}

static bool cside_reading_item(cside_reading *self, PyObject *item, Py_ssize_t place)
{
    CK_ULONG room = CSIDE_ATTRIBUTE_NBYTES;
    CK_ATTRIBUTE_TYPE type;

    if (PyTuple_Check(item)) {
        if (!cside_is_pair(item)) {
            PyErr_SetString(PyExc_TypeError, "an attribute is asked for by its type, or by a tuple (type, nbytes)");
            return false;
        }
        if (!cside_as_ulong(PyTuple_GET_ITEM(item, 0), &type) || !cside_as_ulong(PyTuple_GET_ITEM(item, 1), &room))
            return false;
    } else if (!cside_as_ulong(item, &type)) {
        return false;
    }
    if (type == CKA_WRAP_TEMPLATE || type == CKA_UNWRAP_TEMPLATE || type == CKA_DERIVE_TEMPLATE) {
        PyErr_SetString(PyExc_ValueError, "an attribute that is a template cannot be read");
        return false;
    }
    cside_reading_add(self, type, room, place);
    return true;
}

static CK_RV cside_reading_call(const cside_reading *self, Module *module, CK_SESSION_HANDLE hSession,
                                CK_OBJECT_HANDLE hObject)
{
    CK_RV rv;

    CSIDE_CALL_BEGIN
    rv = module->list->C_GetAttributeValue(hSession, hObject, self->count > 0 ? self->attributes : NULL,
                                           (CK_ULONG)self->count);
    CSIDE_CALL_END
    return rv;
}

/* Return values after which the length of each attribute tells whether it was read. */
static bool cside_reading_partial(CK_RV rv)
{
    return rv == CKR_OK || rv == CKR_BUFFER_TOO_SMALL || rv == CKR_ATTRIBUTE_SENSITIVE ||
           rv == CKR_ATTRIBUTE_TYPE_INVALID;
}

/* Puts the attributes that were read into the result. */
static bool cside_reading_take(const cside_reading *self, CK_RV rv, PyObject *result)
{
    for (Py_ssize_t i = 0; i < self->count; i++) {
        const CK_ATTRIBUTE *attribute = &self->attributes[i];
        PyObject *pair, *former;
        if (attribute->ulValueLen > self->rooms[i]) {
            if (rv != CKR_OK || attribute->ulValueLen == CK_UNAVAILABLE_INFORMATION)
                continue;
            cside_exceeds("C_GetAttributeValue", attribute->ulValueLen, "bytes", self->rooms[i]);
            return false;
        }
        former = PyList_GET_ITEM(result, self->places[i]);
        pair = cside_tuple(Py_NewRef(PyTuple_GET_ITEM(former, 0)),
                           PyBytes_FromStringAndSize(attribute->pValue, (Py_ssize_t)attribute->ulValueLen));
        if (pair == NULL || PyList_SetItem(result, self->places[i], pair) < 0)
            return false;
    }
    return true;
}

/* A new result, [(type, None), ...]. */
static PyObject *cside_reading_list(const cside_reading *self)
{
    PyObject *list = PyList_New(self->count);

    for (Py_ssize_t i = 0; list != NULL && i < self->count; i++) {
        PyObject *pair = cside_tuple(PyLong_FromUnsignedLong(self->attributes[i].type), Py_NewRef(Py_None));
        if (pair == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, pair);
    }
    return list;
}

/* The second and the third call, for the attributes of `first` that were not read: one for their lengths, and one for
 * the values of those that have a length. */
static bool cside_read_again(const cside_reading *first, cside_arena *arena, Module *module, CK_SESSION_HANDLE hSession,
                             CK_OBJECT_HANDLE hObject, PyObject *result, CK_RV *inout_rv)
{
    cside_reading sizes, values;
    CK_RV rv;

    if (!cside_reading_open(&sizes, arena, first->count) || !cside_reading_open(&values, arena, first->count))
        return false;
    for (Py_ssize_t i = 0; i < first->count; i++) {
        if (first->attributes[i].ulValueLen == CK_UNAVAILABLE_INFORMATION)
            cside_reading_add(&sizes, first->attributes[i].type, 0, first->places[i]);
    }
    if (sizes.count == 0)
        return true;
    rv = *inout_rv = cside_reading_call(&sizes, module, hSession, hObject);
    if (PyErr_Occurred())
        return false;
    for (Py_ssize_t i = 0; cside_reading_partial(rv) && i < sizes.count; i++) {
        const CK_ATTRIBUTE *attribute = &sizes.attributes[i];
        if (attribute->ulValueLen != CK_UNAVAILABLE_INFORMATION)
            cside_reading_add(&values, attribute->type, attribute->ulValueLen, sizes.places[i]);
    }
    if (values.count == 0)
        return true;
    if (!cside_reading_room(&values, arena))
        return false;
    rv = cside_reading_call(&values, module, hSession, hObject);
    if (PyErr_Occurred() || (cside_reading_partial(rv) && !cside_reading_take(&values, rv, result)))
        return false;
    if (*inout_rv == CKR_OK)
        *inout_rv = rv;
    return true;
}

static PyObject *cside_get_attributes(Module *module, CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hObject,
                                      PyObject *types)
{
    PyObject *result = NULL;
    cside_reading reading;
    cside_arena arena;
    PyObject *items;
    CK_RV rv;

    cside_arena_open(&arena);
    if ((items = cside_arena_items(&arena, types)) == NULL ||
        !cside_reading_open(&reading, &arena, PyTuple_GET_SIZE(items)))
        goto done;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); i++) {
        if (!cside_reading_item(&reading, PyTuple_GET_ITEM(items, i), i))
            goto done;
    }
    if (!cside_reading_room(&reading, &arena))
        goto done;
    rv = cside_reading_call(&reading, module, hSession, hObject);
    if (PyErr_Occurred())
        goto done;
    if (cside_reading_partial(rv)) {
        if ((result = cside_reading_list(&reading)) == NULL)
            goto done;
        if (!cside_reading_take(&reading, rv, result) ||
            (rv != CKR_OK && !cside_read_again(&reading, &arena, module, hSession, hObject, result, &rv))) {
            Py_CLEAR(result);
            goto done;
        }
    }
    if (rv != CKR_OK) {
        cside_raise_rv(rv, "C_GetAttributeValue", result != NULL ? result : Py_None);
        Py_CLEAR(result);
    }
done:
    cside_arena_close(&arena);
    return result;
}
%}

%raises_itself(Module::C_GetAttributeValue)
%extend Module {
    PyObject *C_GetAttributeValue(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hObject, PyObject *types)
    {
        return cside_get_attributes($self, hSession, hObject, types);
    }
}
