/* SPDX-License-Identifier: Apache-2.0
 *
 * Client requests by which a process that runs under callgrind says what is to be counted. A client request is a
 * sequence of instructions that has no effect on a processor and that valgrind looks for in the code that it runs. The
 * sequences and the numbers of the requests are documented in valgrind's manual and headers. They do not change, since
 * they are compiled into programs. They are written out here so that building does not need valgrind's headers.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

enum request {
    RUNNING_ON_VALGRIND = 0x1001,
    DUMP_STATS = ('C' << 24) | ('T' << 16), /* the first request of callgrind's own */
    ZERO_STATS,
    TOGGLE_COLLECT,
    DUMP_STATS_AT,
    START_INSTRUMENTATION,
    STOP_INSTRUMENTATION,
};

#if defined(__GNUC__) && defined(__linux__) && defined(__x86_64__)
#define SUPPORTED 1
#define MARK "rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
#define ASK(answer, words) __asm__ volatile(MARK : "=d"(answer) : "a"(words), "0"(answer) : "cc", "memory")
#elif defined(__GNUC__) && defined(__linux__) && defined(__aarch64__)
#define SUPPORTED 1
#define MARK "ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\torr x10, x10, x10"
#define ASK(answer, words) \
    do { \
        __asm__ volatile("mov x3, %1\n\tmov x4, %2\n\t" MARK "\n\tmov %0, x3" \
                         : "=r"(answer) \
                         : "r"(answer), "r"(words) \
                         : "cc", "memory", "x3", "x4"); \
    } while (0)
#else
#define SUPPORTED 0
#define ASK(answer, words) ((void)(words))
#endif

/* Make a request and return valgrind's answer; 0 without valgrind. */
static uint64_t ask(enum request request)
{
    volatile uint64_t words[6] = {(uint64_t)request, 0, 0, 0, 0, 0};
    uint64_t answer = 0;

    ASK(answer, &words[0]);
    return answer;
}

static PyObject *marker_active(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(ask(RUNNING_ON_VALGRIND) != 0);
}

static PyObject *marker_start(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    ask(START_INSTRUMENTATION);
    Py_RETURN_NONE;
}

static PyObject *marker_stop(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    ask(STOP_INSTRUMENTATION);
    Py_RETURN_NONE;
}

static PyObject *marker_count(PyObject *Py_UNUSED(self), PyObject *const *arguments, Py_ssize_t nargs)
{
    PyObject *result = NULL;

    if (nargs != 2) {
        PyErr_SetString(PyExc_TypeError, "count() takes a callable and its one argument");
        return NULL;
    }
    ask(ZERO_STATS);
    result = PyObject_CallOneArg(arguments[0], arguments[1]);
    ask(DUMP_STATS);
    return result;
}

static PyMethodDef marker_methods[] = {
    {"active", marker_active, METH_NOARGS, "Return whether this process runs under valgrind."},
    {"start", marker_start, METH_NOARGS, "Begin to count, which makes the process slow."},
    {"stop", marker_stop, METH_NOARGS, "Stop counting."},
    {"count", (PyCFunction)(void (*)(void))marker_count, METH_FASTCALL,
     "Set the counters to zero, call the function, dump the counters, and return the result of the call."},
    {NULL, NULL, 0, NULL},
};

static int marker_exec(PyObject *module)
{
    return PyModule_AddIntConstant(module, "SUPPORTED", SUPPORTED);
}

static PyModuleDef_Slot marker_slots[] = {
    {Py_mod_exec, (void *)marker_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef marker_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_marker",
    .m_doc = "Requests to callgrind from the process that it counts.",
    .m_size = 0,
    .m_methods = marker_methods,
    .m_slots = marker_slots,
};

PyMODINIT_FUNC PyInit__marker(void)
{
    return PyModuleDef_Init(&marker_module);
}
