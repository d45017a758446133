/* SPDX-License-Identifier: Apache-2.0
 *
 * described.cpp - docstrings and signatures of functions, for help() and inspect.
 */
#include "described.hpp"

#include <string_view>

namespace cside
{

namespace
{

constexpr std::string_view END_OF_SIGNATURE = ")\n--\n\n";

getattrofunc function_getattro = nullptr;
getattrofunc method_getattro = nullptr;
getattrofunc bound_method_getattro = nullptr;

nb::object text_of(std::string_view part)
{
    return nb::steal(PyUnicode_FromStringAndSize(part.data(), static_cast<Py_ssize_t>(part.size())));
}

/** The attribute of a function, for which `plain` gives what nanobind has. Null with an exception set. */
nb::object attribute(nb::handle function, nb::handle name, getattrofunc plain)
{
    bool is_doc = PyUnicode_CompareWithASCIIString(name.ptr(), "__doc__") == 0;
    bool is_signature = !is_doc && PyUnicode_CompareWithASCIIString(name.ptr(), "__text_signature__") == 0;

    if (!is_doc && !is_signature) {
        return nb::steal(plain(function.ptr(), name.ptr()));
    }
    nb::object text = nb::steal(plain(function.ptr(), nb::str("__doc__").ptr()));
    Py_ssize_t nbytes = 0;
    const char *utf8 = text.is_valid() ? PyUnicode_AsUTF8AndSize(text.ptr(), &nbytes) : nullptr;
    if (utf8 == nullptr) {
        return nb::object();
    }
    std::string_view all(utf8, static_cast<size_t>(nbytes));
    size_t end = all.find(END_OF_SIGNATURE);
    if (end == std::string_view::npos) { /* a function of ours without a docstring, such as __init__ */
        return is_doc ? text : nb::none();
    }
    if (is_doc) {
        return text_of(all.substr(end + END_OF_SIGNATURE.size()));
    }
    size_t start = all.find('(', all.rfind('\n', end) + 1); /* nanobind's own signature is on the lines before */
    return text_of(all.substr(start, end + 1 - start));
}

nb::object function_attribute(nb::handle function, nb::handle name)
{
    return attribute(function, name, function_getattro);
}

nb::object method_attribute(nb::handle method, nb::handle name)
{
    return attribute(method, name, method_getattro);
}

nb::object bound_method_attribute(nb::handle method, nb::handle name)
{
    return attribute(method, name, bound_method_getattro);
}

/** Neither a function nor a bound method is bound to what it is an attribute of, so this returns it itself. inspect asks
 *  only objects with `__get__` for the text of their signature. */
nb::handle unbound(nb::handle function, nb::handle, nb::handle)
{
    return function;
}

/** Set an attribute of one of nanobind's types, which Python code cannot change. */
void set_attribute(PyTypeObject *type, const char *name, nb::object value)
{
    type->tp_flags &= ~Py_TPFLAGS_IMMUTABLETYPE;
    int result = PyObject_SetAttrString(reinterpret_cast<PyObject *>(type), name, value.ptr());
    type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
    if (result < 0) {
        nb::raise_python_error();
    }
}

} // namespace

void describe_functions(nb::module_ &m)
{
    PyTypeObject *function = Py_TYPE(nb::object(m.attr("noop")).ptr());
    PyTypeObject *method = Py_TYPE(nb::object(m.attr("Counter").attr("add")).ptr());
    PyTypeObject *bound_method = Py_TYPE(nb::object(m.attr("Box")().attr("__init__")).ptr());

    function_getattro = function->tp_getattro;
    method_getattro = method->tp_getattro;
    bound_method_getattro = bound_method->tp_getattro;
    set_attribute(function, "__getattribute__", nb::cpp_function(function_attribute, nb::is_method()));
    set_attribute(method, "__getattribute__", nb::cpp_function(method_attribute, nb::is_method()));
    set_attribute(bound_method, "__getattribute__", nb::cpp_function(bound_method_attribute, nb::is_method()));
    for (PyTypeObject *type : {function, bound_method}) {
        set_attribute(type, "__get__", nb::cpp_function(unbound, nb::is_method(), nb::arg().none(), nb::arg().none()));
    }
}

} // namespace cside
