// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "large-allocations.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace
{

std::atomic<std::size_t> g_count{0};
std::atomic<std::size_t> g_last{0};

} // namespace

namespace dpdl
{

std::size_t
LargeAllocations()
{
    return g_count;
}

std::size_t
LastLargeAllocation()
{
    return g_last;
}

} // namespace dpdl

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace
{

void
Count(std::size_t bytes)
{
    if (bytes > dpdl::LARGE_ALLOCATION)
    {
        ++g_count;
        g_last = bytes;
    }
}

} // namespace

bool
dpdl::CountsAllocations()
{
    return true;
}

// A program's own functions of these names serve also its libraries; the C library keeps its own
// under other names. Every operator new ends in one of them.
extern "C"
{
    void* __libc_malloc(std::size_t bytes);                          // NOLINT
    void* __libc_calloc(std::size_t count, std::size_t bytes);       // NOLINT
    void* __libc_realloc(void* memory, std::size_t bytes);           // NOLINT
    void* __libc_memalign(std::size_t alignment, std::size_t bytes); // NOLINT

    void* malloc(std::size_t bytes)
    {
        Count(bytes);
        return __libc_malloc(bytes);
    }

    void* calloc(std::size_t count, std::size_t bytes)
    {
        Count(count * bytes);
        return __libc_calloc(count, bytes);
    }

    void* realloc(void* memory, std::size_t bytes)
    {
        Count(bytes);
        return __libc_realloc(memory, bytes);
    }

    void* memalign(std::size_t alignment, std::size_t bytes)
    {
        Count(bytes);
        return __libc_memalign(alignment, bytes);
    }

    void* aligned_alloc(std::size_t alignment, std::size_t bytes)
    {
        return memalign(alignment, bytes);
    }

    int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes)
    {
        *memory = memalign(alignment, bytes);
        return *memory == nullptr ? ENOMEM : 0;
    }
}

#else

bool
dpdl::CountsAllocations()
{
    return false;
}

#endif
