// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"

namespace dpdl
{

UsageError::UsageError(const std::string& what,
                       const std::string& value,
                       const std::string& accepted)
    : Error(what + ": '" + value + "' is not accepted; expected " + accepted)
{
}

UsageError::UsageError(const std::string& sentence)
    : Error(sentence)
{
}

} // namespace dpdl
