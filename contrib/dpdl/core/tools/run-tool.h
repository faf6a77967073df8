// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOOLS_RUN_TOOL_H
#define DPDL_TOOLS_RUN_TOOL_H

#include <functional>
#include <string>

namespace dpdl
{

/// One line of a command on standard error, whatever the text holds.
void Say(const std::string& command, const std::string& text);

/**
 * @brief Does the work of a command; what it throws becomes one line on standard error.
 * @param command its name, as in `./dpdl NAME`
 * @param work what it does
 * @return the exit status: 0, 2 after a mistake of the user, 1 after any other error
 */
int RunTool(const std::string& command, const std::function<void()>& work);

} // namespace dpdl

#endif // DPDL_TOOLS_RUN_TOOL_H
