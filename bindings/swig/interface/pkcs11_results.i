/* SPDX-License-Identifier: Apache-2.0
 *
 * Results: numbers, byte strings and lists of numbers. The first call has room in a local variable of the wrapper. If
 * that is too small, a second call has as much room as the first one reported.
 */
%{
enum {
    CSIDE_OUTPUT_NBYTES = 512, /* room in addition to the size of the input */
    CSIDE_OUTPUT_FRAME_NBYTES = 1024,
    CSIDE_NUMBERS_FRAME = 64
};

/* Adds a result to the one before it: None is no result, and two results become a tuple. Takes over both references. */
static PyObject *cside_results(PyObject *before, PyObject *added)
{
    if (before == NULL || added == NULL) {
        Py_XDECREF(before);
        Py_XDECREF(added);
        return NULL;
    }
    if (before != Py_None)
        return cside_tuple(before, added);
    Py_DECREF(before);
    return added;
}

static PyObject *cside_exceeds(const char *function, CK_ULONG count, const char *unit, CK_ULONG room)
{
    PyErr_Format(PyExc_RuntimeError, "%s: the module reports %lu %s, there was room for %lu", function, count, unit,
                 room);
    return NULL;
}

/* Byte strings. A small one is copied out of `frame`, which is faster than to shorten a bytes object that is too large.
 * */
typedef struct cside_output {
    PyObject *bytes; /* NULL while `frame` has room enough */
    CK_ULONG room;
    CK_ULONG count;
    CK_BYTE frame[CSIDE_OUTPUT_FRAME_NBYTES];
} cside_output;

SWIGINTERNINLINE CK_BYTE *cside_output_room(cside_output *self, CK_ULONG room)
{
    Py_CLEAR(self->bytes);
    self->count = self->room = room;
    if (room <= sizeof self->frame)
        return self->frame;
    if ((self->bytes = cside_bytes_new(room)) == NULL)
        return NULL;
    return cside_bytes_start(self->bytes);
}

static PyObject *cside_output_take(cside_output *self, const char *function)
{
    PyObject *bytes = self->bytes;

    if (self->count > self->room)
        return cside_exceeds(function, self->count, "bytes", self->room);
    if (bytes == NULL)
        return PyBytes_FromStringAndSize((const char *)self->frame, (Py_ssize_t)self->count);
    self->bytes = NULL;
    return cside_bytes_cut(bytes, self->count);
}

/* Lists of numbers. */
typedef struct cside_numbers {
    CK_ULONG *heap; /* NULL while `frame` has room enough */
    CK_ULONG room;
    CK_ULONG count;
    CK_ULONG frame[CSIDE_NUMBERS_FRAME];
} cside_numbers;

static CK_ULONG *cside_numbers_room(cside_numbers *self, CK_ULONG room)
{
    PyMem_Free(self->heap);
    self->heap = NULL;
    self->count = self->room = room;
    if (room <= CSIDE_NUMBERS_FRAME)
        return self->frame;
    if (room <= PY_SSIZE_T_MAX / sizeof *self->heap)
        self->heap = PyMem_Malloc(room * sizeof *self->heap);
    if (self->heap == NULL)
        PyErr_NoMemory();
    return self->heap;
}

#ifdef PYPY_VERSION
/* PyPy makes an object of its C-API for each number that C hands over. This hands all numbers over as one bytes object.
 * */
enum { CSIDE_NUMBERS_PACKED = 8 }; /* the least count for which that is faster */

static PyObject *cside_numbers_packed(const CK_ULONG *numbers, CK_ULONG count)
{
    static PyObject *array; /* array.array */
    PyObject *bytes = NULL;
    PyObject *packed = NULL;
    PyObject *list = NULL;

    if (array == NULL) {
        PyObject *module = PyImport_ImportModule("array");
        if (module == NULL || (array = PyObject_GetAttrString(module, "array")) == NULL) {
            Py_XDECREF(module);
            return NULL;
        }
        Py_DECREF(module);
    }
    bytes = PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)(count * sizeof *numbers));
    if (bytes != NULL && (packed = PyObject_CallFunction(array, "sO", "L", bytes)) != NULL)
        list = PyObject_CallMethod(packed, "tolist", NULL);
    Py_XDECREF(packed);
    Py_XDECREF(bytes);
    return list;
}
#endif

static PyObject *cside_numbers_list(const CK_ULONG *numbers, CK_ULONG count)
{
    PyObject *list;

#ifdef PYPY_VERSION
    if (count >= CSIDE_NUMBERS_PACKED)
        return cside_numbers_packed(numbers, count);
#endif
    list = PyList_New((Py_ssize_t)count);
    for (CK_ULONG i = 0; list != NULL && i < count; i++) {
        PyObject *number = PyLong_FromUnsignedLong(numbers[i]);
        if (number == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, number);
    }
    return list;
}

static PyObject *cside_numbers_take(cside_numbers *self, const char *function)
{
    if (self->count > self->room)
        return cside_exceeds(function, self->count, "items", self->room);
    return cside_numbers_list(self->heap != NULL ? self->heap : self->frame, self->count);
}
%}

%define %adds_result(OBJECT)
    $result = cside_results($result, OBJECT);
