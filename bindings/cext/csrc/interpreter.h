/* SPDX-License-Identifier: Apache-2.0
 *
 * interpreter.h - includes Python.h, in the same way for all files.
 */
#ifndef CSIDE_CEXT_INTERPRETER_H
#define CSIDE_CEXT_INTERPRETER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#endif
