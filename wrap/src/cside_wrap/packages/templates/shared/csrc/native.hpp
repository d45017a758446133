/* native.hpp - what core.cpp has for the functions of native.h: arguments with a buffer, objects of the library. */
#ifndef CSIDE_NATIVE_HPP
#define CSIDE_NATIVE_HPP

#include "native.h"

#if !defined(PYPY_VERSION) && PY_VERSION_HEX < 0x030E0000 && defined(__GLIBCXX__)
#include <cxxabi.h>
#include <unistd.h>
#define CSIDE_ENDS_THREADS
#endif

namespace native
{

/** Call something that releases the GIL.
 *
 *  Until 3.13 CPython ends a daemon thread that wants the GIL back while the interpreter ends: it unwinds the thread's
 *  stack, which in a destructor or a function that is noexcept ends the process. Here such a thread waits for the end. */
template <typename Call> auto run(Call call)
{
#if defined(CSIDE_ENDS_THREADS)
    try {
        return call();
    } catch (abi::__forced_unwind &) {
        for (;;) {
            pause();
        }
    }
#else
    return call();
#endif
}

/** The bytes of an argument, which are held until the end of the call. */
struct bytes : cside_bytes {
    bytes()
    {
        view.obj = nullptr;
    }
    bytes(const bytes &) = delete;
    bytes &operator=(const bytes &) = delete;

    ~bytes()
    {
        cside_release(this);
    }
};

/** What an object of Python holds: an object of the library, which `free_it` frees. Each type has a function of its own. */
template <void (*free_it)(cside_object *)> struct owner {
    cside_object object{};

    owner() = default;
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;

    ~owner()
    {
        close();
    }

    bool closed() const
    {
        return object.at == nullptr;
    }

    /** Closing it again does nothing. */
    void close()
    {
        run([this] { free_it(&object); });
    }
};

} // namespace native

#undef CSIDE_ENDS_THREADS

#endif
