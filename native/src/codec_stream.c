/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_stream.c - streaming compression and decompression.
 *
 * The caller sees a cs_stream; zlib's own z_stream is in the cs_engine that the cs_stream points to. A call copies the
 * caller's pointers into the z_stream, runs zlib, and copies them back before it calls the progress callback. Where
 * there is more input or output room than zlib can count, or more than may pass between two calls of the progress
 * callback, the call works in slices.
 */
#include "cside/codec.h"

#include "codec_engine.h"
#include "trace_scope.h"

/* The stream's engine if a call may run now; NULL if not, for which the caller returns CS_E_STREAM. */
static struct cs_engine *engine_of(const cs_stream *stream, int (*run)(z_stream *, int))
{
    struct cs_engine *engine = stream != NULL ? stream->engine : NULL;

    if (engine == NULL || engine->owner != stream || engine->run != run || engine->running)
        return NULL;
    return engine;
}

/* The engine of a stream that is being initialised, ended, or made by a copy, whose calls may be in the caller's
 * allocator. It has no owner, so engine_of() finds none for the stream, and a stream that has an engine is not
 * initialised again. */
static struct cs_engine changing;

static void show_state(cs_stream *stream, const struct cs_engine *engine)
{
    stream->message = engine->z.msg;
    stream->checksum = (uint32_t)engine->z.adler;
}

/* ---- calls --------------------------------------------------------------------------------------- */

/* Run zlib once over the stream's input and output, at most `in_limit` and `out_limit` bytes of them. */
static int run_once(cs_stream *stream, struct cs_engine *engine, int flush, size_t in_limit, size_t out_limit)
{
    z_stream *z = &engine->z;
    uInt in = cs_engine_slice(stream->avail_in, in_limit);
    uInt out = cs_engine_slice(stream->avail_out, out_limit);
    uInt took = 0, made = 0;
    int code = Z_OK;

    z->next_in = stream->next_in != NULL ? stream->next_in : cs_engine_nowhere();
    z->avail_in = in;
    z->next_out = stream->next_out != NULL ? stream->next_out : cs_engine_nowhere();
    z->avail_out = out;
    engine->begun = true;
    engine->running = true;
    code = engine->run(z, flush);
    engine->running = false;
    if (code == Z_STREAM_END)
        engine->finished = true;

    took = in - z->avail_in;
    made = out - z->avail_out;
    if (took > 0) {
        stream->next_in += took;
        stream->avail_in -= took;
        stream->total_in += took;
    }
    if (made > 0) {
        stream->next_out += made;
        stream->avail_out -= made;
        stream->total_out += made;
    }
    show_state(stream, engine);
    return code;
}

static bool stopped_by_progress(cs_stream *stream, struct cs_engine *engine)
{
    int32_t answer = 0;

    if (stream->progress == NULL)
        return false;
    engine->running = true;
    answer = stream->progress(stream->progress_user, stream->total_in, stream->total_out);
    engine->running = false;
    return answer != 0;
}

/* Run zlib in slices of at most `limit` bytes of input and output. The caller's flush mode is passed only with the last
 * slice of input, since zlib would otherwise flush after each slice. For a flush that writes a marker the output is not
 * sliced: zlib writes the marker again when a call ends with the marker complete and the output full. */
static cs_status run_in_slices(cs_stream *stream, struct cs_engine *engine, int flush, size_t limit)
{
    bool moved = false;
    int code = Z_OK;

    for (;;) {
        bool deflates = engine->run == deflate;
        bool marks = deflates && flush != Z_NO_FLUSH && flush != Z_FINISH;
        bool last_input = marks ? stream->avail_in == 0 : stream->avail_in <= limit;
        size_t out_limit = marks && last_input ? CS_ENGINE_SLICE_NBYTES : limit;
        uint64_t in_before = stream->total_in, out_before = stream->total_out;
        bool slice_used_up = false, room_used_up = false;

        code = run_once(stream, engine, last_input ? flush : Z_NO_FLUSH, limit, out_limit);
        room_used_up = stream->total_out - out_before == out_limit;
        slice_used_up = stream->total_in - in_before == limit;
        if (stream->total_in != in_before || stream->total_out != out_before)
            moved = true;
        if (code != Z_OK && code != Z_BUF_ERROR)
            break;
        if (stream->avail_out == 0)
            break;
        /* There is room. Continue if only the slice was used up, or if the flush was not passed to zlib yet. */
        if (!room_used_up && !(slice_used_up && stream->avail_in > 0) && (last_input || stream->avail_in > 0))
            break;
        if (stopped_by_progress(stream, engine))
            return CS_E_ABORTED;
    }
    if (code == Z_BUF_ERROR && moved && (engine->run == deflate || flush != Z_FINISH))
        code = Z_OK;
    if (code == Z_OK && engine->run == inflate && flush == Z_FINISH)
        code = Z_BUF_ERROR;
    return code;
}

