/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_errors.hpp - exceptions of the codec.
 */
#ifndef CSIDE_NANOBIND_CODEC_ERRORS_HPP
#define CSIDE_NANOBIND_CODEC_ERRORS_HPP

#include <nanobind/nanobind.h>

#include <cside/codec.h>

namespace nb = nanobind;

namespace cside
{

/** Set codec.error with a text. Returns the null object that tells nanobind so. */
nb::object fail_codec(const char *text);

/** Set codec.error with the message for a status. `doing` is a phrase such as "while flushing"; `message` is the
 *  engine's text, or null. */
nb::object fail_engine(cs_status status, const char *doing, const char *message);

/** The failure of a call on a stream. Its text is noted while the stream's lock is held, because the engine's message is
 *  valid until the next call, and raised when the lock is released, because making an exception may run Python code. */
class engine_failure
{
  public:
    void note(cs_status status, const char *doing, const char *message)
    {
        cs_codec_error_text(status, doing, message, text, sizeof(text));
        noted = true;
    }

    explicit operator bool() const
    {
        return noted;
    }
    nb::object raise() const
    {
        return fail_codec(text);
    }

  private:
    bool noted = false;
    char
        text[320]; /* not initialised: it is long, and few calls fail. The longest message has 200 bytes and a prefix */
};

} // namespace cside

#endif
