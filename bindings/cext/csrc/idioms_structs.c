/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_structs.c - Point, passed by value; Box, passed by pointer; and a struct that holds its own size. The C structs
 * of points and boxes are fields of their Python objects.
 */
#include "add.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "guard.h"
#include "limited_api.h"
#include "module.h"
#include "state.h"
#include "tables.h"
#include "tuples.h"

#include "cside/idioms.h"

#include <stddef.h>

typedef struct box_object {
    PyObject_HEAD
    cs_box box;
} box_object;

/* Instances of neither type are tracked by the garbage collector, which keeps them small and quick to make. An instance
 * refers to its type, so it could be part of a cycle if the type referred to the module, in whose namespace an instance
 * can be stored. Therefore core_add_plain_type() makes these types without the module, and Python code cannot change
 * them. */
static void plain_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    core_free(type, self);
    Py_DECREF(type);
}

#if !defined(CORE_KNOBS_ONLY)

/* ---- Point ------------------------------------------------------------------------------------ */

typedef struct point_object {
    PyObject_HEAD
    cs_point point;
} point_object;

static inline PyObject *point_from(PyTypeObject *type, cs_point point)
{
    point_object *self = PyObject_New(point_object, type);

    if (self != NULL) {
        self->point = point;
    }
    return (PyObject *)self;
}

static PyObject *point_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    cs_point point = {0.0, 0.0};

    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0) {
        PyErr_SetString(PyExc_TypeError, "Point() takes no keyword arguments");
        return NULL;
    }
    if (nargs != 2) {
        return core_bad_count("Point", 2, nargs);
    }
    if (core_as_double(args[0], &point.x) < 0 || core_as_double(args[1], &point.y) < 0) {
        return NULL;
    }
    return point_from((PyTypeObject *)type, point);
}

static PyObject *point_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    cs_point point = {0.0, 0.0};

    if (kwargs != NULL && PyDict_Size(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "Point() takes no keyword arguments");
        return NULL;
    }
    if (PyTuple_GET_SIZE(args) != 2) {
        return core_bad_count("Point", 2, PyTuple_GET_SIZE(args));
    }
    if (core_as_double(PyTuple_GET_ITEM(args, 0), &point.x) < 0 ||
        core_as_double(PyTuple_GET_ITEM(args, 1), &point.y) < 0) {
        return NULL;
    }
    return point_from(type, point);
}

/* These are getters and not PyMemberDef, because a member of type T_DOUBLE is set to -1 before an exception is raised,
 * at least up to CPython 3.13. The closure is the offset of the coordinate. */
static inline double *coordinate(PyObject *self, void *offset)
{
    return (double *)(void *)((char *)self + (uintptr_t)offset);
}

static PyObject *point_get(PyObject *self, void *offset)
{
    double value = 0.0;

    CORE_BEGIN_GUARD(self);
    value = *coordinate(self, offset);
    CORE_END_GUARD();
    return PyFloat_FromDouble(value);
}

static int point_set(PyObject *self, PyObject *number, void *offset)
{
    double value = 0.0;

    if (number == NULL) {
        PyErr_SetString(PyExc_TypeError, "a coordinate cannot be deleted");
        return -1;
    }
    if (core_as_double(number, &value) < 0) {
        return -1;
    }
    CORE_BEGIN_GUARD(self);
    *coordinate(self, offset) = value;
    CORE_END_GUARD();
    return 0;
}

static PyGetSetDef point_getset[] = {
    {"x", point_get, point_set, "The first coordinate.", (void *)offsetof(point_object, point.x)},
    {"y", point_get, point_set, "The second coordinate.", (void *)offsetof(point_object, point.y)},
    {NULL, NULL, NULL, NULL, NULL},
};

/** The struct of a Point. Another thread may assign to a coordinate meanwhile, so all of it is copied at once. */
static inline cs_point point_of(PyObject *self)
{
    cs_point point;

    CORE_BEGIN_GUARD(self);
    point = ((point_object *)self)->point;
    CORE_END_GUARD();
    return point;
}