static cs_status run_stream(cs_stream *stream, struct cs_engine *engine, int flush)
{
    cs_status status = CS_OK;

    if (stream->progress != NULL)
        status =
            run_in_slices(stream, engine, flush,
                          CS_PROGRESS_NBYTES < CS_ENGINE_SLICE_NBYTES ? CS_PROGRESS_NBYTES : CS_ENGINE_SLICE_NBYTES);
    else if (stream->avail_in > CS_ENGINE_SLICE_NBYTES || stream->avail_out > CS_ENGINE_SLICE_NBYTES)
        status = run_in_slices(stream, engine, flush, CS_ENGINE_SLICE_NBYTES);
    else
        status = run_once(stream, engine, flush, CS_ENGINE_SLICE_NBYTES, CS_ENGINE_SLICE_NBYTES);
    if (status >= 0 && stopped_by_progress(stream, engine))
        return CS_E_ABORTED;
    return status;
}

static bool has_buffers(const cs_stream *stream)
{
    return cs_engine_has_buffers(stream->next_in, stream->avail_in, stream->next_out, stream->avail_out);
}

static cs_status not_running(cs_stream *stream)
{
    if (stream != NULL && stream->engine == NULL)
        stream->message = NULL;
    return CS_E_STREAM;
}

static inline cs_status deflate_body(cs_stream *stream, int32_t flush)
{
    struct cs_engine *engine = engine_of(stream, deflate);

    if (engine == NULL || flush < CS_FLUSH_NONE || flush > CS_FLUSH_BLOCK || !has_buffers(stream))
        return not_running(stream);
    return run_stream(stream, engine, flush);
}

static inline cs_status inflate_body(cs_stream *stream, int32_t flush)
{
    struct cs_engine *engine = engine_of(stream, inflate);

    if (engine == NULL || (flush != CS_FLUSH_NONE && flush != CS_FLUSH_SYNC && flush != CS_FLUSH_FINISH) ||
        !has_buffers(stream))
        return not_running(stream);
    return run_stream(stream, engine, flush);
}

/* Not by CS_TRACED_STATUS(), since the bytes to count are those by which the call moved the stream. */
static cs_status traced_call(size_t id, cs_status (*body)(cs_stream *, int32_t), cs_stream *stream, int32_t flush)
{
    uint64_t trace_start = cs_trace_ticks();
    uint64_t in_before = stream != NULL ? stream->total_in : 0;
    uint64_t out_before = stream != NULL ? stream->total_out : 0;
    cs_status status = body(stream, flush);

    cs_trace_count_call(id, trace_start, status < 0, stream != NULL ? stream->total_in - in_before : 0,
                        stream != NULL ? stream->total_out - out_before : 0);
    return status;
}

cs_status cs_deflate(cs_stream *stream, int32_t flush)
{
    if (cs_trace_is_on())
        return traced_call(CS_TRACE_ID_deflate, deflate_body, stream, flush);
    return deflate_body(stream, flush);
}

cs_status cs_inflate(cs_stream *stream, int32_t flush)
{
    if (cs_trace_is_on())
        return traced_call(CS_TRACE_ID_inflate, inflate_body, stream, flush);
    return inflate_body(stream, flush);
}

/* ---- beginning and end ---------------------------------------------------------------------------- */

static cs_status init_check(const cs_stream *stream)
{
    if (stream == NULL)
        return CS_E_STREAM;
    if (stream->engine != NULL)
        return CS_E_STATE;
    if ((stream->alloc == NULL) != (stream->free == NULL))
        return CS_E_ARGUMENT;
    return CS_OK;
}

/* Give the engine to a new stream, or free it if zlib refused the parameters. */
static cs_status init_finish(cs_stream *stream, struct cs_engine *engine, int code)
{
    if (engine != NULL) {
        stream->total_in = 0;
        stream->total_out = 0;
        show_state(stream, engine);
        if (code != Z_OK)
            cs_engine_delete(engine);
    }
    stream->engine = code == Z_OK ? engine : NULL;
    return code;
}

CS_TRACED_STATUS(deflate_init,
                 (cs_stream * stream, int32_t level, int32_t method, int32_t window_bits, int32_t mem_level,
                  int32_t strategy),
                 (stream, level, method, window_bits, mem_level, strategy), 0, 0)
{
    const struct cs_engine_parameters parameters = {level, method, window_bits, mem_level, strategy};
    struct cs_engine *engine = NULL;
    cs_status status = init_check(stream);
    int code = Z_OK;

    if (status != CS_OK)
        return status;
    stream->engine = &changing;
    code = cs_engine_open_deflate(&engine, stream, &parameters);
    return init_finish(stream, engine, code);
}

