/* SPDX-License-Identifier: Apache-2.0
 *
 * The binding itself, one module. SWIG reads this file, and through it the headers of the library. Typemaps come first,
 * because they act on the declarations that follow them.
 */
%module(package="cside_swig") _core

/* cs_noun_verb is noun_verb in Python, CS_NAME is NAME: a function that a header gains is wrapped without a line here.
 * The functions of today are named nevertheless, each by a %rename in the file of its group, which is the place to look
 * for it. */
%rename("%(regex:/^(?:cs|CS)_(.*)/\\1/)s") "";

/* Arguments with a default make one wrapper, and not one overload for each number of arguments. */
%feature("compactdefaultargs");

%include "docstrings.i"
%include "preamble.i"

%include "idioms.i"
%include "codec.i"
%include "pkcs11.i"

%include "classes.i"
