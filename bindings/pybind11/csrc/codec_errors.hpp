// SPDX-License-Identifier: Apache-2.0
//
// codec_errors.hpp - exceptions of the codec.
#pragma once

#include "errors.hpp"

#include <cside/codec.h>

/** The text of a failure, as "Error -3 while decompressing data: incorrect header check". It is written while the lock
 *  of a stream is held, and thrown later. */
struct codec_text {
    char text[320];

    /** `doing` is a phrase such as "while flushing"; `message` is the engine's text, or NULL. */
    codec_text(cs_status status, const char *doing, const char *message)
    {
        cs_codec_error_text(status, doing, message, text, sizeof(text));
    }
};

/** Throw codec.error with this text. */
[[noreturn]] void throw_codec_error(const char *text);

/** Throw codec.error with the text for a status. */
[[noreturn]] void throw_codec_error(cs_status status, const char *doing, const char *message);

/** Let no code make objects of a class whose objects come from a function. It is given to py::custom_type_setup. */
void refuse_construction(PyHeapTypeObject *heap_type);
