/* SPDX-License-Identifier: Apache-2.0
 *
 * The module. SWIG reads this file, and through it the library's own headers. Typemaps come first, since they act on
 * the declarations after them.
 */
%module(package="cside_swig") _core

/* cs_noun_verb is noun_verb in Python, CS_NAME is NAME. */
%rename("%(regex:/^(?:cs|CS)_(.*)/\\1/)s") "";

/* Arguments with a default are one wrapper, not an overload for each number of them. */
%feature("compactdefaultargs");

%include "preamble.i"
%include "typemaps/records.i"

%include "idioms.i"
%include "codec.i"
%include "pkcs11.i"
