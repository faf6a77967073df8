// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "run-tool.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/text.h"

#include <csignal>
#include <iostream>

namespace dpdl
{

void
Say(const std::string& command, const std::string& text)
{
    std::cerr << command << ": " << Excerpt(text, LONGEST_MESSAGE) << std::endl;
}

int
RunTool(const std::string& command, const std::function<void()>& work)
{
    // Without the signal, a file-size limit is reported like a full disk.
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
