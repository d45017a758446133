/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an allocator of the caller that calls the codec for the stream that it is called for. Then memory is freed
 * twice, used after it was freed, or lost.
 *
 * Each operation that calls the allocator is repeated for each of its calls, for each call that the allocator makes in
 * turn, and for an allocation that fails at each place.
 */
#include <stdbool.h>

#include "check.h"
#include "cside/codec.h"

enum { NBYTES = 5000, POISON = 0xDD };

/* ---- a heap that notices memory that is freed twice, freed elsewhere, or written after it was freed ---- */

struct tag {
    struct tag *next; /* the blocks of the heap; none is released before the end of the case */
    const struct heap *heap;
    size_t nbytes;
    bool is_free;
};

struct heap {
    struct tag *tags;
    int64_t live;
    int calls; /* of both functions */
    int allocations;
};

static struct heap first_heap, second_heap;

/* What happens in the allocator's call number `at`. */
struct nested {
    int at;
    void (*call)(void);
    int fails_at; /* the allocation that fails; -1 for none */
};

static struct nested nested;
static cs_stream stream, copy, third;
static cs_status nested_status;

static void enter(struct heap *heap)
{
    void (*call)(void) = nested.call;

    if (heap->calls++ != nested.at || call == NULL)
        return;
    nested.call = NULL;
    call();
}

static void *heap_alloc(void *user, size_t item_count, size_t item_nbytes)
{
    struct heap *heap = user;
    struct tag *tag = NULL;

    enter(heap);
    if (heap->allocations++ == nested.fails_at)
        return NULL;
    tag = check_alloc(sizeof *tag + item_count * item_nbytes);
    *tag = (struct tag){heap->tags, heap, item_count * item_nbytes, false};
    heap->tags = tag;
    heap->live++;
    return tag + 1;
}

static void heap_free(void *user, void *address)
{
    struct heap *heap = user;
    struct tag *tag = (struct tag *)address - 1;

    CHECK(tag->heap == heap);
    CHECK(!tag->is_free);
    tag->is_free = true;
    memset(address, POISON, tag->nbytes);
    heap->live--;
    enter(heap);
}

static void heap_end(struct heap *heap)
{
    CHECK_EQ(heap->live, 0);
    for (struct tag *tag = heap->tags, *next = NULL; tag != NULL; tag = next) {
        const uint8_t *bytes = (const uint8_t *)(tag + 1);

        next = tag->next;
        for (size_t i = 0; i < tag->nbytes; i++)
            CHECK_EQ(bytes[i], POISON);
        free(tag);
    }
    *heap = (struct heap){0};
}

/* ---- what the allocator does with the streams that it is called for ---- */

static void deflate_end_stream(void)
{
    nested_status = cs_deflate_end(&stream);
}

static void inflate_end_stream(void)
{
    nested_status = cs_inflate_end(&stream);
}

static void deflate_init_stream(void)
{
    nested_status = cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0);
}

static void inflate_init_stream(void)
{
    nested_status = cs_inflate_init(&stream, 15);
}

static void deflate_stream(void)
{
    nested_status = cs_deflate(&stream, CS_FLUSH_NONE);
}

static void inflate_stream(void)
{
    nested_status = cs_inflate(&stream, CS_FLUSH_NONE);
}

static void deflate_copy_stream(void)
{
    nested_status = cs_deflate_copy(&third, &stream);
}

static void inflate_copy_stream(void)
{
    nested_status = cs_inflate_copy(&third, &stream);
}

static void dictionary_of_stream(void)
{
    static const uint8_t bytes[10];

    nested_status = cs_deflate_set_dictionary(&stream, bytes, sizeof bytes);
    if (nested_status == CS_E_STREAM)
        nested_status = cs_inflate_set_dictionary(&stream, bytes, sizeof bytes);
}

static void other_allocator(void)
{
    nested_status = CS_E_STREAM;
    stream.alloc_user = &second_heap;
}

static void no_allocator(void)
{
    nested_status = CS_E_STREAM;
    stream.alloc = NULL;
    stream.free = NULL;
}

/* These three use the stream that is being made by a copy. */
static void deflate_init_copy(void)
{
    nested_status = cs_deflate_init(&copy, 6, CS_METHOD_DEFLATED, 15, 8, 0);
}

static void inflate_copy_to_copy(void)
{
    nested_status = cs_inflate_copy(&copy, &third);
}

static void end_copy(void)
{
    nested_status = cs_deflate_end(&copy);
}

static void (*const calls_on_stream[])(void) = {
    deflate_end_stream,  inflate_end_stream,  deflate_init_stream,  inflate_init_stream, deflate_stream, inflate_stream,
    deflate_copy_stream, inflate_copy_stream, dictionary_of_stream, other_allocator,     no_allocator,
};
static void (*const calls_on_copy[])(void) = {deflate_init_copy, inflate_copy_to_copy, end_copy};

/* ---- the operations ---- */

static uint8_t data[NBYTES], packed[2 * NBYTES], out[NBYTES];
static size_t packed_nbytes;

static cs_status begin_deflate(void)
{
    return cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0);
}

static cs_status begin_inflate(void)
{
    return cs_inflate_init(&stream, 15);
}

static void feed_deflate(void)
{
    stream.next_in = data;
    stream.avail_in = NBYTES;
    stream.next_out = out;
    stream.avail_out = NBYTES / 4;
}

