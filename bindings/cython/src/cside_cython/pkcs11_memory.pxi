# SPDX-License-Identifier: Apache-2.0
# Arguments of one call to a module: byte strings, text, and the memory behind templates and mechanism parameters.

cdef extern from *:
    """
    #if defined(PYPY_VERSION)
    #define cside_is_ascii(text) 0
    #elif PY_VERSION_HEX < 0x030C0000
    #define cside_is_ascii(text) (PyUnicode_READY(text) == 0 && PyUnicode_IS_ASCII(text))
    #else
    #define cside_is_ascii(text) PyUnicode_IS_ASCII(text)
    #endif
    """
    bint is_ascii "cside_is_ascii"(object text) noexcept


cdef extern from "Python.h":
    PyObject *encode "PyUnicode_AsUTF8String"(object text) except NULL


# ---- integers ---------------------------------------------------------------------------------------

cdef inline unsigned long as_ulong(object value) except? 0xFFFFFFFF:
    return <unsigned long>value if PyLong_Check(value) else <unsigned long>PyNumber_Index(value)


cdef inline long as_long(object value) except? -1:
    return <long>value if PyLong_Check(value) else <long>PyNumber_Index(value)


# ---- byte strings -----------------------------------------------------------------------------------

cdef const uint8_t *EMPTY = b""  # where an empty buffer shows nothing


cdef inline int open_optional(object source, Input *data) except -1:
    """A byte string; None is NULL with length 0."""
    if PyBytes_CheckExact(source):
        return open_input(source, data)
    return open_other(source, data)


cdef int open_other(object source, Input *data) except -1:
    if source is None:
        data.data = NULL
        data.nbytes = 0
        return 0
    open_view(source, data)
    if data.data == NULL:
        data.data = EMPTY
    return 0


# ---- text, which may be a PIN -----------------------------------------------------------------------

cdef struct Text:
    Input source
    PyObject *copy  # UTF-8 that was made for this call; owned, and wiped when it is over


cdef inline void clear_text(Text *text) noexcept:
    text.source.held = False
    text.copy = NULL


cdef int open_text(object source, Text *text) except -1:
    """UTF-8 of a str, which where it is ASCII is what the str itself consists of; else as for byte strings."""
    if not isinstance(source, str):
        return open_optional(source, &text.source)
    if is_ascii(source):
        text.source.data = <const uint8_t *>PyUnicode_AsUTF8AndSize(source, <Py_ssize_t *>&text.source.nbytes)
        return 0
    text.copy = encode(source)
    text.source.data = <const uint8_t *>bytes_data(text.copy)
    text.source.nbytes = <size_t>bytes_nbytes(text.copy)
    return 0


cdef inline void close_text(Text *text) noexcept:
    close_input(&text.source)
    if text.copy != NULL:
        wipe_bytes(text.copy)
        text.copy = NULL


cdef void wipe_bytes(PyObject *copy) noexcept:
    """Release bytes that no one else has seen, blank."""
    memset(bytes_data(copy), 0, <size_t>bytes_nbytes(copy))
    Py_XDECREF(copy)


cdef int pad_text(object source, CK_UTF8CHAR *padded, Py_ssize_t width) except -1:
    """Text padded with blanks to its width."""
    cdef Text text
    clear_text(&text)
    if source is None:
        raise TypeError("a str or a bytes-like object is required, not 'NoneType'")
    try:
        open_text(source, &text)
        if text.source.nbytes > <size_t>width:
            raise ValueError(f"text of {text.source.nbytes} bytes, where {width} are the most")
        memset(padded, c' ', <size_t>width)
        memcpy(padded, text.source.data, text.source.nbytes)
    finally:
        close_text(&text)
    return 0


cdef inline const char *text_to_nul(object source) except? NULL:
    """UTF-8 that ends in NUL; None is NULL."""
    return NULL if source is None else utf8_without_nul(source)


cdef const CK_VERSION *open_version(object source, CK_VERSION *version) except? NULL:
    """A pair of integers; None is NULL."""
    if source is None:
        return NULL
    if not isinstance(source, tuple) or len(<tuple>source) != 2:
        raise TypeError("a version is a pair of integers")
    version.major = as_u8((<tuple>source)[0])
    version.minor = as_u8((<tuple>source)[1])
    return version


# ---- memory until the call is over ------------------------------------------------------------------
# What a template or a parameter consists of has no fixed size: it is laid out in an arena, the first part of which is
# on the stack. Buffers and objects that it points into are held by lists that are in the arena too.

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
    """Memory that is aligned for what structs of PKCS #11 hold, and not cleared."""
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
    """Take over a reference until the arena is closed; a secret is wiped then."""
    cdef Owned *owned
    try:
        owned = <Owned *>reserve(arena, sizeof(Owned))
    except MemoryError:
        Py_XDECREF(item)
        raise
    owned.item = item
    owned.secret = secret
    owned.next = arena.owned
    arena.owned = owned
    return 0


cdef tuple snapshot_in(Arena *arena, object items):
    """The items as a tuple, which the arena keeps: they stay alive, whatever converting one does to the source."""
    cdef tuple taken
    if isinstance(items, tuple) and type(items) is tuple:
        return <tuple>items
    taken = tuple(items)
    Py_INCREF(taken)
    own(arena, <PyObject *>taken, False)
    return taken


cdef int hold_view(Arena *arena, object source, int flags, void **data, CK_ULONG *nbytes) except -1:
    cdef View *held = <View *>reserve(arena, sizeof(View))
    PyObject_GetBuffer(source, &held.view, flags)
    held.next = arena.views
    arena.views = held
    data[0] = held.view.buf if held.view.buf != NULL else <void *>EMPTY
    nbytes[0] = <CK_ULONG>held.view.len
    return 0


cdef int hold_bytes(Arena *arena, object source, void **data, CK_ULONG *nbytes) except -1:
    """A bytes-like object, of which the caller keeps the reference."""
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
    if isinstance(target, bytes):  # PyPy would call it a ValueError
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


cdef int copy_exactly(object source, CK_BYTE *target, Py_ssize_t nbytes, str name) except -1:
    """Into an array of bytes that has a fixed size."""
    cdef Input data
    open_input(source, &data)
    try:
        if data.nbytes != <size_t>nbytes:
            raise ValueError(f"{name} takes {nbytes} bytes, not {data.nbytes}")
        memcpy(target, data.data, <size_t>nbytes)
    finally:
        close_input(&data)
    return 0


cdef void close_held(Arena *arena) noexcept:
    cdef View *view = arena.views
    cdef Owned *owned = arena.owned
    cdef Block *block = arena.blocks
    cdef Block *next_block
    # The lists are in the blocks, so that these go last.
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