static PyObject *point_repr(PyObject *self)
{
    cs_point point = point_of(self);
    PyObject *x = PyFloat_FromDouble(point.x);
    PyObject *y = PyFloat_FromDouble(point.y);
    PyObject *text = NULL;

    if (x != NULL && y != NULL) {
        text = PyUnicode_FromFormat("Point(x=%R, y=%R)", x, y);
    }
    Py_XDECREF(y);
    Py_XDECREF(x);
    return text;
}

static PyObject *point_richcompare(PyObject *self, PyObject *other, int order)
{
    cs_point a;
    cs_point b;
    bool equal = false;

    if ((order != Py_EQ && order != Py_NE) || Py_TYPE(other) != Py_TYPE(self)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    a = point_of(self);
    b = point_of(other);
    equal = a.x == b.x && a.y == b.y;
    return PyBool_FromLong(equal == (order == Py_EQ));
}

static PyType_Slot point_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC_Point},
    {Py_tp_new, CORE_SLOT(point_new)},
    {Py_tp_dealloc, CORE_SLOT(plain_dealloc)},
    {Py_tp_repr, CORE_SLOT(point_repr)},
    {Py_tp_richcompare, CORE_SLOT(point_richcompare)},
    {Py_tp_hash, CORE_SLOT(PyObject_HashNotImplemented)}, /* equal points need equal hashes, but points change */
    {Py_tp_getset, point_getset},
    {0, NULL},
};

static PyType_Spec point_spec = {
    .name = "cside_cext.idioms.Point",
    .basicsize = sizeof(point_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = point_slots,
};

/** Check that `object` is a Point of this module. Returns 0, or -1 with TypeError for any other object. */
static inline int check_point(const PyTypeObject *point_type, PyObject *object)
{
    if (Py_TYPE(object) != point_type) {
        core_bad_type("a Point", object);
        return -1;
    }
    return 0;
}

static PyObject *point_add(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    PyTypeObject *point_type = core_state_of(module)->point_type;

    if (nargs != 2) {
        return core_bad_count("point_add", 2, nargs);
    }
    if (check_point(point_type, args[0]) < 0 || check_point(point_type, args[1]) < 0) {
        return NULL;
    }
    return point_from(point_type, cs_point_add(point_of(args[0]), point_of(args[1])));
}

#endif /* !CORE_KNOBS_ONLY */

/* ---- Box -------------------------------------------------------------------------------------- */

static inline PyObject *box_from_nothing(PyTypeObject *type)
{
    box_object *self = PyObject_New(box_object, type);

    if (self != NULL) {
        self->box = (cs_box){.tag = 0};
    }
    return (PyObject *)self;
}

#if defined(Py_LIMITED_API) /* it has vectorcalls from 3.12 on, those of types from 3.14 on */
#define box_vectorcall NULL
#else
static PyObject *box_vectorcall(PyObject *type, PyObject *const *Py_UNUSED(args), size_t nargsf, PyObject *kwnames)
{
    if (PyVectorcall_NARGS(nargsf) != 0 || (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0)) {
        PyErr_SetString(PyExc_TypeError, "Box() takes no arguments");
        return NULL;
    }
    return box_from_nothing((PyTypeObject *)type);
}
#endif

static PyObject *box_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (core_tuple_size(args) != 0 || (kwargs != NULL && PyDict_Size(kwargs) != 0)) {
        PyErr_SetString(PyExc_TypeError, "Box() takes no arguments");
        return NULL;
    }
    return box_from_nothing(type);
}

static PyType_Slot box_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC_Box},
    {Py_tp_new, CORE_SLOT(box_new)},
    {Py_tp_dealloc, CORE_SLOT(plain_dealloc)},
    {0, NULL},
};

