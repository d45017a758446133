/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_inflate.cpp - one call of the engine that decompresses, and its errors.
 */
#include "codec_inflate.hpp"
#include "arguments.hpp"
#include "gil.hpp"

namespace cside
{

nb::object fail_inflate_creating(cs_status status, const char *message)
{
    switch (status) {
    case CS_E_STREAM:
        return fail(PyExc_ValueError, "Invalid initialization option");
    case CS_E_MEMORY:
        return fail(PyExc_MemoryError, "Can't allocate memory for decompression object");
    default:
        return fail_engine(status, "while creating decompression object", message);
    }
}

nb::handle no_dictionary()
{
    static PyObject *marker = nullptr; /* made when the module is, which is initialised once */

    if (marker == nullptr) {
        marker = PyObject_CallNoArgs(reinterpret_cast<PyObject *>(&PyBaseObject_Type));
        if (marker == nullptr) {
            nb::raise_python_error();
        }
    }
    return marker;
}

bool check_dictionary(nb::handle zdict)
{
    if (!PyObject_CheckBuffer(zdict.ptr())) {
        fail(PyExc_TypeError, "zdict argument must support the buffer protocol");
        return false;
    }
    return true;
}

bool inflate_call::run(cs_stream &stream, int32_t flush, growing_output &output)
{
    growing_output::growth growth = growing_output::growth::grown;

    while (growth == growing_output::growth::grown) {
        {
            gil_released released;

            status = cs_inflate(&stream, flush);
        }
        if (status == CS_NEED_DICT && with_dictionary) {
            status = cs_inflate_set_dictionary(&stream, dictionary.data(), dictionary.nbytes());
            if (status < 0) {
                doing = "while setting zdict";
                return false;
            }
            continue;
        }
        if ((status != CS_OK && status != CS_E_BUFFER) || stream.avail_out != 0) {
            break;
        }
        growth = output.grow(stream);
    }
    if (status == CS_E_BUFFER) {
        status = CS_OK; /* more input is needed, or the limit is reached; not an error here */
    }
    raised = growth == growing_output::growth::no_memory;
    return !raised;
}

} // namespace cside
