// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-claims.h"
#include "claim-inputs.h"

namespace dpdl
{

MomentsClaim::MomentsClaim(std::string name, Scale scale)
    : m_name(std::move(name)),
      m_scale(scale)
{
}

PartInfo
MomentsClaim::Info() const
{
    static const std::map<Scale, std::string> SUMMARIES{
        {Scale::FIXED_BOUND, "constant noise, a multiple of the clip bound"},
        {Scale::OWN_NORM, "noise a multiple of the gradient's own norm, no clipping"},
        {Scale::SEARCHED_BOUND, "noise a multiple of the largest norm seen, no clipping"}};
    return {m_name,
            SUMMARIES.at(m_scale),
            "AdaD2P (anonymous submission); formula of Abadi et al. 2016, Theorem 1",
            {{"batchSize", "64", "B, expected examples in a batch; 1 in mode paper"},
             {"c2", "2", "the constant that the theorem leaves open"},
             {"noise", "", "the noise multiplier itself, instead of the one for epsilon"}}};
}

std::string
MomentsClaim::Formula() const
{
    return "noise = c2 p sqrt(K log(1/delta)) / epsilon, p = 1/J in mode paper";
}

std::vector<Premise>
MomentsClaim::Assumptions() const
{
    std::vector<Premise> assumptions{
        {"moments-regime", "noise multiplier >= 1, q < 1/(16 noise), epsilon < c1 q^2 T"},
        {"stated-c2", "the constant c2 is what the proof really gives"},
        {"poisson-sampling", "an example takes part with probability p, independently each round"},
        {"single-sample-batch", "in mode paper a round uses one example, p = 1/J"},
        {"add-remove-sensitivity", "one example moves the sum by the clip bound, not by twice it"}};
    if (m_scale != Scale::FIXED_BOUND)
    {
        assumptions.push_back({"public-noise-scale", "the noise scale tells nothing of the data"});
        assumptions.push_back({"bounded-gradient", "no gradient exceeds the noise's own unit"});
    }
    return assumptions;
}

void
MomentsClaim::Refuse(ClaimedRun& run) const
{
    if (m_scale == Scale::OWN_NORM)
    {
        run.flags = ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::NO_CLIP;
        run.unsupported =
            "the noise scale is the norm of the private gradient, so that the size of "
            "the noise tells the norm, and a zero gradient is sent without noise";
    }
    else if (m_scale == Scale::SEARCHED_BOUND)
    {
        run.flags = ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::NO_CLIP;
        run.unsupported = "gradients are not clipped, and the noise scale is the largest norm of "
                          "private gradients in runs without noise";
    }
    for (StepGroup& group : run.steps)
    {
        group.flags = run.flags;
    }
}

ClaimedRun
MomentsClaim::Run(const ClaimSettings& settings, const Accountant& accountant) const
{
    const ClaimInputs inputs(settings, Info());
    const double real = inputs.BatchSize(1.0) / inputs.LocalSamples();
    const double claimedRate = inputs.IsPaper() ? 1.0 / inputs.LocalSamples() : real;
    const MomentsFormula formula(claimedRate,
                                 inputs.Rounds(),
                                 settings.question.delta,
                                 inputs.Positive("c2"));
    const auto steps = [&](double noise) {
        return inputs.Group(real, noise, settings.rounds, ReleaseFlag::NONE);
    };
    const bool canCalibrate = m_scale == Scale::FIXED_BOUND && !inputs.IsPaper();
    double noise = formula.Noise(settings.epsilon);
    if (inputs.Has("noise"))
    {
        noise = inputs.Positive("noise");
    }
    else if (canCalibrate)
    {
        noise = inputs.NoiseFactor(accountant, {steps(1.0)});
    }
    ClaimedRun run;
    run.claimed = formula.Epsilon(noise);
    run.steps = {steps(noise)};
    run.warnings = inputs.SamplingWarnings(claimedRate, real);
    for (std::string& warning : formula.Warnings(*run.claimed, noise, inputs.Rounds()))
    {
        run.warnings.push_back(std::move(warning));
    }
    Refuse(run);
    run.schedule = {{"rate", real},
                    {"claimed_rate", claimedRate},
                    {"c2", inputs.Positive("c2")},
                    {"noise", noise}};
    return run;
}

} // namespace dpdl
