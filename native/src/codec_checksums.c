/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_checksums.c - CRC-32 and Adler-32, and their combination.
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64 /* zlib's combine functions take an off_t */

#include "cside/codec.h"

#include "codec_engine.h"
#include "trace_scope.h"

#if ZLIB_VERNUM >= 0x1290
#define CHECKSUM_OF_SIZE(function, value, data, nbytes) ((uint32_t)function##_z(value, data, nbytes))
#else
#define CHECKSUM_OF_SIZE(function, value, data, nbytes) checksum_in_slices(function, value, data, nbytes)

static uint32_t checksum_in_slices(uLong (*function)(uLong, const Bytef *, uInt), uLong value, const uint8_t *data,
                                   size_t nbytes)
{
    do {
        uInt slice = cs_engine_slice(nbytes, CS_ENGINE_SLICE_NBYTES);
        value = function(value, data, slice);
        data += slice;
        nbytes -= slice;
    } while (nbytes > 0);
    return (uint32_t)value;
}
#endif

/* zlib takes NULL as a request for the initial value. Here NULL is an empty buffer, which does not change the value. */
static const uint8_t empty[1];

CS_TRACED_VALUE(uint32_t, crc32, (uint32_t value, const uint8_t *data, size_t data_nbytes), (value, data, data_nbytes),
                data_nbytes, 0)
{
    if (CS_UNLIKELY(data == NULL))
        return value;
    return CHECKSUM_OF_SIZE(crc32, value, data, data_nbytes);
}

CS_TRACED_VALUE(uint32_t, adler32, (uint32_t value, const uint8_t *data, size_t data_nbytes),
                (value, data, data_nbytes), data_nbytes, 0)
{
    if (CS_UNLIKELY(data == NULL))
        return CHECKSUM_OF_SIZE(adler32, value, empty, 0);
    return CHECKSUM_OF_SIZE(adler32, value, data, data_nbytes);
}

/* Appending n bytes multiplies a CRC by x^(8n) modulo the CRC's polynomial, which is primitive: powers of x repeat
 * after 2^32 - 1. In old versions of zlib the time grows with the bits of the length, and no version accepts a negative
 * length. */
CS_TRACED_VALUE(uint32_t, crc32_combine, (uint32_t first, uint32_t second, uint64_t second_nbytes),
                (first, second, second_nbytes), 0, 0)
{
    if (second_nbytes > UINT32_MAX)
        second_nbytes = (second_nbytes - 1) % UINT32_MAX + 1;
    return (uint32_t)crc32_combine(first, second, (z_off_t)second_nbytes);
}

/* Only the length modulo the base of Adler-32 matters. */
CS_TRACED_VALUE(uint32_t, adler32_combine, (uint32_t first, uint32_t second, uint64_t second_nbytes),
                (first, second, second_nbytes), 0, 0)
{
    return (uint32_t)adler32_combine(first, second, (z_off_t)(second_nbytes % 65521u));
}