CS_TRACED_STATUS(inflate_init, (cs_stream * stream, int32_t window_bits), (stream, window_bits), 0, 0)
{
    struct cs_engine *engine = NULL;
    cs_status status = init_check(stream);
    int code = Z_OK;

    if (status != CS_OK)
        return status;
    stream->engine = &changing;
    code = cs_engine_open_inflate(&engine, stream, window_bits);
    return init_finish(stream, engine, code);
}

static cs_status end_stream(cs_stream *stream, int (*run)(z_stream *, int))
{
    struct cs_engine *engine = engine_of(stream, run);
    cs_status status = CS_OK;

    if (engine == NULL)
        return not_running(stream);
    stream->message = NULL;
    stream->engine = &changing;
    status = cs_engine_close(engine);
    stream->engine = NULL;
    return status;
}

CS_TRACED_STATUS(deflate_end, (cs_stream * stream), (stream), 0, 0)
{
    return end_stream(stream, deflate);
}

CS_TRACED_STATUS(inflate_end, (cs_stream * stream), (stream), 0, 0)
{
    return end_stream(stream, inflate);
}

/* zlib's copy function uses the source's allocator, which points to the source's engine. The copy then gets its own. */
static cs_status copy_stream(cs_stream *copy, const cs_stream *source, int (*run)(z_stream *, int),
                             int (*copy_engine)(z_stream *, z_stream *))
{
    struct cs_engine *from = engine_of(source, run);
    struct cs_engine *to = NULL;
    cs_stream result;
    int code = Z_MEM_ERROR;

    if (from == NULL || copy == NULL || copy->engine != NULL)
        return CS_E_STREAM;
    result = *source;
    result.alloc = from->alloc;
    result.free = from->free;
    result.alloc_user = from->user;
    result.engine = NULL;
    from->running = true;
    copy->engine = &changing;
    to = cs_engine_new(&result, run);
    if (to != NULL)
        code = copy_engine(&to->z, &from->z);
    if (code == Z_OK) {
        to->z.opaque = to;
        to->owner = copy;
        to->begun = from->begun;
        to->copied = true;
        result.engine = to;
        *copy = result;
    } else {
        if (to != NULL)
            cs_engine_delete(to);
        copy->engine = NULL;
    }
    from->running = false;
    return code;
}

CS_TRACED_STATUS(deflate_copy, (cs_stream * copy, const cs_stream *source), (copy, source), 0, 0)
{
    return copy_stream(copy, source, deflate, deflateCopy);
}

CS_TRACED_STATUS(inflate_copy, (cs_stream * copy, const cs_stream *source), (copy, source), 0, 0)
{
    return copy_stream(copy, source, inflate, inflateCopy);
}

/* ---- dictionaries --------------------------------------------------------------------------------- */

CS_TRACED_STATUS(deflate_set_dictionary, (cs_stream * stream, const uint8_t *dictionary, size_t dictionary_nbytes),
                 (stream, dictionary, dictionary_nbytes), dictionary_nbytes, 0)
{
    struct cs_engine *engine = engine_of(stream, deflate);
    int code = Z_OK;

    if (engine == NULL || engine->begun || /* zlib itself would accept another one later for a raw stream */
        (dictionary == NULL && dictionary_nbytes > 0))
        return not_running(stream);
    if (dictionary == NULL)
        dictionary = cs_engine_nowhere();
    do { /* zlib accepts a dictionary in pieces, each of which continues the one before */
        uInt slice = cs_engine_slice(dictionary_nbytes, CS_ENGINE_SLICE_NBYTES);
        code = deflateSetDictionary(&engine->z, dictionary, slice);
        dictionary += slice;
        dictionary_nbytes -= slice;
    } while (code == Z_OK && dictionary_nbytes > 0);
    show_state(stream, engine);
    return code;
}

/* For a zlib stream, zlib compares the Adler-32 of the whole dictionary, which has to come in one piece; a
 * dictionary that is longer than zlib can count is therefore never the right one. For a raw stream only its last
 * window matters. */
CS_TRACED_STATUS(inflate_set_dictionary, (cs_stream * stream, const uint8_t *dictionary, size_t dictionary_nbytes),
                 (stream, dictionary, dictionary_nbytes), dictionary_nbytes, 0)
{
    struct cs_engine *engine = engine_of(stream, inflate);
    size_t window_nbytes = (size_t)1 << CS_WINDOW_BITS_MAX;
    int code = Z_OK;

    if (engine == NULL || (dictionary == NULL && dictionary_nbytes > 0))
        return not_running(stream);
    if (dictionary == NULL)
        dictionary = cs_engine_nowhere();
    if (dictionary_nbytes > UINT_MAX) {
        dictionary += dictionary_nbytes - window_nbytes;
        dictionary_nbytes = window_nbytes;
    }
    engine->running = true; /* zlib may call the caller's allocator for the window */
    code = inflateSetDictionary(&engine->z, dictionary, (uInt)dictionary_nbytes);
    engine->running = false;
    show_state(stream, engine);
    return code;
}
