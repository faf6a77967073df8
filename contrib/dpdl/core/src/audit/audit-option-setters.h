// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SRC_AUDIT_AUDIT_OPTION_SETTERS_H
#define DPDL_SRC_AUDIT_AUDIT_OPTION_SETTERS_H

#include "dpdl/audit/audit-request.h"
#include "dpdl/base/command-options.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Puts a value that a user gave into a request, or throws a UsageError that names the option.
using Setter = std::function<void(AuditRequest&, const std::string&)>;

/// A setter for one of some words.
template <typename T>
Setter
Choice(const std::string& name,
       const std::vector<std::pair<std::string, T>>& choices,
       T AuditRequest::*member)
{
    return [=](AuditRequest& request, const std::string& text) {
        request.*member = ChoiceOf(name, text, choices);
    };
}

/// A setter for any text.
inline Setter
Text(std::string AuditRequest::*member)
{
    return [=](AuditRequest& request, const std::string& text) { request.*member = text; };
}

/// A setter for a parameter of an algorithm.
inline Setter
AlgorithmParameter(const std::string& name)
{
    const auto member = [name](AuditRequest& request) -> double& {
        return request.parameters[name];
    };
    return RealSetter(
        name,
        "a finite number > 0",
        [](double value) { return value > 0.0; },
        member);
}

/// A setter for one of the two numbers of the seed.
inline Setter
SeedWord(const std::string& name, std::uint32_t RandomSeed::*member)
{
    return [name, member](AuditRequest& request, const std::string& text) {
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        request.seed.*member =
            static_cast<std::uint32_t>(ParseInteger(OptionTitle(name), text, 1, most));
    };
}

} // namespace dpdl

#endif // DPDL_SRC_AUDIT_AUDIT_OPTION_SETTERS_H
