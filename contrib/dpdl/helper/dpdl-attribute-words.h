// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ATTRIBUTE_WORDS_H
#define DPDL_ATTRIBUTE_WORDS_H

#include <string>

namespace ns3
{

/**
 * @brief True if an argument asks ns-3 for a list, `--PrintGlobals`
 *        for example.
 * @throws UsageError if it asks for a type or a group that is none
 */
bool DpdlNs3Prints(const std::string& argument);

/**
 * @brief Sets the default of an attribute from a user's text.
 *
 * ns-3 aborts the program at a value that it cannot read, and its times overflow silently. Here
 * both are a mistake like any other.
 * @param name such as `ns3::DpdlApplication::ComputeTime`
 * @param value the text
 * @throws UsageError if there is no such attribute, or it does not take the value
 */
void SetDpdlAttributeDefault(const std::string& name, const std::string& value);

} // namespace ns3

#endif // DPDL_ATTRIBUTE_WORDS_H
