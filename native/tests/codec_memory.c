/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an allocation that fails anywhere and then leaks, crashes, or is not reported; an allocator that is not used.
 */
#include "check.h"
#include "cside/codec.h"

struct heap {
    int64_t left; /* number of allocations that still succeed; -1 for all */
    int64_t live;
    int64_t made;
};

/* Each block knows its heap, so that freeing it through another heap is detected. */
struct tag {
    struct heap *heap;
    double align;
};

static void *heap_alloc(void *user, size_t item_count, size_t item_nbytes)
{
    struct heap *heap = user;
    struct tag *tag = NULL;

    if (heap->left == 0)
        return NULL;
    if (heap->left > 0)
        heap->left--;
    tag = check_alloc(sizeof *tag + item_count * item_nbytes);
    tag->heap = heap;
    heap->live++;
    heap->made++;
    return tag + 1;
}

static void heap_free(void *user, void *address)
{
    struct heap *heap = user;
    struct tag *tag = address;

    CHECK(tag != NULL);
    tag--;
    CHECK(tag->heap == heap);
    heap->live--;
    free(tag);
}

enum { NBYTES = 5000 };

static uint8_t data[NBYTES], packed[2 * NBYTES], out[NBYTES];

/* Call everything that allocates; the first failure ends it. */
static cs_status whole_life(struct heap *heap)
{
    cs_stream stream = {.next_in = data, .avail_in = NBYTES / 2, .next_out = packed, .avail_out = sizeof packed};
    cs_stream copy = {0}, back = {.next_out = out, .avail_out = NBYTES}, back_copy = {0};
    size_t packed_nbytes = 0;
    cs_status status = CS_OK;

    if (heap != NULL) {
        stream.alloc = back.alloc = heap_alloc;
        stream.free = back.free = heap_free;
        stream.alloc_user = back.alloc_user = heap;
    }
    if ((status = cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0)) != CS_OK)
        goto done;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_NONE), CS_OK);
    if ((status = cs_deflate_copy(&copy, &stream)) != CS_OK)
        goto done;
    copy.avail_in = NBYTES - NBYTES / 2;
    CHECK_EQ(cs_deflate(&copy, CS_FLUSH_FINISH), CS_STREAM_END);
    packed_nbytes = (size_t)copy.total_out;
    back.next_in = packed;
    back.avail_in = packed_nbytes / 2;
    if ((status = cs_inflate_init(&back, 15)) != CS_OK)
        goto done;
    if ((status = cs_inflate(&back, CS_FLUSH_SYNC)) != CS_OK) /* allocates the window */
        goto done;
    if ((status = cs_inflate_copy(&back_copy, &back)) != CS_OK)
        goto done;
    back_copy.avail_in = packed_nbytes - packed_nbytes / 2;
    CHECK_EQ(cs_inflate(&back_copy, CS_FLUSH_SYNC), CS_STREAM_END);
    CHECK(memcmp(out, data, NBYTES) == 0);

done:
    if (stream.engine != NULL)
        cs_deflate_end(&stream);
    if (copy.engine != NULL)
        cs_deflate_end(&copy);
    if (back.engine != NULL)
        cs_inflate_end(&back);
    if (back_copy.engine != NULL)
        cs_inflate_end(&back_copy);
    CHECK(stream.engine == NULL && copy.engine == NULL && back.engine == NULL && back_copy.engine == NULL);
    return status;
}

static void one_shots_fail(void)
{
    size_t packed_nbytes = 0, out_nbytes = 0;
    int64_t allowed = 0;
    cs_status status = CS_E_MEMORY;

    for (allowed = 0; status == CS_E_MEMORY; allowed++) {
        cs_codec_fail_after(allowed);
        status = cs_compress(data, NBYTES, packed, sizeof packed, 6, 15, &packed_nbytes);
    }
    CHECK_EQ(status, CS_OK);
    CHECK(allowed > 1);
    for (allowed = 0, status = CS_E_MEMORY; status == CS_E_MEMORY; allowed++) {
        cs_codec_fail_after(allowed);
        status = cs_decompress(packed, packed_nbytes, out, NBYTES, 15, &out_nbytes, NULL);
    }
    CHECK_EQ(status, CS_OK);
    CHECK(allowed > 1);
}

int main(void)
{
    struct heap heap = {.left = -1};
    cs_stream half = {.alloc = heap_alloc};
    int64_t made = 0;

    check_fill(data, NBYTES);
    CHECK_EQ(whole_life(&heap), CS_OK);
    CHECK_EQ(heap.live, 0);
    made = heap.made;
    CHECK(made >= 8);
    for (int64_t left = 0; left < made; left++) {
        heap = (struct heap){.left = left};
        CHECK_EQ(whole_life(&heap), CS_E_MEMORY);
        CHECK_EQ(heap.live, 0);
        cs_codec_fail_after(left); /* the same allocations by the library's own allocator */
        CHECK_EQ(whole_life(NULL), CS_E_MEMORY);
    }
    cs_codec_fail_after(made);
    CHECK_EQ(whole_life(NULL), CS_OK);
    one_shots_fail();
    cs_codec_fail_after(0);
    heap = (struct heap){.left = -1}; /* the caller's own allocator is not the library's */
    CHECK_EQ(whole_life(&heap), CS_OK);
    cs_codec_fail_after(-1);
    CHECK_EQ(whole_life(NULL), CS_OK);

    CHECK_EQ(cs_deflate_init(&half, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_E_ARGUMENT);
    half = (cs_stream){.free = heap_free};
    CHECK_EQ(cs_inflate_init(&half, 15), CS_E_ARGUMENT);
    return 0;
}
