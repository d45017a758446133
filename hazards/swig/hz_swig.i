/* SPDX-License-Identifier: Apache-2.0 */
/* As a user writes the interface by hand. The declarations of hz_scale, hz_subtract and hz_config are wrong. */
%module hz_swig
%include <stdint.i>
%include <typemaps.i>
%include <pybuffer.i>
%include <carrays.i>

%{
#include "hz.h"

static int on_event_with(PyObject *user, int value)
{
    PyObject *answer = PyObject_CallMethod(user, "on_value", "i", value);
    if (answer == NULL) {
        PyErr_Print();
        return 0;
    }
    int number = (int)PyLong_AsLong(answer);
    Py_DECREF(answer);
    return number;
}

static int on_event(int value, void *user)
{
    PyGILState_STATE state = PyGILState_Ensure();
    int answer = on_event_with(user, value);
    PyGILState_Release(state);
    return answer;
}

static int on_event_without_gil(int value, void *user)
{
    return on_event_with(user, value);
}

static PyObject *stored;

static int parsed(const char *text)
{
    uint8_t *buffer = hz_buffer_new(1 << 16);
    int number = (int)strtol(text, NULL, 10);
    if (number == 0) {
        PyErr_SetString(PyExc_ValueError, "not a number");
        return -1;
    }
    hz_buffer_free(buffer);
    return number;
}
%}

double hz_scale(int value, int by);
int hz_subtract(int left, int right);
typedef struct {
    int32_t version;
    int32_t limit;
} hz_config;
void hz_config_get(hz_config *config);

uint32_t hz_low(uint32_t value);
size_t hz_text_length(const char *text);
%pybuffer_binary(const uint8_t *data, size_t data_nbytes);
void hz_keep(const uint8_t *data, size_t data_nbytes);
uint64_t hz_kept_sum(void);
%pybuffer_mutable_binary(uint8_t *out, size_t n);
void hz_fill(uint8_t *out, size_t n);
%clear(uint8_t *out, size_t n);
%array_functions(int32_t, int32s);
void hz_fill_int32(int32_t *out, size_t n);

%nodefaultctor hz_handle;
typedef struct hz_handle {
    %extend { ~hz_handle() { hz_close($self); } }
} hz_handle;
%newobject hz_open;
hz_handle *hz_open(int value);
int hz_value(const hz_handle *handle);
void hz_close(hz_handle *handle);

%typemap(in) (hz_callback callback, void *user) {
    $1 = on_event;
    $2 = $input;
}
void hz_set_callback(hz_callback callback, void *user);
int hz_fire(int value);
int hz_fire_in_thread(int value);
void hz_fire_at_exit(int value);

typedef struct {
    int id;
    int value;
} hz_record;
hz_record *hz_find(int id);
int hz_lookup(int id, int *OUTPUT);

typedef struct {
    int kind;
    union {
        int64_t whole;
        double real;
    } as;
} hz_variant;
void hz_variant_get(hz_variant *variant);

typedef struct {
    char text[8];
    char owner[8];
} hz_label;
void hz_label_get(hz_label *label);

const char *hz_motto(void);
void hz_sleep(int ms);
void hz_worker_start(void);
int hz_worker_add(int left, int right);

/* What a user adds in C to the interface. */
%exception parsed {
    $action
    if (PyErr_Occurred()) SWIG_fail;
}
int parsed(const char *text);

%inline %{
static PyObject *factor_of_deleted(PyObject *list, PyObject *more)
{
    PyObject *worker = PyList_GetItem(list, 0); /* borrowed */
    if (worker == NULL || PySequence_DelItem(list, 0) < 0) {
        return NULL;
    }
    PyObject *others = PyObject_CallNoArgs(more);
    PyObject *factor = PyObject_GetAttrString(worker, "factor");
    Py_XDECREF(others);
    return factor;
}

static void store(PyObject *object)
{
    Py_INCREF(object);
    stored = object;
}

static PyObject *load(void)
{
    return stored; /* without Py_INCREF */
}

static int fire_in_thread_without_gil(PyObject *user, int value)
{
    int answer;
    hz_set_callback(on_event_without_gil, user);
    Py_BEGIN_ALLOW_THREADS
    answer = hz_fire_in_thread(value);
    Py_END_ALLOW_THREADS
    return answer;
}

typedef struct {
    PyObject *listener;
} Subscription;

static void subscribe(Subscription *subscription, PyObject *listener)
{
    Py_INCREF(listener); /* which the garbage collector does not see */
    subscription->listener = listener;
    hz_set_callback(on_event, listener);
}
%}
%extend Subscription {
    ~Subscription() {
        Py_XDECREF($self->listener);
        free($self);
    }
}
