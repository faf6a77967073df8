// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ATTRIBUTE_WORDS_H
#define DPDL_ATTRIBUTE_WORDS_H

#include <string>

namespace ns3
{

/**
 * @brief True if an argument makes ns-3 print a list, such as
 *        `--PrintGlobals`.
 * @throws UsageError if it names an unknown type or group
 */
bool DpdlNs3Prints(const std::string& argument);

/**
 * @brief Sets the default of an attribute from text.
 *
 * ns-3 aborts the program at a value that it cannot parse, and its times overflow silently. This
 * function throws UsageError in both cases.
 * @param name such as `ns3::DpdlApplication::ComputeTime`
 * @param value the text
 * @throws UsageError if there is no such attribute, or it does not accept the value
 */
void SetDpdlAttributeDefault(const std::string& name, const std::string& value);

} // namespace ns3

#endif // DPDL_ATTRIBUTE_WORDS_H
