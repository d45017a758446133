/* SPDX-License-Identifier: Apache-2.0 */
%module alone_swig_pointer_cut
%{
#include "hz.h"
%}
int hz_open(int value); /* returns a pointer */
int hz_value(int handle);
