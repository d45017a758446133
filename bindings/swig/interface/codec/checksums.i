/* SPDX-License-Identifier: Apache-2.0
 *
 * Checksums, with the arguments in zlib's order: short ones hold the GIL, long ones release it.
 */
%define %checksum(NAME, INITIAL)
%exception NAME {
    if (arg2 < CS_CHECKSUM_LONG_NBYTES) {
        $action
    } else {
        Py_BEGIN_ALLOW_THREADS
        $action
        Py_END_ALLOW_THREADS
    }
}
%header {
static uint32_t NAME(const uint8_t *data, size_t data_nbytes, uint32_t value)
{
    return cs_##NAME(value, data, data_nbytes);
}
}
uint32_t NAME(const uint8_t *data, size_t data_nbytes, uint32_t MODULO = INITIAL);
%enddef
