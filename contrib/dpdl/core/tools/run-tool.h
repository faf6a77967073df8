// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOOLS_RUN_TOOL_H
#define DPDL_TOOLS_RUN_TOOL_H

#include "dpdl/base/errors.h"

#include <csignal>
#include <functional>
#include <iostream>
#include <string>

namespace dpdl
{

/// Prints "COMMAND: TEXT" as one line on standard error. Excerpt() escapes control characters of @p
/// text and shortens it to LONGEST_MESSAGE bytes.
inline void
Say(const std::string& command, const std::string& text)
{
    std::cerr << command << ": " << Excerpt(text, LONGEST_MESSAGE) << std::endl;
}

/**
 * @brief Runs a command; prints an exception as one line on standard error.
 * @param command name of the command, as in `./dpdl NAME`
 * @param work executes the command; may throw
 * @return the exit status: 0, 2 after a user error, 1 after any other error
 */
inline int
RunTool(const std::string& command, const std::function<void()>& work)
{
    // Ignores SIGXFSZ, so a write beyond the file size limit fails and is reported like a full
    // disk.
    std::signal(SIGXFSZ, SIG_IGN);
    try
    {
        work();
        CheckOutput();
        return 0;
    }
    catch (const UsageError& error)
    {
        Say(command, error.what());
        return 2;
    }
    catch (const std::exception& error)
    {
        Say(command, LineOf(error));
        return 1;
    }
}

} // namespace dpdl

#endif // DPDL_TOOLS_RUN_TOOL_H
