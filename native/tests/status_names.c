/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a status that has no name or message, or the name or message of another status.
 */
#include "cside/status.h"

#include "check.h"

int main(void)
{
    static const cs_status statuses[] = {CS_NEED_DICT,   CS_STREAM_END,  CS_OK,       CS_E_ERRNO,   CS_E_STREAM,
                                         CS_E_DATA,      CS_E_MEMORY,    CS_E_BUFFER, CS_E_VERSION, CS_E_ARGUMENT,
                                         CS_E_TOO_SMALL, CS_E_NOT_FOUND, CS_E_CLOSED, CS_E_BUSY,    CS_E_ABORTED,
                                         CS_E_STATE,     CS_E_THREAD};
    size_t count = sizeof statuses / sizeof statuses[0];

    for (size_t i = 0; i < count; i++) {
        const char *message = cs_status_message(statuses[i]);
        CHECK(strncmp(cs_status_name(statuses[i]), "CS_", 3) == 0);
        CHECK(strcmp(cs_status_name(statuses[i]), "CS_E_UNKNOWN") != 0);
        CHECK(strlen(message) > 3 && message[strlen(message) - 1] != '.');
        CHECK(message[0] >= 'a' && message[0] <= 'z');
        for (size_t j = 0; j < i; j++) {
            CHECK(strcmp(cs_status_name(statuses[i]), cs_status_name(statuses[j])) != 0);
            CHECK(strcmp(message, cs_status_message(statuses[j])) != 0);
        }
    }
    CHECK_TEXT(cs_status_name(CS_E_DATA), "CS_E_DATA");
    CHECK_TEXT(cs_status_message(CS_E_CLOSED), "the handle is closed");
    CHECK_TEXT(cs_status_name(-99), "CS_E_UNKNOWN");
    CHECK_TEXT(cs_status_name(INT32_MIN), "CS_E_UNKNOWN");
    CHECK_TEXT(cs_status_message(3), "unknown status");

    CHECK_TEXT(cs_version(), CS_VERSION_STRING);
    CHECK(strlen(cs_build_compiler()) > 4);
    CHECK(strlen(cs_build_flags()) > 4);
    return 0;
}
