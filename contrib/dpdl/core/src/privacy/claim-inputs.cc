// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "claim-inputs.h"

#include "dpdl/base/quantity.h"
#include "dpdl/privacy/calibration.h"

#include <algorithm>
#include <cmath>
#include <sstream>

// Looks up parameters with the claim's defaults, checks ranges, and evaluates the moments
// accountant's formula.

namespace dpdl
{

ClaimInputs::ClaimInputs(const ClaimSettings& settings, const PartInfo& info)
    : m_settings(settings)
{
    for (const ParameterInfo& parameter : info.parameters)
    {
        m_defaults[parameter.name] = parameter.defaultValue;
    }
    CheckTarget(settings.epsilon, settings.question.delta);
    if (settings.rounds == 0 || settings.rounds > ClaimSettings::MOST_ROUNDS)
    {
        throw UsageError("option 'rounds'",
                         std::to_string(settings.rounds),
                         "a whole number from 1 to " + std::to_string(ClaimSettings::MOST_ROUNDS));
    }
    if (settings.localSamples == 0)
    {
        throw UsageError("option 'localSamples'", "0", "a whole number >= 1");
    }
}

bool
ClaimInputs::Has(const std::string& name) const
{
    return m_settings.parameters.count(name) != 0;
}

double
ClaimInputs::Positive(const std::string& name) const
{
    const std::string accepted = "a finite number > 0";
    const auto given = m_settings.parameters.find(name);
    const double value =
        given != m_settings.parameters.end()
            ? given->second
            : ParseNumber("parameter '" + name + "'", m_defaults.at(name), accepted);
    if (!(value > 0.0) || !std::isfinite(value))
    {
        throw UsageError("option '" + name + "'", ShowNumber(value), accepted);
    }
    return value;
}

double
ClaimInputs::Rounds() const
{
    return static_cast<double>(m_settings.rounds);
}

double
ClaimInputs::LocalSamples() const
{
    return static_cast<double>(m_settings.localSamples);
}

double
ClaimInputs::BatchSize(double inPaper) const
{
    const double usual = std::min(IsPaper() ? inPaper : 64.0, LocalSamples());
    const double batchSize = Has("batchSize") ? m_settings.parameters.at("batchSize") : usual;
    if (!(batchSize >= 1.0 && batchSize <= LocalSamples()))
    {
        throw UsageError("option 'batchSize'",
                         ShowNumber(batchSize),
                         "1 to " + std::to_string(m_settings.localSamples) +
                             ", the number of local samples");
    }
    return batchSize;
}

std::vector<std::string>
ClaimInputs::SamplingWarnings(double claimedRate, double rate) const
{
    std::vector<std::string> warnings;
    if (claimedRate != rate)
    {
        warnings.push_back("single-sample-batch: the formula counts " +
                           ShowNumber(claimedRate * LocalSamples()) +
                           " example a round, the run draws " + ShowNumber(rate * LocalSamples()));
    }
    if (m_settings.sampler != "poisson")
    {
        warnings.push_back("poisson-sampling: the formula is for batches drawn by poisson, the run "
                           "draws them by " +
                           m_settings.sampler);
    }
    if (m_settings.question.adjacency == Adjacency::REPLACE)
    {
        warnings.emplace_back("add-remove-sensitivity: the formula lets one example move the sum "
                              "by the clip bound, replacing one moves it by up to twice that");
    }
    return warnings;
}

StepGroup
ClaimInputs::Group(double rate, double noise, std::uint64_t steps, ReleaseFlag flags) const
{
    StepGroup group;
    group.sampler = m_settings.sampler;
    group.rate = group.sampler == "full" ? 1.0 : rate;
    group.noise = noise;
    group.steps = steps;
    group.flags = flags;
    return group;
}

double
ClaimInputs::NoiseFactor(const Accountant& accountant, const std::vector<StepGroup>& steps) const
{
    if (!accountant.Certified())
    {
        throw UsageError("option 'accountant'",
                         accountant.Name(),
                         "an accountant that certifies, such as pld or rdp, in mode sound");
    }
    return 1.0 /
           CalibrateSteps(accountant, CountSteps(steps), m_settings.epsilon, m_settings.question);
}

MomentsFormula::MomentsFormula(double rate, double weight, double delta, double c2)
    : m_rate(rate),
      m_root(c2 * rate * std::sqrt(-weight * std::log(delta)))
{
}

double
MomentsFormula::Noise(double epsilon) const
{
    return m_root / epsilon;
}

double
MomentsFormula::Epsilon(double noise) const
{
    return m_root / noise;
}

std::vector<std::string>
MomentsFormula::Warnings(double epsilon, double noise, double steps) const
{
    std::vector<std::string> warnings;
    const auto warn = [&warnings](const std::string& what, double is, const char* should) {
        std::ostringstream text;
        text << "moments-regime: " << what << " is " << is << ", the theorem needs " << should;
        warnings.push_back(text.str());
    };
    if (noise < 1.0)
    {
        warn("the smallest noise multiplier", noise, "at least 1");
    }
    if (m_rate * noise * 16.0 >= 1.0)
    {
        warn("rate times noise multiplier", m_rate * noise, "less than 1/16");
    }
    const double order = -noise * noise * std::log(m_rate * noise);
    if (order < 1.0)
    {
        warn("the largest admissible order lambda", order, "at least 1");
    }
    std::ostringstream constant;
    constant
        << "moments-regime: the theorem needs epsilon < c1 q^2 T, that is an unstated c1 above "
        << epsilon / (m_rate * m_rate * steps);
    warnings.push_back(constant.str());
    return warnings;
}

} // namespace dpdl
