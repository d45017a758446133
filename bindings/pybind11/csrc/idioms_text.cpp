// SPDX-License-Identifier: Apache-2.0
//
// idioms_text.cpp - NUL-terminated text in and out, and fields of a fixed width.
#include "arguments.hpp"
#include "docstrings.hpp"

#include <cside/idioms.h>

#include <algorithm>
#include <memory>
#include <string_view>

static std::size_t string_length(text string)
{
    return cs_string_length(string);
}

static py::object string_borrow(u32 index)
{
    const char *borrowed = cs_string_borrow(index);

    if (borrowed == nullptr) {
        return py::none();
    }
    return stolen(PyUnicode_FromString(borrowed));
}

static py::str string_repeat(text string, u32 times)
{
    char *repeated = nullptr;

    check(cs_string_repeat(string, times, &repeated));
    const std::unique_ptr<char, decltype(&cs_string_free)> owner(repeated, cs_string_free);
    return py::str(repeated, std::strlen(repeated));
}

static py::str label_get(u32 index)
{
    char label[CS_LABEL_NBYTES];

    cs_label_get(index, label);
    // In a label of spaces alone the position is npos, and npos + 1 is 0.
    return py::str(label, std::string_view(label, sizeof(label)).find_last_not_of(' ') + 1);
}

static std::uint32_t label_hash(utf8 string)
{
    char label[CS_LABEL_NBYTES];

    if (string.nbytes > CS_LABEL_NBYTES) {
        throw_error(PyExc_ValueError, "label longer than 32 bytes");
    }
    std::fill(std::copy_n(string.data, string.nbytes, label), std::end(label), ' ');
    return cs_label_hash(label);
}

void bind_idioms_text(py::module_ &m)
{
    m.def("string_length", string_length, DOC_string_length);
    m.def("string_borrow", string_borrow, DOC_string_borrow);
    m.def("string_repeat", string_repeat, DOC_string_repeat);
    m.def("label_get", label_get, DOC_label_get);
    m.def("label_hash", label_hash, DOC_label_hash);
}
