/* SPDX-License-Identifier: Apache-2.0
 *
 * cs_status: a failure becomes an exception, which cside_raise_status() of idioms_errors.i chooses. Success becomes
 * None, which the typemap of an out-parameter replaces by the result.
 */
%typemap(out) cs_status {
    if ($1 < 0) {
        cside_raise_status($1);
        SWIG_fail;
    }
    $result = SWIG_Py_Void();
}

/* Replaces the None of a cs_status, or of void, by `OBJECT`. NULL means that an exception is raised. */
%define %set_result(OBJECT)
    SWIG_Py_DECREF($result);
    $result = OBJECT;
%enddef

/* For functions whose C code raises the exception itself, and then returns NULL. */
%define %raises_itself(NAME)
%exception NAME {
    $action
    if (!result)
        SWIG_fail;
}
%enddef
