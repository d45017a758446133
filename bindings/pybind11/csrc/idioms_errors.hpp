// SPDX-License-Identifier: Apache-2.0
//
// idioms_errors.hpp - StatusError, the exception for a status for which Python has none of its own.
#pragma once

#include "_core.hpp"

#include <cside/status.h>

/** Throw a StatusError with this text, and the number and the name of the status. */
[[noreturn]] void throw_status_error(cs_status status, const char *text);
