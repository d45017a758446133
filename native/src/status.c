/* SPDX-License-Identifier: Apache-2.0 */
#include "cside/status.h"

#include <stddef.h>

static const struct {
    cs_status status;
    const char *name;
    const char *message;
} statuses[] = {
    {CS_NEED_DICT, "CS_NEED_DICT", "a preset dictionary is needed"},
    {CS_STREAM_END, "CS_STREAM_END", "the stream is complete"},
    {CS_OK, "CS_OK", "success"},
    {CS_E_ERRNO, "CS_E_ERRNO", "a system call failed"},
    {CS_E_STREAM, "CS_E_STREAM", "inconsistent stream or invalid parameter"},
    {CS_E_DATA, "CS_E_DATA", "corrupt input"},
    {CS_E_MEMORY, "CS_E_MEMORY", "out of memory"},
    {CS_E_BUFFER, "CS_E_BUFFER", "more input or more output space is needed"},
    {CS_E_VERSION, "CS_E_VERSION", "caller and library versions disagree"},
    {CS_E_ARGUMENT, "CS_E_ARGUMENT", "argument outside its domain"},
    {CS_E_TOO_SMALL, "CS_E_TOO_SMALL", "the output buffer is too small"},
    {CS_E_NOT_FOUND, "CS_E_NOT_FOUND", "no such item"},
    {CS_E_CLOSED, "CS_E_CLOSED", "the handle is closed"},
    {CS_E_BUSY, "CS_E_BUSY", "the handle is in use"},
    {CS_E_ABORTED, "CS_E_ABORTED", "stopped by a callback"},
    {CS_E_STATE, "CS_E_STATE", "called in the wrong state"},
    {CS_E_THREAD, "CS_E_THREAD", "a thread could not be created"},
};

const char *cs_status_name(cs_status status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status)
            return statuses[i].name;
    }
    return "CS_E_UNKNOWN";
}

const char *cs_status_message(cs_status status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status)
            return statuses[i].message;
    }
    return "unknown status";
}

const char *cs_version(void)
{
    return CS_VERSION_STRING;
}

#define QUOTE_(text) #text
#define QUOTE(text) QUOTE_(text)

const char *cs_build_compiler(void)
{
#if defined(__clang__)
    return "clang " QUOTE(__clang_major__) "." QUOTE(__clang_minor__) "." QUOTE(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "gcc " QUOTE(__GNUC__) "." QUOTE(__GNUC_MINOR__) "." QUOTE(__GNUC_PATCHLEVEL__);
#else
    return "unknown";
#endif
}

const char *cs_build_flags(void)
{
#if defined(CSIDE_BUILD_FLAGS)
    return CSIDE_BUILD_FLAGS;
#else
    return "unknown";
#endif
}
