// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_TEXT_H
#define DPDL_BASE_TEXT_H

#include <string>

namespace dpdl
{

/// @p text without blanks, tabs and carriage returns at either end.
std::string Strip(const std::string& text);

/// Text of a file as a one-line message may show it: 60 characters at most, printable ASCII only.
std::string Excerpt(const std::string& text);

} // namespace dpdl

#endif // DPDL_BASE_TEXT_H