static cs_status some_inflate(void)
{
    stream.next_in = packed;
    stream.avail_in = packed_nbytes / 2;
    stream.next_out = out;
    stream.avail_out = NBYTES;
    return cs_inflate(&stream, CS_FLUSH_SYNC); /* allocates the window */
}

static cs_status copy_deflate(void)
{
    return cs_deflate_copy(&copy, &stream);
}

static cs_status copy_inflate(void)
{
    return cs_inflate_copy(&copy, &stream);
}

static cs_status end_deflate(void)
{
    return cs_deflate_end(&stream);
}

static cs_status end_inflate(void)
{
    return cs_inflate_end(&stream);
}

enum operation {
    DEFLATE_INIT,
    DEFLATE_COPY,
    DEFLATE_END,
    INFLATE_INIT,
    INFLATE,
    INFLATE_COPY,
    INFLATE_END,
    OPERATIONS
};

static void prepare(enum operation operation)
{
    stream = (cs_stream){.alloc = heap_alloc, .free = heap_free, .alloc_user = &first_heap};
    copy = third = stream;
    switch (operation) {
    case DEFLATE_COPY:
    case DEFLATE_END:
        CHECK_EQ(begin_deflate(), CS_OK);
        feed_deflate();
        CHECK_EQ(cs_deflate(&stream, CS_FLUSH_NONE), CS_OK);
        break;
    case INFLATE:
    case INFLATE_COPY:
    case INFLATE_END:
        CHECK_EQ(begin_inflate(), CS_OK);
        if (operation != INFLATE)
            CHECK_EQ(some_inflate(), CS_OK);
        break;
    default:
        break;
    }
    first_heap.calls = first_heap.allocations = 0;
}

static cs_status run(enum operation operation)
{
    static cs_status (*const functions[])(void) = {begin_deflate, copy_deflate, end_deflate, begin_inflate,
                                                   some_inflate,  copy_inflate, end_inflate};

    return functions[operation]();
}

static void end_stream(cs_stream *one)
{
    if (one->engine != NULL && cs_deflate_end(one) == CS_E_STREAM)
        CHECK_EQ(cs_inflate_end(one), CS_OK);
    CHECK(one->engine == NULL);
}

/* One case. Returns the number of calls of the allocator. */
static int run_case(enum operation operation, struct nested what)
{
    int calls = 0;
    cs_status status = CS_OK;
    bool changes_allocator = what.call == other_allocator || what.call == no_allocator;

    nested = (struct nested){-1, NULL, -1};
    prepare(operation);
    nested = what;
    nested_status = 1000;
    status = run(operation);
    calls = first_heap.calls;
    if (what.call != NULL && nested.call == NULL && !changes_allocator && nested_status != CS_E_STREAM &&
        nested_status != CS_E_STATE) {
        fprintf(stderr, "operation %d, call %d of the allocator: the call in it returned %d\n", (int)operation, what.at,
                (int)nested_status);
        exit(1);
    }
    if (what.fails_at < 0)
        CHECK_EQ(status, operation == DEFLATE_END ? CS_E_DATA : CS_OK); /* the call itself goes on undisturbed */
    nested = (struct nested){-1, NULL, -1};
    end_stream(&stream);
    end_stream(&copy);
    end_stream(&third);
    heap_end(&first_heap);
    heap_end(&second_heap);
    return calls;
}

static int all_cases(enum operation operation, void (*call)(void))
{
    int cases = 0;

    for (int fails_at = -1; fails_at < 8; fails_at++) {
        int calls = run_case(operation, (struct nested){-1, NULL, fails_at});

        for (int at = 0; at < calls; at++, cases++)
            run_case(operation, (struct nested){at, call, fails_at});
    }
    return cases;
}

/* The allocator of a stream is that of its initialisation, whatever the caller writes to the struct later. */
static void later_allocator(bool deflates, bool to_none)
{
    prepare(deflates ? DEFLATE_COPY : INFLATE_COPY);
    if (to_none)
        no_allocator();
    else
        other_allocator();
    CHECK_EQ(run(deflates ? DEFLATE_COPY : INFLATE_COPY), CS_OK);
    CHECK(copy.alloc == heap_alloc && copy.free == heap_free && copy.alloc_user == &first_heap);
    CHECK(first_heap.allocations > 1 && second_heap.calls == 0);
    end_stream(&stream);
    end_stream(&copy);
    heap_end(&first_heap);
    heap_end(&second_heap);
}

int main(void)
{
    int cases = 0;

    check_fill(data, NBYTES);
    CHECK_EQ(cs_compress(data, NBYTES, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    for (enum operation operation = 0; operation < OPERATIONS; operation++) {
        for (size_t i = 0; i < sizeof calls_on_stream / sizeof calls_on_stream[0]; i++)
            cases += all_cases(operation, calls_on_stream[i]);
        if (operation == DEFLATE_COPY || operation == INFLATE_COPY) {
            for (size_t i = 0; i < sizeof calls_on_copy / sizeof calls_on_copy[0]; i++)
                cases += all_cases(operation, calls_on_copy[i]);
        }
    }
    for (int way = 0; way < 4; way++)
        later_allocator(way & 1, way & 2);
    printf("%d cases\n", cases);
    CHECK(cases > 1000);
    return 0;
}
