// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_USAGE_MESSAGE_H
#define DPDL_TEST_USAGE_MESSAGE_H

#include "dpdl/base/errors.h"

#include <string>

namespace dpdl
{

/**
 * @brief The message that a user sees.
 * @param action may throw UsageError
 * @return the message of the error, "accepted" if there is none
 */
template <typename Action>
std::string
UsageMessage(Action action)
{
    try
    {
        action();
    }
    catch (const UsageError& error)
    {
        return error.what();
    }
    return "accepted";
}

} // namespace dpdl

#endif // DPDL_TEST_USAGE_MESSAGE_H
