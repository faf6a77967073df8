// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"

#include "dpdl/base/text.h"

#include <new>

namespace dpdl
{

UsageError::UsageError(const std::string& what,
                       const std::string& value,
                       const std::string& accepted)
    : Error(what + ": '" + Excerpt(value) + "' is not accepted; expected " + accepted)
{
}

UsageError::UsageError(const std::string& line)
    : Error(line)
{
}

std::string
LineOf(const std::exception& error)
{
    const std::string text = error.what();
    // LibTorch reports it without a separate exception type, in a text of several lines.
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
        text.find("can't allocate memory") != std::string::npos)
    {
        return "out of memory; expected fewer nodes, or a smaller model or batchSize";
    }
    return Excerpt(text.substr(0, text.find('\n')), LONGEST_MESSAGE);
}

} // namespace dpdl
