// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "run-tool.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <iostream>

namespace dpdl
{

void
Say(const std::string& command, std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](char letter) { return static_cast<unsigned char>(letter) < 0x20; },
        '?');
    std::cerr << command << ": " << text << std::endl;
}

int
RunTool(const std::string& command, const std::function<void()>& work)
{
    try
    {
        work();
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
