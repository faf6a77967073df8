// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Preloaded before the C library: lets a call that concerns one trace fail; see faults.py.
// FAIL_CALL: write, sync or open. FAIL_AT: number of the first call that fails, from 1.
// FAIL_FOR: how many calls fail. FAIL_FILE: part of the path. FAIL_COUNT: a file that gets the
// number of calls at the end.

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace
{

constexpr int MOST_FILES = 1024;
std::atomic<bool> g_isOurs[MOST_FILES];
std::atomic<long> g_calls{0};

const char*
Setting(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Counts a call of a kind, and says whether it has to fail.
bool
Fails(const char* call)
{
    if (std::strcmp(Setting("FAIL_CALL"), call) != 0)
    {
        return false;
    }
    static const long FIRST = std::atol(Setting("FAIL_AT"));
    static const long NUMBER = std::atol(Setting("FAIL_FOR"));
    const long at = ++g_calls;
    return at >= FIRST && at < FIRST + NUMBER;
}

bool
IsOurs(int file)
{
    return file >= 0 && file < MOST_FILES && g_isOurs[file];
}

template <class Function>
Function
Next(const char* name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int
Open(const char* symbol, const char* path, int flags, mode_t mode)
{
    const bool isOurs = std::strstr(path, Setting("FAIL_FILE")) != nullptr;
    if (isOurs && Fails("open"))
    {
        errno = EACCES;
        return -1;
    }
    const int file = Next<int (*)(const char*, int, ...)>(symbol)(path, flags, mode);
    if (file >= 0 && file < MOST_FILES)
    {
        g_isOurs[file] = isOurs;
    }
    return file;
}

ssize_t
Write(const char* symbol, int file, const void* data, size_t size, off64_t at)
{
    if (IsOurs(file) && Fails("write"))
    {
        errno = ENOSPC;
        return -1;
    }
    return Next<ssize_t (*)(int, const void*, size_t, off64_t)>(symbol)(file, data, size, at);
}

int
Sync(const char* symbol, int file)
{
    if (IsOurs(file) && Fails("sync"))
    {
        errno = EIO;
        return -1;
    }
    return Next<int (*)(int)>(symbol)(file);
}

/// Writes the number of calls when the program ends.
struct Counter
{
    ~Counter()
    {
        const char* path = Setting("FAIL_COUNT");
        if (*path != '\0')
        {
            if (std::FILE* file = std::fopen(path, "w"))
            {
                std::fprintf(file, "%ld\n", g_calls.load());
                std::fclose(file);
            }
        }
    }
} g_counter;

mode_t
ModeOf(int flags, va_list rest)
{
    return (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
}

} // namespace

extern "C" int
open(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = ModeOf(flags, rest);
    va_end(rest);
    return Open("open", path, flags, mode);
}

extern "C" int
open64(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = ModeOf(flags, rest);
    va_end(rest);
    return Open("open64", path, flags, mode);
}

extern "C" ssize_t
pwrite64(int file, const void* data, size_t size, off64_t at)
{
    return Write("pwrite64", file, data, size, at);
}

extern "C" int
fsync(int file)
{
    return Sync("fsync", file);
}

extern "C" int
fdatasync(int file)
{
    return Sync("fdatasync", file);
}
