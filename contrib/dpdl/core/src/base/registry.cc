// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/registry.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <numeric>

namespace dpdl
{

namespace
{

/// Levenshtein distance between two words.
std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({substitution, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::size_t
CommonPrefix(const std::string& a, const std::string& b)
{
    const std::size_t length = std::min(a.size(), b.size());
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + length, b.begin()).first -
                                    a.begin());
}

} // namespace

std::vector<ParameterInfo>
PartInfo::AllParameters() const
{
    std::vector<ParameterInfo> all = parameters;
    if (more)
    {
        const std::vector<ParameterInfo> others = more();
        all.insert(all.end(), others.begin(), others.end());
    }
    return all;
}

std::string
JoinNames(const std::vector<std::string>& names, const std::string& separator)
{
    return boost::algorithm::join(names, separator);
}

std::string
JoinNodes(const std::vector<NodeId>& nodes, const std::string& separator)
{
    std::vector<std::string> names(nodes.size());
    std::transform(nodes.begin(), nodes.end(), names.begin(), [](NodeId node) {
        return std::to_string(node);
    });
    return JoinNames(names, separator);
}

std::string
NameNodes(const std::vector<NodeId>& nodes, std::size_t most)
{
    const std::size_t shown = std::min(most, nodes.size());
    const std::string more = " and " + std::to_string(nodes.size() - shown) + " more";
    return (nodes.size() == 1 ? "node " : "nodes ") +
           JoinNodes({nodes.begin(), nodes.begin() + shown}) + (shown < nodes.size() ? more : "");
}

std::string
NearestName(const std::string& name, const std::vector<std::string>& candidates)
{
    std::string nearest;
    std::size_t best = std::string::npos;
    std::size_t prefix = 0;
    for (const std::string& candidate : candidates)
    {
        const std::size_t distance = EditDistance(name, candidate);
        const bool closer = distance == best && CommonPrefix(name, candidate) > prefix;
        if (distance < best || closer)
        {
            prefix = CommonPrefix(name, candidate);
            best = distance;
            nearest = candidate;
        }
    }
    return !nearest.empty() && 2 * best <= nearest.size() ? nearest : "";
}

void
ThrowUnknownName(const std::string& kind,
                 const std::string& name,
                 const std::vector<std::string>& candidates)
{
    const std::string nearest = NearestName(name, candidates);
    const std::string hint = nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
    throw UsageError(kind, name, "one of " + JoinNames(candidates) + hint);
}

void
ThrowTaken(const std::string& kind, const std::string& name)
{
    throw UsageError("name of a part of kind " + kind, name, "one that is not taken");
}

} // namespace dpdl
