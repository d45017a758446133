// SPDX-License-Identifier: Apache-2.0
//
// zeroed.hpp - the base of classes whose objects survive that Python makes them without a constructor.
//
// `Class.__new__(Class)` makes an object of Python without an object of C++. When such an object is passed to a function,
// pybind11 gets memory for one by `operator new` of the class, and does not construct it. That memory is zero here, so
// that `made` is false.
#pragma once

#include "errors.hpp"

#include <cstdlib>
#include <new>

class zeroed
{
  public:
    zeroed() : made_(true)
    {
    }

    static void *operator new(std::size_t nbytes)
    {
        void *memory = std::calloc(1, nbytes);

        if (memory == nullptr) {
            throw std::bad_alloc();
        }
        return memory;
    }

    static void operator delete(void *memory)
    {
        std::free(memory);
    }

    /** Throw a TypeError unless a constructor has made the object. */
    void check_made() const
    {
        if (!made_) {
            throw_error(PyExc_TypeError, "the object was made without its constructor");
        }
    }

  private:
    bool made_;
};
