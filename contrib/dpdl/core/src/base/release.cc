// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/release.h"

#include <algorithm>
#include <cmath>
#include <sstream>

// Names and parsing of release flags, and the reasons why no guarantee can include a release.

namespace dpdl
{

namespace
{

using FlagName = std::pair<ReleaseFlag, const char*>;

/// All flags with their names, in the order of their bits, lowest first.
const std::vector<FlagName>&
FlagNames()
{
    static const std::vector<FlagName> NAMES{
        {ReleaseFlag::UNNOISED_RELEASE, "UNNOISED_RELEASE"},
        {ReleaseFlag::NO_CLIP, "NO_CLIP"},
        {ReleaseFlag::DATA_DEPENDENT_SCALE, "DATA_DEPENDENT_SCALE"},
        {ReleaseFlag::SEED_REUSE, "SEED_REUSE"},
        {ReleaseFlag::BATCH_CLIP, "BATCH_CLIP"},
        {ReleaseFlag::HPARAM_SEARCH, "HPARAM_SEARCH"},
        {ReleaseFlag::FLOAT_NOISE, "FLOAT_NOISE"},
        {ReleaseFlag::REALISED_BATCH_SIZE, "REALISED_BATCH_SIZE"},
        {ReleaseFlag::ADAPTIVE_SCHEDULE, "ADAPTIVE_SCHEDULE"},
        {ReleaseFlag::OWN_PART, "OWN_PART"},
        {ReleaseFlag::UNPROVEN_STEP, "UNPROVEN_STEP"},
        {ReleaseFlag::PLAN_MISMATCH, "PLAN_MISMATCH"},
        {ReleaseFlag::BATCH_DEPENDENT_GRADIENT, "BATCH_DEPENDENT_GRADIENT"},
        {ReleaseFlag::CORRELATED_NOISE, "CORRELATED_NOISE"},
        {ReleaseFlag::TRUSTED_SERVER, "TRUSTED_SERVER"},
        {ReleaseFlag::UNKNOWN, "UNKNOWN"},
    };
    return NAMES;
}

} // namespace

std::string
ToString(ReleaseFlag flags)
{
    std::string text;
    for (const auto& [flag, name] : FlagNames())
    {
        if (HasFlag(flags, flag))
        {
            text += (text.empty() ? "" : ",") + std::string(name);
        }
    }
    return text;
}

ReleaseFlag
ReleaseFlagsFromString(const std::string& text)
{
    ReleaseFlag flags = ReleaseFlag::NONE;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
    {
        const std::vector<FlagName>& names = FlagNames();
        const auto known = std::find_if(names.begin(), names.end(), [&word](const FlagName& entry) {
            return word == entry.second;
        });
        flags = flags | (known == names.end() ? ReleaseFlag::UNKNOWN : known->first);
    }
    return flags;
}

double
Release::NoiseMultiplier() const
{
    if (!std::isfinite(sensitivity) || noise == 0.0)
    {
        return 0.0;
    }
    return noise / sensitivity;
}

double
Release::Mu() const
{
    if (!std::isfinite(sensitivity) || noise == 0.0)
    {
        return std::numeric_limits<double>::infinity();
    }
    const double factor = HasFlag(flags, ReleaseFlag::BATCH_CLIP) ? 2.0 : 1.0;
    return factor * sensitivity / noise;
}

namespace
{

/// Flags that rule out any finite epsilon, each with its reason. If a release has several of these
/// flags, the first entry of the list gives the reason.
constexpr std::pair<ReleaseFlag, const char*> FLAG_REASONS[]{
    {ReleaseFlag::UNKNOWN, "it bears a flag that the accountants do not know"},
    {ReleaseFlag::DATA_DEPENDENT_SCALE, "the noise scale was computed from private data"},
    {ReleaseFlag::OWN_PART,
     "all gradients hang on a part of the model that its node trains without protection"},
    {ReleaseFlag::UNPROVEN_STEP,
     "the program brought the algorithm and no argument for its privacy"},
    {ReleaseFlag::SEED_REUSE, "the same noise was used for two releases"},
    {ReleaseFlag::PLAN_MISMATCH, "the step did not release what the plan says"},
    {ReleaseFlag::UNNOISED_RELEASE, "a message was sent without noise"},
    {ReleaseFlag::REALISED_BATCH_SIZE,
     "the sum was divided by the size of the drawn batch, which is private itself"},
    {ReleaseFlag::ADAPTIVE_SCHEDULE,
     "the noise was chosen after seeing earlier releases, which only a filter covers"}};

/// Finds the reason why no finite epsilon can be proven for a release; "" if there is none.
/// @param mu result of Release::Mu() for the release: sensitivity divided by noise standard
///        deviation
std::string
FindUnsupported(const Release& fields, double mu)
{
    const bool hasNoise = fields.mechanism != "none" && fields.noise != 0.0;
    const ReleaseFlag flags =
        fields.flags | (hasNoise ? ReleaseFlag::NONE : ReleaseFlag::UNNOISED_RELEASE);
    for (const auto& [flag, reason] : FLAG_REASONS)
    {
        if (HasFlag(flags, flag))
        {
            return reason;
        }
    }
    if (fields.mechanism != "gaussian" && fields.mechanism != "laplace" &&
        fields.mechanism != "discrete-gaussian")
    {
        return "the mechanism '" + fields.mechanism + "' is not known to the accountants";
    }
    if (HasFlag(fields.flags, ReleaseFlag::NO_CLIP) || std::isinf(fields.sensitivity))
    {
        return "nothing bounds the sensitivity, since there was no clipping";
    }
    if (!(fields.sensitivity >= 0.0) || !(fields.noise > 0.0) || !std::isfinite(fields.noise) ||
        !std::isfinite(mu))
    {
        return "the sensitivity or the noise is not a finite positive number";
    }
    if (fields.sampler != "poisson" && fields.sampler != "cyclic-poisson" &&
        fields.sampler != "fixed" && fields.sampler != "shuffle" && fields.sampler != "full")
    {
        return "the sampler '" + fields.sampler + "' is not known to the accountants";
    }
    if (!(fields.rate >= 0.0 && fields.rate <= 1.0) ||
        (fields.sampler == "full" && fields.rate != 1.0))
    {
        return "the sampling probability does not fit the sampler '" + fields.sampler + "'";
    }
    return "";
}

} // namespace

std::string
Release::UnsupportedReason() const
{
    const std::string reason = FindUnsupported(*this, Mu());
    if (reason.empty())
    {
        return "";
    }
    return "node " + std::to_string(node) + ", round " + std::to_string(round) + ": " + reason;
}

Release
Release::WithFlags(ReleaseFlag flags) const
{
    Release copy = *this;
    copy.flags = copy.flags | flags;
    return copy;
}

const std::vector<std::pair<std::string, std::string>>&
SamplerNames()
{
    static const std::vector<std::pair<std::string, std::string>> NAMES{
        {"poisson", "poisson"},
        {"without-replacement", "fixed"},
        {"shuffle", "shuffle"},
        {"none", "full"}};
    return NAMES;
}

} // namespace dpdl
