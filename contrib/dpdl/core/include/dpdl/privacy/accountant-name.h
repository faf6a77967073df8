// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANT_NAME_H
#define DPDL_PRIVACY_ACCOUNTANT_NAME_H

#include "dpdl/base/codec.h"

#include <string>

namespace dpdl
{

/// The name in force of an accountant that a trace may call by a former one; else @p name.
std::string CurrentAccountant(const std::string& name);

/// @p codec, reading a former name as the one in force, with a line on standard error.
Codec<std::string> AccountantName(Codec<std::string> codec);

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANT_NAME_H
