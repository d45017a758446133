/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that are tuples.
 */
%{
/* A tuple of `count` objects. Takes over the references; returns NULL if one of the objects is NULL. */
SWIGINTERNINLINE PyObject *cside_tuple_of(Py_ssize_t count, PyObject *const *items)
{
    PyObject *tuple = PyTuple_New(count);
    bool complete = tuple != NULL;

    for (Py_ssize_t i = 0; i < count; i++) {
        complete = complete && items[i] != NULL;
        if (tuple != NULL)
            PyTuple_SET_ITEM(tuple, i, items[i]);
        else
            Py_XDECREF(items[i]);
    }
    if (!complete)
        Py_CLEAR(tuple);
    return tuple;
}
#define CSIDE_COUNT(...) (sizeof((PyObject *[]){__VA_ARGS__}) / sizeof(PyObject *)) /* evaluates nothing */
#define cside_tuple(...) cside_tuple_of(CSIDE_COUNT(__VA_ARGS__), (PyObject *[]){__VA_ARGS__})
%}
