/* SPDX-License-Identifier: Apache-2.0
 *
 * environment.h - variables of the environment.
 */
#ifndef CSIDE_ENVIRONMENT_H
#define CSIDE_ENVIRONMENT_H

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/** A variable of the environment. NULL if it is unset or empty, or if the program runs with more rights than its
 *  caller. */
const char *cs_environment(const char *name);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
