# SPDX-License-Identifier: Apache-2.0
# PKCS #11, memory: the arena that templates and mechanism parameters are laid out in, until the call has returned.
#
# Their size is not known beforehand: the first part of an arena is on the stack, the others are on the heap. Lists in
# the arena hold the buffers and objects that it points into, so that closing the arena releases everything.

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport Py_INCREF

cdef extern from "Python.h":
    bint PyIndex_Check(object obj) noexcept


cdef struct Block:
    Block *next


cdef struct View:
    View *next
    Py_buffer view


cdef struct Owned:
    Owned *next
    PyObject *item
    bint secret


cdef enum:
    ARENA_WORDS = 96  # a template of about ten attributes
    BLOCK_NBYTES = 8192


cdef struct Arena:
    uint8_t *top
    size_t left
    int depth  # of templates
    View *views
    Owned *owned
    Block *blocks
    uint64_t first[ARENA_WORDS]


cdef inline void open_arena(Arena *arena) noexcept:
    arena.top = <uint8_t *>arena.first
    arena.left = sizeof(arena.first)
    arena.depth = 0
    arena.views = NULL
    arena.owned = NULL
    arena.blocks = NULL


cdef inline void *reserve(Arena *arena, size_t nbytes) except NULL:
    """Memory that is aligned for every struct of PKCS #11; its content is undefined."""
    cdef void *memory = arena.top
    nbytes = (nbytes + 7) & ~<size_t>7
    if nbytes > arena.left:
        return reserve_block(arena, nbytes)
    arena.top += nbytes
    arena.left -= nbytes
    return memory


cdef void *reserve_block(Arena *arena, size_t nbytes) except NULL:
    cdef size_t room = nbytes if nbytes > BLOCK_NBYTES else BLOCK_NBYTES
    cdef Block *block = <Block *>PyMem_Malloc(sizeof(Block) + room)
    if block == NULL:
        raise MemoryError
    block.next = arena.blocks
    arena.blocks = block
    if room - nbytes > arena.left:
        arena.top = <uint8_t *>(block + 1) + nbytes
        arena.left = room - nbytes
    return block + 1


cdef void *reserve_array(Arena *arena, Py_ssize_t count, size_t item_nbytes) except NULL:
    if <size_t>count > (<size_t>PY_SSIZE_T_MAX - BLOCK_NBYTES) // item_nbytes:
        raise MemoryError
    return reserve(arena, <size_t>count * item_nbytes)


cdef int own(Arena *arena, PyObject *item, bint secret) except -1:
    """Take ownership of a reference until the arena is closed, which overwrites the bytes of a secret."""
    cdef Owned *owned
    try:
        owned = <Owned *>reserve(arena, sizeof(Owned))
    except MemoryError:
        if secret:
            wipe_bytes(item)
        else:
            Py_XDECREF(item)
        raise
    owned.item = item
    owned.secret = secret
    owned.next = arena.owned
    arena.owned = owned
    return 0


cdef tuple snapshot_in(Arena *arena, object items):
    """The items as a tuple that the arena keeps alive, even if converting one of them changes the source."""
    cdef tuple taken
    if isinstance(items, tuple) and type(items) is tuple:
        return <tuple>items
    taken = tuple(items)
    Py_INCREF(taken)
    own(arena, <PyObject *>taken, False)
    return taken


# ---- values -----------------------------------------------------------------------------------------

cdef int hold_view(Arena *arena, object source, int flags, void **data, CK_ULONG *nbytes) except -1:
    cdef View *held = <View *>reserve(arena, sizeof(View))
    PyObject_GetBuffer(source, &held.view, flags)
    held.next = arena.views
    arena.views = held
    data[0] = held.view.buf if held.view.buf != NULL else <void *>EMPTY
    nbytes[0] = <CK_ULONG>held.view.len
    return 0


cdef int hold_bytes(Arena *arena, object source, void **data, CK_ULONG *nbytes) except -1:
    """Hold a bytes-like object; the caller keeps a reference to it."""
    if PyBytes_CheckExact(source):
        data[0] = PyBytes_AS_STRING(source)
        nbytes[0] = <CK_ULONG>PyBytes_GET_SIZE(source)
        return 0
    if not PyObject_CheckBuffer(source):
        raise TypeError(f"a bytes-like object is required, not '{type(source).__name__}'")
    return hold_view(arena, source, PyBUF_SIMPLE, data, nbytes)


cdef int hold_optional(Arena *arena, object source, void **data, CK_ULONG *nbytes) except -1:
    if source is None:
        data[0] = NULL
        nbytes[0] = 0
        return 0
    return hold_bytes(arena, source, data, nbytes)


cdef int hold_writable(Arena *arena, object target, void **data, CK_ULONG *nbytes) except -1:
    if not PyObject_CheckBuffer(target):
        raise TypeError(f"a bytes-like object is required, not '{type(target).__name__}'")
    if isinstance(target, bytes):  # PyPy raises ValueError for it
        raise BufferError("Object is not writable.")
    return hold_view(arena, target, PyBUF_WRITABLE, data, nbytes)


cdef int hold_text(Arena *arena, object text, void **data, CK_ULONG *nbytes) except -1:
    cdef Py_ssize_t count
    cdef PyObject *copy
    if is_ascii(text):
        data[0] = <void *>PyUnicode_AsUTF8AndSize(text, &count)
        nbytes[0] = <CK_ULONG>count
        return 0
    copy = encode(text)
    data[0] = bytes_data(copy)
    nbytes[0] = <CK_ULONG>bytes_nbytes(copy)
    return own(arena, copy, True)


cdef int hold_ulong(Arena *arena, object value, void **data, CK_ULONG *nbytes) except -1:
    cdef CK_ULONG *number = <CK_ULONG *>reserve(arena, sizeof(CK_ULONG))
    number[0] = as_ulong(value)
    data[0] = number
    nbytes[0] = sizeof(CK_ULONG)
    return 0


cdef int hold_other(Arena *arena, object value, void **data, CK_ULONG *nbytes) except -1:
    """Hold a value of one of the types that both attributes and parameters accept."""
    if PyObject_CheckBuffer(value):
        return hold_bytes(arena, value, data, nbytes)
    if PyIndex_Check(value):
        return hold_ulong(arena, value, data, nbytes)
    raise TypeError(f"an integer, a bytes-like object or None is required, not '{type(value).__name__}'")


# ---- release ----------------------------------------------------------------------------------------

cdef void close_held(Arena *arena) noexcept:
    cdef View *view = arena.views
    cdef Owned *owned = arena.owned
    cdef Block *block = arena.blocks
    cdef Block *next_block
    # The blocks contain the lists, so that the blocks are freed last.
    while view != NULL:
        PyBuffer_Release(&view.view)
        view = view.next
    while owned != NULL:
        if owned.secret:
            wipe_bytes(owned.item)
        else:
            Py_XDECREF(owned.item)
        owned = owned.next
    while block != NULL:
        next_block = block.next
        PyMem_Free(block)
        block = next_block


cdef inline void close_arena(Arena *arena) noexcept:
    if arena.views != NULL or arena.owned != NULL or arena.blocks != NULL:
        close_held(arena)
