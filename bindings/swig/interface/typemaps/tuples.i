/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that are tuples.
 */
%{
/* A tuple of `count` objects. Takes over the references; returns NULL if one of the objects is NULL. */
static PyObject *cside_tuple(int count, ...)
{
    PyObject *tuple = PyTuple_New(count);
    bool complete = tuple != NULL;
    va_list items;

    va_start(items, count);
    for (int i = 0; i < count; i++) {
        PyObject *item = va_arg(items, PyObject *);
        complete = complete && item != NULL;
        if (tuple != NULL)
            PyTuple_SET_ITEM(tuple, i, item);
        else
            Py_XDECREF(item);
    }
    va_end(items);
    if (!complete)
        Py_CLEAR(tuple);
    return tuple;
}
%}
