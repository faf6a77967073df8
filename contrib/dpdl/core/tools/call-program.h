// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOOLS_CALL_PROGRAM_H
#define DPDL_TOOLS_CALL_PROGRAM_H

#include "dpdl/base/errors.h"

#include <cerrno>
#include <cstring>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace dpdl
{

/// List of words, such as a command line.
using Words = std::vector<std::string>;

inline Words
Joined(Words words, const Words& others)
{
    words.insert(words.end(), others.begin(), others.end());
    return words;
}

/// Splits a text at each @p separator. A separator at the end of the text adds no empty part.
inline Words
PartsOf(std::istream&& text, char separator)
{
    Words parts;
    for (std::string part; std::getline(text, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

/// Value of the environment variable @p name. Returns @p otherwise if the variable is unset or
/// empty.
inline std::string
Environment(const char* name, const std::string& otherwise = "")
{
    const char* const value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

/// Sets the environment variable @p name to @p value if it is unset or empty.
inline void
SetDefault(const char* name, const std::string& value)
{
    setenv(name, Environment(name, value).c_str(), 1);
}

/// True if the processor has AVX-512 but OpenBLAS 0.3.21 does not use it. OpenBLAS recognises only
/// Intel processors up to model 143 of family 6.
inline bool
MissesAvx512()
{
#if defined(__x86_64__)
    unsigned id = 0;
    unsigned unused = 0;
    __get_cpuid(1, &id, &unused, &unused, &unused);
    const unsigned model = (id >> 4U & 0xfU) + (id >> 12U & 0xf0U);
    const bool isKnown = __builtin_cpu_is("intel") && (id >> 8U & 0xfU) == 6 && model <= 143;
    return !isKnown && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
#else
    return false;
#endif
}

/// Sets the environment variables that dpdl's programs need, unless the user has set them.
inline void
SetProgramEnvironment()
{
    // One thread suffices for BLAS, because the training workers run in parallel.
    SetDefault("OMP_NUM_THREADS", "1");
    SetDefault("OPENBLAS_NUM_THREADS", "1");
    // The process keeps freed memory, because batches of the same size soon need it again.
    SetDefault("GLIBC_TUNABLES",
               "glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=8589934592:"
               "glibc.malloc.top_pad=67108864");
    if (MissesAvx512())
    {
        SetDefault("OPENBLAS_CORETYPE", "SkylakeX");
    }
}

/// Replaces this process by the program words[0], found in PATH. The other words are its arguments.
/// @throws Error if the program cannot be started
[[noreturn]] inline void
Become(const Words& words)
{
    std::vector<char*> arguments;
    for (const std::string& word : words)
    {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    throw Error(words[0] + ": " + std::strerror(errno));
}

/// Runs a program and waits for its end. If its exit status is not 0, this process exits with the
/// same status. If a signal kills it, this process exits with 128 plus the signal's number.
/// @return standard output of the program
inline std::string
Ask(const Words& words)
{
    std::string call = "exec";
    for (const std::string& word : words)
    {
        call += " '";
        for (const char letter : word)
        {
            call += letter == '\'' ? "'\\''" : std::string(1, letter);
        }
        call += "'";
    }
    std::string text;
    FILE* const pipe = popen(call.c_str(), "re");
    for (int letter = 0; pipe != nullptr && (letter = std::getc(pipe)) != EOF;)
    {
        text += static_cast<char>(letter);
    }
    if (const int status = pipe == nullptr ? -1 : pclose(pipe); status != 0)
    {
        std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    return text;
}

} // namespace dpdl

#endif // DPDL_TOOLS_CALL_PROGRAM_H