%enddef

%typemap(in, numinputs=0) CK_ULONG_PTR number (CK_ULONG number) {
    number = 0;
    $1 = &number;
}
%typemap(argout) CK_ULONG_PTR number {
    %adds_result(PyLong_FromUnsignedLong(*$1))
}

/* A byte string. %asks_again provides the room, when the sizes of all inputs are known. */
%typemap(in, numinputs=0) (CK_BYTE_PTR bytes, CK_ULONG_PTR nbytes) (cside_output output) {
    output.bytes = NULL;
    $2 = &output.count;
}
%typemap(argout) (CK_BYTE_PTR bytes, CK_ULONG_PTR nbytes) {
    %adds_result(cside_output_take(&output$argnum, CSIDE_FUNCTION("$symname")))
}
%typemap(freearg) (CK_BYTE_PTR bytes, CK_ULONG_PTR nbytes) "Py_XDECREF(output$argnum.bytes);"

/* A byte string that the caller may decline. */
%typemap(arginit) (CK_BYTE_PTR wanted, CK_ULONG_PTR wanted_nbytes) "output$argnum.bytes = NULL;"
%typemap(in) (CK_BYTE_PTR wanted, CK_ULONG_PTR wanted_nbytes) (cside_output output) {
    CK_BBOOL wanted;
    if (!cside_as_bool($input, &wanted))
        SWIG_fail;
    $1 = NULL;
    $2 = wanted ? &output.count : NULL;
}
%typemap(argout) (CK_BYTE_PTR wanted, CK_ULONG_PTR wanted_nbytes) {
    if ($2 != NULL) {
        %adds_result(cside_output_take(&output$argnum, CSIDE_FUNCTION("$symname")))
    }
}
%typemap(freearg) (CK_BYTE_PTR wanted, CK_ULONG_PTR wanted_nbytes) "Py_XDECREF(output$argnum.bytes);"

/* As many bytes as the caller asks for. The module writes into the bytes object itself. */
%typemap(arginit) (CK_BYTE_PTR filled, CK_ULONG nbytes) "bytes$argnum = NULL;"
%typemap(in) (CK_BYTE_PTR filled, CK_ULONG nbytes) (PyObject *bytes) {
    if (!cside_as_ulong($input, &$2) || (bytes = cside_bytes_new($2)) == NULL)
        SWIG_fail;
    $1 = cside_bytes_start(bytes);
}
%typemap(argout) (CK_BYTE_PTR filled, CK_ULONG nbytes) {
    %adds_result(bytes$argnum)
    bytes$argnum = NULL;
}
%typemap(freearg) (CK_BYTE_PTR filled, CK_ULONG nbytes) "Py_XDECREF(bytes$argnum);"

/* A list of numbers. %asks_again provides the room. */
%typemap(in, numinputs=0) (CK_ULONG_PTR numbers, CK_ULONG_PTR count) (cside_numbers numbers) {
    numbers.heap = NULL;
    $2 = &numbers.count;
}
%typemap(argout) (CK_ULONG_PTR numbers, CK_ULONG_PTR count) {
    %adds_result(cside_numbers_take(&numbers$argnum, CSIDE_FUNCTION("$symname")))
}
%typemap(freearg) (CK_ULONG_PTR numbers, CK_ULONG_PTR count) "PyMem_Free(numbers$argnum.heap);"

/* A list of at most as many numbers as the caller asks for. */
%typemap(arginit) (CK_ULONG_PTR numbers, CK_ULONG limit, CK_ULONG_PTR count) "numbers$argnum.heap = NULL;"
%typemap(in) (CK_ULONG_PTR numbers, CK_ULONG limit, CK_ULONG_PTR count) (cside_numbers numbers) {
    if (!cside_as_ulong($input, &$2) || ($1 = cside_numbers_room(&numbers, $2)) == NULL)
        SWIG_fail;
    numbers.count = 0;
    $3 = &numbers.count;
}
%typemap(argout) (CK_ULONG_PTR numbers, CK_ULONG limit, CK_ULONG_PTR count) {
    %adds_result(cside_numbers_take(&numbers$argnum, CSIDE_FUNCTION("$symname")))
}
%typemap(freearg) (CK_ULONG_PTR numbers, CK_ULONG limit, CK_ULONG_PTR count) "PyMem_Free(numbers$argnum.heap);"

/* A function with a result of unknown size: it is called again if the room was too small. `KIND` is the name of the
 * local variable of the typemap, `N` the number of the parameter that the variable belongs to, `COUNT` the number of
 * the parameter that counts, `FIRST` the room of the first call. */
%define %asks_again(NAME, KIND, N, COUNT, FIRST)
%exception Module::NAME {
    if (arg##COUNT != NULL && (arg##N = cside_##KIND##_room(&KIND##N, FIRST)) == NULL)
        SWIG_fail;
    %released
    if (result == CKR_BUFFER_TOO_SMALL && arg##COUNT != NULL && KIND##N.count > KIND##N.room) {
        if ((arg##N = cside_##KIND##_room(&KIND##N, KIND##N.count)) == NULL)
            SWIG_fail;
        %released
    }
}
%enddef
