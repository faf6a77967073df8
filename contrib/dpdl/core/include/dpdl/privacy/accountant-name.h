// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANT_NAME_H
#define DPDL_PRIVACY_ACCOUNTANT_NAME_H

#include "dpdl/base/codec.h"

#include <string>

namespace dpdl
{

/// Current name of an accountant, given its current or a former name.
std::string CurrentAccountant(const std::string& name);

/// Wraps @p codec: reads a former name as the current one and warns on standard error.
Codec<std::string> AccountantName(Codec<std::string> codec);

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANT_NAME_H
