/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_text.cpp - NUL-terminated strings in and out, borrowed and allocated ones, and strings padded with spaces.
 */
#include "arguments.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "status.hpp"

#include <cside/idioms.h>

#include <memory>

namespace cside
{

namespace
{

/** Decode strict UTF-8; null with UnicodeDecodeError. nb::str would throw. */
nb::object decode(const char *text, size_t nbytes)
{
    return nb::steal(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(nbytes), nullptr));
}

nb::object string_length(nb::handle text)
{
    const char *utf8 = nullptr;

    if (!convert(text, utf8)) {
        return nb::object();
    }
    return nb::cast(cs_string_length(utf8));
}

nb::object string_borrow(nb::handle index)
{
    uint32_t number = 0;

    if (!convert(index, number)) {
        return nb::object();
    }
    const char *text = cs_string_borrow(number);
    return text == nullptr ? nb::none() : decode(text, std::strlen(text));
}

struct string_free {
    void operator()(char *text) const
    {
        cs_string_free(text);
    }
};

nb::object string_repeat(nb::handle text, nb::handle times)
{
    const char *utf8 = nullptr;
    char *made = nullptr;
    uint32_t count = 0;

    if (!convert(text, utf8) || !convert(times, count)) {
        return nb::object();
    }
    cs_status status = cs_string_repeat(utf8, count, &made);
    if (status < 0) {
        return fail_status(status);
    }
    std::unique_ptr<char, string_free> repeated(made);
    return decode(made, std::strlen(made));
}

nb::object label_get(nb::handle index)
{
    char label[CS_LABEL_NBYTES];
    size_t nbytes = CS_LABEL_NBYTES;
    uint32_t number = 0;

    if (!convert(index, number)) {
        return nb::object();
    }
    cs_label_get(number, label);
    while (nbytes >= 8 && std::memcmp(label + nbytes - 8, "        ", 8) == 0) { /* one comparison of 64 bits */
        nbytes -= 8;
    }
    while (nbytes > 0 && label[nbytes - 1] == ' ') {
        nbytes--;
    }
    return decode(label, nbytes);
}

nb::object label_hash(nb::handle text)
{
    char label[CS_LABEL_NBYTES];
    utf8 given = {nullptr, 0};

    if (!convert(text, given)) {
        return nb::object();
    }
    if (given.nbytes > CS_LABEL_NBYTES) {
        return fail(PyExc_ValueError, "label longer than 32 bytes");
    }
    std::memset(label, ' ', CS_LABEL_NBYTES);
    std::memcpy(label, given.data, given.nbytes);
    return nb::cast(cs_label_hash(label));
}

} // namespace

void bind_idioms_text(nb::module_ &m)
{
    m.def("string_length", string_length, DOC_string_length);
    m.def("string_borrow", string_borrow, DOC_string_borrow);
    m.def("string_repeat", string_repeat, DOC_string_repeat);
    m.def("label_get", label_get, DOC_label_get);
    m.def("label_hash", label_hash, DOC_label_hash);
}

} // namespace cside