static PyType_Spec box_spec = {
    .name = CORE_PACKAGE ".idioms.Box",
    .basicsize = sizeof(box_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = box_slots,
};

/** The struct of a Box of this module; NULL with TypeError for any other object. */
static inline cs_box *as_box(PyObject *module, PyObject *object)
{
    if (Py_TYPE(object) != core_state_of(module)->box_type) {
        core_bad_type("a Box", object);
        return NULL;
    }
    return &((box_object *)object)->box;
}

static PyObject *box_fill(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    cs_box *box = NULL;
    uint32_t tag = 0;

    if (nargs != 2) {
        return core_bad_count("box_fill", 2, nargs);
    }
    box = as_box(module, args[0]);
    if (box == NULL || core_as_uint32(args[1], &tag) < 0) {
        return NULL;
    }
    CORE_BEGIN_GUARD(args[0]);
    cs_box_fill(box, tag);
    CORE_END_GUARD();
    Py_RETURN_NONE;
}

static PyObject *box_area(PyObject *module, PyObject *object)
{
    const cs_box *box = as_box(module, object);
    double area = 0.0;

    if (box == NULL) {
        return NULL;
    }
    CORE_BEGIN_GUARD(object);
    area = cs_box_area(box);
    CORE_END_GUARD();
    return PyFloat_FromDouble(area);
}

static PyObject *box_unpack(PyObject *module, PyObject *object)
{
    const cs_box *box = as_box(module, object);
    cs_box copy = {.tag = 0};

    if (box == NULL) {
        return NULL;
    }
    CORE_BEGIN_GUARD(object);
    copy = *box;
    CORE_END_GUARD();
    return core_tuple_of_5(PyFloat_FromDouble(copy.min.x), PyFloat_FromDouble(copy.min.y),
                           PyFloat_FromDouble(copy.max.x), PyFloat_FromDouble(copy.max.y),
                           PyLong_FromUnsignedLong(copy.tag));
}

#if !defined(CORE_KNOBS_ONLY)

/* ---- a struct that holds its own size --------------------------------------------------------- */

static PyObject *config_read(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    cs_config config = {0};
    cs_config_view view = {0};
    uint64_t struct_nbytes = 0;
    cs_status status = CS_OK;

    if (nargs != 4) {
        return core_bad_count("config_read", 4, nargs);
    }
    if (core_as_uint32(args[0], &config.retries) < 0 || core_as_double(args[1], &config.timeout_s) < 0 ||
        core_as_uint32(args[2], &config.flags) < 0 || core_as_uint64(args[3], &struct_nbytes) < 0) {
        return NULL;
    }
#if SIZE_MAX < UINT64_MAX
    if (struct_nbytes > SIZE_MAX) {
        PyErr_SetString(PyExc_OverflowError, "value does not fit size_t");
        return NULL;
    }
#endif
    config.struct_nbytes = (size_t)struct_nbytes;
    status = cs_config_read(&config, &view);
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    return core_tuple_of_4(PyLong_FromUnsignedLong(view.version), PyLong_FromUnsignedLong(view.retries),
                           PyFloat_FromDouble(view.timeout_s), PyLong_FromUnsignedLong(view.flags));
}

#endif /* !CORE_KNOBS_ONLY */

static PyMethodDef methods[] = {
    {"box_fill", CORE_FUNCTION(box_fill), METH_FASTCALL, DOC_box_fill},
    {"box_area", box_area, METH_O, DOC_box_area},
    {"box_unpack", box_unpack, METH_O, DOC_box_unpack},
#if !defined(CORE_KNOBS_ONLY)
    {"point_add", CORE_FUNCTION(point_add), METH_FASTCALL, DOC_point_add},
    {"config_read", CORE_FUNCTION(config_read), METH_FASTCALL, DOC_config_read},
#endif
    {NULL, NULL, 0, NULL},
};

#if !defined(CORE_KNOBS_ONLY)
static const core_constant constants[] = {
    {"CONFIG_NBYTES", CS_CONFIG_NBYTES},
    {"CONFIG_V1_NBYTES", CS_CONFIG_V1_NBYTES},
    {NULL, 0},
};
#endif

int core_add_idioms_structs(PyObject *module)
{
    core_state *state = core_state_of(module);

#if !defined(CORE_KNOBS_ONLY)
    if (core_add_plain_type(module, &point_spec, point_vectorcall, &state->point_type) < 0 ||
        core_add_constants(module, constants) < 0) {
        return -1;
    }
#endif
    if (core_add_plain_type(module, &box_spec, box_vectorcall, &state->box_type) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
