// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOOLS_RUN_TOOL_H
#define DPDL_TOOLS_RUN_TOOL_H

#include <functional>
#include <string>

namespace dpdl
{

/// Prints a command's message as one line on standard error, for any text.
void Say(const std::string& command, const std::string& text);

/**
 * @brief Runs a command; prints an exception as one line on standard error.
 * @param command its name, as in `./dpdl NAME`
 * @param work of the command
 * @return the exit status: 0, 2 after a user error, 1 after any other error
 */
int RunTool(const std::string& command, const std::function<void()>& work);

} // namespace dpdl

#endif // DPDL_TOOLS_RUN_TOOL_H
