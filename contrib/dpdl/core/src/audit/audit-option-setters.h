// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SRC_AUDIT_AUDIT_OPTION_SETTERS_H
#define DPDL_SRC_AUDIT_AUDIT_OPTION_SETTERS_H

#include "dpdl/audit/audit-request.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Puts a value that a user gave into a request, or throws a UsageError that names the option.
using Setter = std::function<void(AuditRequest&, const std::string&)>;

/// A setter for a real number for which @p fits holds.
template <typename Member>
Setter
Real(const std::string& name, const std::string& accepted, bool (*fits)(double), Member member)
{
    return [=](AuditRequest& request, const std::string& text) {
        const double value = ParseNumber("option '" + name + "'", text, accepted);
        if (!fits(value))
        {
            throw UsageError("option '" + name + "'", text, accepted);
        }
        request.*member = value;
    };
}

/// A setter for a whole number.
inline Setter
Count(const std::string& name,
      std::uint64_t low,
      std::uint64_t high,
      std::uint64_t AuditRequest::*member)
{
    return [=](AuditRequest& request, const std::string& text) {
        request.*member = ParseInteger("option '" + name + "'", text, low, high);
    };
}

/// A setter for one of some words.
template <typename T>
Setter
Choice(const std::string& name,
       const std::vector<std::pair<std::string, T>>& choices,
       T AuditRequest::*member)
{
    return [=](AuditRequest& request, const std::string& text) {
        std::vector<std::string> words;
        for (const auto& [word, value] : choices)
        {
            if (word == text)
            {
                request.*member = value;
                return;
            }
            words.push_back(word);
        }
        ThrowUnknownName(name, text, words);
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
    return [name](AuditRequest& request, const std::string& text) {
        const std::string accepted = "a finite number > 0";
        const double value = ParseNumber("option '" + name + "'", text, accepted);
        if (!(value > 0.0))
        {
            throw UsageError("option '" + name + "'", text, accepted);
        }
        request.parameters[name] = value;
    };
}

/// A setter for one of the two numbers of the seed.
inline Setter
SeedWord(const std::string& name, std::uint32_t RandomSeed::*member)
{
    return [name, member](AuditRequest& request, const std::string& text) {
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        request.seed.*member =
            static_cast<std::uint32_t>(ParseInteger("option '" + name + "'", text, 1, most));
    };
}

} // namespace dpdl

#endif // DPDL_SRC_AUDIT_AUDIT_OPTION_SETTERS_H
