// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/mix-rule.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/simd.h"
#include "dpdl/base/types.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace dpdl
{

namespace
{

/// Coordinates whose values are trimmed side by side.
constexpr std::size_t TRIM_LANES = 16;
using TrimLanes = float __attribute__((vector_size(TRIM_LANES * sizeof(float))));

/// What one node says of some coordinates, and how much it counts.
struct Said
{
    TrimLanes values;
    TrimLanes weights;
};

/// Terms of the same coordinates: the node's own, those heard, and those that are added.
struct MixGroup
{
    std::size_t first; ///< the own one
    std::size_t heard; ///< behind the last one that was heard
    std::size_t end;   ///< behind the last one
};

MixGroup
GroupFrom(const std::vector<MixTerm>& terms, std::size_t first)
{
    MixGroup group{first, first + 1, first + 1};
    for (; group.end < terms.size() && terms[group.end].begin == terms[first].begin; ++group.end)
    {
        group.heard += terms[group.end].isHeard ? 1 : 0;
    }
    return group;
}

/// Puts the smaller value first, coordinate by coordinate.
inline void
Order(Said& low, Said& high)
{
    const Said a = low;
    const Said b = high;
    const auto isWrong = (a.values > b.values) | ((a.values == b.values) & (a.weights > b.weights));
    low.values = isWrong ? b.values : a.values;
    high.values = isWrong ? a.values : b.values;
    low.weights = isWrong ? b.weights : a.weights;
    high.weights = isWrong ? a.weights : b.weights;
}

/**
 * @brief The trimmed mean of some coordinates.
 * @param heard [count] in any order afterwards
 * @param count more than 2 @p trimmed
 * @param trimmed F
 * @param[in,out] own what the node itself says, then the mean
 */
DPDL_MULTIVERSION void
TrimTile(Said* heard, std::size_t count, std::size_t trimmed, Said& own)
{
    for (std::size_t pass = 0; pass < trimmed; ++pass)
    {
        // The smallest of the rest goes to the beginning, the largest to the end.
        for (std::size_t i = count - 1 - pass; i > pass; --i)
        {
            Order(heard[i - 1], heard[i]);
        }
        for (std::size_t i = pass + 1; i + 1 < count - pass; ++i)
        {
            Order(heard[i], heard[i + 1]);
        }
    }
    TrimLanes sum = own.weights * own.values;
    TrimLanes weight = own.weights;
    for (std::size_t i = trimmed; i < count - trimmed; ++i)
    {
        sum += heard[i].weights * heard[i].values;
        weight += heard[i].weights;
    }
    own.values = weight > 0.0F ? sum / weight : own.values;
}

/// What a term says of some coordinates, at most TRIM_LANES.
void
Read(const MixTerm& term, std::size_t begin, std::size_t count, Said& said)
{
    alignas(sizeof(TrimLanes)) float values[TRIM_LANES] = {};
    std::copy_n(term.source->Data() + begin, count, values);
    std::memcpy(&said.values, values, sizeof(values));
    std::fill_n(values, TRIM_LANES, static_cast<float>(term.coefficient));
    std::memcpy(&said.weights, values, sizeof(values));
}

/// Mixes the coordinates of a group.
void
TrimGroup(const std::vector<MixTerm>& terms,
          const MixGroup& group,
          std::size_t trimmed,
          ParameterVector& out)
{
    thread_local std::vector<Said> heard;
    heard.resize(group.heard - group.first - 1);
    const std::size_t end = std::min(terms[group.first].end, out.Size());
    for (std::size_t at = terms[group.first].begin; at < end; at += TRIM_LANES)
    {
        const std::size_t count = std::min(TRIM_LANES, end - at);
        Said own{};
        Read(terms[group.first], at, count, own);
        if (heard.size() > 2 * trimmed)
        {
            for (std::size_t j = 0; j < heard.size(); ++j)
            {
                Read(terms[group.first + 1 + j], at, count, heard[j]);
            }
            TrimTile(heard.data(), heard.size(), trimmed, own);
        }
        std::memcpy(out.Data() + at, &own.values, count * sizeof(float));
    }
    for (std::size_t added = group.heard; added < group.end; ++added)
    {
        const auto factor = static_cast<float>(terms[added].coefficient);
        const float* const values = terms[added].source->Data();
        for (std::size_t i = terms[added].begin; i < end; ++i)
        {
            out.Data()[i] += factor * values[i];
        }
    }
}

/// Gives what is clipped of a group's shares to the node's own model.
void
ClipGroup(std::vector<MixTerm>& terms, const MixGroup& group, double radius)
{
    MixTerm& own = terms[group.first];
    for (std::size_t j = group.first + 1; j < group.heard; ++j)
    {
        MixTerm& term = terms[j];
        const std::size_t end = std::min(term.end, term.source->Size());
        double square = 0.0;
        for (std::size_t i = term.begin; i < end; ++i)
        {
            const double difference =
                static_cast<double>(term.source->Data()[i]) - own.source->Data()[i];
            square += difference * difference;
        }
        const double distance = std::sqrt(square);
        if (distance > radius)
        {
            const double taken = term.coefficient * radius / distance;
            own.coefficient += term.coefficient - taken;
            term.coefficient = taken;
        }
    }
}

} // namespace

MixRule
ParseMixRule(const std::string& text)
{
    const std::size_t colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    const std::string value = colon == std::string::npos ? std::string() : text.substr(colon + 1);
    MixRule rule;
    try
    {
        if (text == "average")
        {
            return rule;
        }
        if (kind == "trimmed")
        {
            constexpr std::uint64_t most = std::numeric_limits<NodeId>::max();
            rule.trimmed = ParseInteger("F", value, 0, most);
            rule.kind = rule.trimmed > 0 ? MixRule::Kind::TRIMMED : MixRule::Kind::AVERAGE;
            return rule;
        }
        if (kind == "clipped")
        {
            rule.radius = ParseNumber("TAU", value, "", [](double tau) { return tau > 0.0; });
            rule.kind = MixRule::Kind::CLIPPED;
            return rule;
        }
    }
    catch (const UsageError&)
    {
        // The line below says what is accepted.
    }
    throw UsageError("option 'mix'", text, MIX_RULES);
}

void
MixByRule(const MixRule& rule, std::vector<MixTerm>& terms, ParameterVector& out)
{
    for (std::size_t first = 0; first < terms.size() && !rule.IsAverage();)
    {
        const MixGroup group = GroupFrom(terms, first);
        if (rule.kind == MixRule::Kind::TRIMMED)
        {
            TrimGroup(terms, group, rule.trimmed, out);
        }
        else
        {
            ClipGroup(terms, group, rule.radius);
        }
        first = group.end;
    }
    if (rule.kind != MixRule::Kind::TRIMMED)
    {
        MixParameters(terms, out);
    }
}

} // namespace dpdl
