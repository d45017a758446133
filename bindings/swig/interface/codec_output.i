/* SPDX-License-Identifier: Apache-2.0
 *
 * Output of unknown size: a bytes object that doubles when it is full. decompress and both stream objects use it.
 */
%{
typedef struct cside_room {
    PyObject *bytes;
    size_t nbytes;
} cside_room;

static bool cside_room_open(cside_room *room, size_t nbytes, cs_stream *stream)
{
    room->nbytes = nbytes;
    if ((room->bytes = cside_bytes_new(nbytes)) == NULL)
        return false;
    stream->next_out = cside_bytes_start(room->bytes);
    stream->avail_out = nbytes;
    return true;
}

/* Double the room, up to `limit` bytes in all. The room must be full. */
static bool cside_room_grow(cside_room *room, size_t limit, cs_stream *stream)
{
    const size_t used = room->nbytes;

    room->nbytes = used > limit / 2 ? limit : used * 2;
    if (_PyBytes_Resize(&room->bytes, (Py_ssize_t)room->nbytes) < 0)
        return false;
    stream->next_out = cside_bytes_start(room->bytes) + used;
    stream->avail_out = room->nbytes - used;
    return true;
}

static PyObject *cside_room_take(cside_room *room, const cs_stream *stream)
{
    return cside_bytes_cut(room->bytes, room->nbytes - stream->avail_out);
}
%}
