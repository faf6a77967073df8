// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/mix-rule.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/simd.h"
#include "dpdl/base/types.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Robust mixing of models. Trimming sorts received values by a loop that the compiler vectorises
// over TRIM_LANES coordinates. Clipping changes the coefficients of a weighted sum.

namespace dpdl
{

namespace
{

/// Number of coordinates that are trimmed at once.
constexpr std::size_t TRIM_LANES = 64;

/// Values at TRIM_LANES coordinates, and the mixing weight of each value. Before sorting, the
/// values are those of one model, and all weights are equal. Sorting exchanges values between
/// models separately at each coordinate; each value keeps its weight.
struct Said
{
    float values[TRIM_LANES];
    float weights[TRIM_LANES];
};

/// A group of terms with the same range of coordinates, in this order: the node's model, the
/// received models, terms to which the rule does not apply.
struct MixGroup
{
    std::size_t first; ///< index of the term of the node's model
    std::size_t heard; ///< index one past the last received term
    std::size_t end;   ///< index one past the last term
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

/// Sorts two values at each coordinate: the smaller value, with its weight, moves to `low`. Of
/// equal values, the value with the smaller weight moves to `low`.
inline void
Order(float* __restrict low,
      float* __restrict lowWeight,
      float* __restrict high,
      float* __restrict highWeight)
{
    for (std::size_t i = 0; i < TRIM_LANES; ++i)
    {
        const float a = low[i];
        const float b = high[i];
        const float u = lowWeight[i];
        const float v = highWeight[i];
        // No branches, so the compiler can vectorise the loop.
        const bool isWrong =
            static_cast<int>(a > b) | (static_cast<int>(a == b) & static_cast<int>(u > v));
        low[i] = isWrong ? b : a;
        high[i] = isWrong ? a : b;
        lowWeight[i] = isWrong ? v : u;
        highWeight[i] = isWrong ? u : v;
    }
}

/**
 * @brief Computes the trimmed mean at TRIM_LANES coordinates.
 * @param[in,out] heard [count] values of the received models; the call sorts them partially at each
 *        coordinate
 * @param count number of received models, above 2 * @p trimmed
 * @param trimmed number F of values that are left out at each end
 * @param[in,out] own the node's model, which is never left out; receives the mean
 */
DPDL_MULTIVERSION void
TrimTile(Said* heard, std::size_t count, std::size_t trimmed, Said& own)
{
    const auto order = [heard](std::size_t i) {
        Order(heard[i].values, heard[i].weights, heard[i + 1].values, heard[i + 1].weights);
    };
    for (std::size_t pass = 0; pass < trimmed; ++pass)
    {
        // Bubble sort: move the smallest remaining value to the beginning, and the largest to the
        // end.
        for (std::size_t i = count - 1 - pass; i > pass; --i)
        {
            order(i - 1);
        }
        for (std::size_t i = pass + 1; i + 1 < count - pass; ++i)
        {
            order(i);
        }
    }
    Said sum = own;
    for (std::size_t i = 0; i < TRIM_LANES; ++i)
    {
        sum.values[i] *= sum.weights[i];
    }
    for (std::size_t j = trimmed; j < count - trimmed; ++j)
    {
        for (std::size_t i = 0; i < TRIM_LANES; ++i)
        {
            sum.values[i] += heard[j].weights[i] * heard[j].values[i];
            sum.weights[i] += heard[j].weights[i];
        }
    }
    for (std::size_t i = 0; i < TRIM_LANES; ++i)
    {
        own.values[i] = sum.weights[i] > 0.0F ? sum.values[i] / sum.weights[i] : own.values[i];
    }
}

/// Loads the values of a term at @p count coordinates from @p begin on, and pads them with zeros to
/// TRIM_LANES values. NaN becomes infinity, because NaN cannot be sorted.
/// @param count at most TRIM_LANES
void
Read(const MixTerm& term, std::size_t begin, std::size_t count, Said& said)
{
    std::replace_copy_if(
        term.source->Data() + begin,
        term.source->Data() + begin + count,
        said.values,
        [](float value) { return std::isnan(value); },
        std::numeric_limits<float>::infinity());
    std::fill(said.values + count, said.values + TRIM_LANES, 0.0F);
    std::fill_n(said.weights, TRIM_LANES, static_cast<float>(term.coefficient));
}

/// Computes the trimmed mean at all coordinates of a group. Then adds the terms to which the rule
/// does not apply.
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
        Said own;
        Read(terms[group.first], at, count, own);
        if (heard.size() > 2 * trimmed)
        {
            for (std::size_t j = 0; j < heard.size(); ++j)
            {
                Read(terms[group.first + 1 + j], at, count, heard[j]);
            }
            TrimTile(heard.data(), heard.size(), trimmed, own);
        }
        std::copy_n(own.values, count, out.Data() + at);
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

/// Multiplies the coefficients of received models at an L2 distance above @p radius by radius /
/// distance. Adds the difference to the coefficient of the node's model, so the weighted sum is the
/// clipped mix.
/// @param radius largest L2 distance to the node's model that is not clipped
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
        if (!std::isfinite(distance))
        {
            // No coefficient removes infinity or NaN, so the node's own model replaces the received
            // model.
            term.source = own.source;
        }
        else if (distance > radius)
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
        // Continue: the throw statement after this block names the accepted values.
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
        (rule.isExact ? MixExactly : MixParameters)(terms, out);
    }
}

} // namespace dpdl
