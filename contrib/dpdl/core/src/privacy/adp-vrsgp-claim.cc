// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-claims.h"
#include "claim-inputs.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// alpha(t) of each round.
class NoiseSchedule
{
  public:
    explicit NoiseSchedule(const ClaimInputs& inputs)
        : m_rounds(inputs.Settings().rounds),
          m_block(inputs.Positive("tau")),
          m_power(inputs.Positive("noisePower"))
    {
    }

    double Alpha(std::uint64_t round) const
    {
        return std::pow(std::floor(static_cast<double>(round) / m_block) + 10.0, m_power);
    }

    /// Sum of the a_t^-2 in Theorem 1.
    double Weight() const
    {
        double sum = 0.0;
        for (std::uint64_t t = 0; t < m_rounds; ++t)
        {
            sum += std::pow(Alpha(t), -2.0);
        }
        return sum;
    }

    /// The releases, with equal neighbours grouped; round t has noise base * alpha(T - t).
    std::vector<StepGroup> Steps(const ClaimInputs& inputs,
                                 double rate,
                                 double base,
                                 ReleaseFlag flags) const
    {
        std::vector<StepGroup> steps;
        for (std::uint64_t t = 0; t < m_rounds; ++t)
        {
            const double noise = base * Alpha(m_rounds - t);
            if (!steps.empty() && steps.back().noise == noise)
            {
                ++steps.back().steps;
            }
            else
            {
                steps.push_back(inputs.Group(rate, noise, 1, flags));
            }
        }
        return steps;
    }

  private:
    std::uint64_t m_rounds;
    double m_block;
    double m_power;
};

} // namespace

PartInfo
AdpVrsgpClaim::Info() const
{
    return {"adp-vrsgp",
            "noise falls in blocks of rounds, from the moments accountant's formula",
            "Wu et al., IEEE IoT-J 12(24), 2025 (arXiv:2510.20157), Theorem 1",
            {{"batchSize", "64", "B, expected examples in a batch"},
             {"c2", "2", "the constant that the theorem leaves open"},
             {"tau", "5", "rounds of a block"},
             {"noisePower", "0.2", "s: alpha(t) = (floor(t/tau) + 10)^s"},
             {"batchClip", "0", "1: the batch's gradient is clipped as a whole"}}};
}

std::string
AdpVrsgpClaim::Formula() const
{
    return "noise_t = alpha(T-t) c2 q sqrt(log(1/delta) sum 1/alpha(t)^2) / epsilon";
}

std::vector<Premise>
AdpVrsgpClaim::Assumptions() const
{
    return {{"moments-regime", "noise multiplier >= 1, q < 1/(16 noise), epsilon < c1 q^2 T"},
            {"stated-c2", "the constant c2 is what the proof really gives"},
            {"poisson-sampling", "an example takes part with probability q, each round anew"},
            {"per-sample-clip", "each example is clipped, not the batch"},
            {"add-remove-sensitivity", "one example moves the sum by the clip bound"}};
}

ClaimedRun
AdpVrsgpClaim::Run(const ClaimSettings& settings, const Accountant& accountant) const
{
    const ClaimInputs inputs(settings, Info());
    const NoiseSchedule schedule(inputs);
    const double rate = inputs.BatchSize(64.0) / inputs.LocalSamples();
    const MomentsFormula formula(rate,
                                 schedule.Weight(),
                                 settings.question.delta,
                                 inputs.Positive("c2"));
    const bool batchClip = inputs.Has("batchClip");
    const ReleaseFlag flags = batchClip ? ReleaseFlag::BATCH_CLIP : ReleaseFlag::NONE;
    const double base =
        inputs.IsPaper() ? formula.Noise(settings.epsilon)
                         : inputs.NoiseFactor(accountant, schedule.Steps(inputs, rate, 1.0, flags));
    ClaimedRun run;
    run.claimed = formula.Epsilon(base);
    run.steps = schedule.Steps(inputs, rate, base, flags);
    run.flags = flags;
    run.warnings = inputs.SamplingWarnings(rate, rate);
    run.warnings.emplace_back(
        batchClip ? "per-sample-clip: the batch is clipped as a whole, twice the clip bound counts"
                  : "per-sample-clip: the paper clips the gradient of a batch; --batchClip shows "
                    "what that gives");
    const double least = base * schedule.Alpha(1);
    for (std::string& warning : formula.Warnings(*run.claimed, least, inputs.Rounds()))
    {
        run.warnings.push_back(std::move(warning));
    }
    run.schedule = {{"rate", rate},
                    {"c2", inputs.Positive("c2")},
                    {"tau", inputs.Positive("tau")},
                    {"noise_power", inputs.Positive("noisePower")},
                    {"base_noise", base},
                    {"noise_first", base * schedule.Alpha(settings.rounds)},
                    {"noise_last", least}};
    return run;
}

} // namespace dpdl
