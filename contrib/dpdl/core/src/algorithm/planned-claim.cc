// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/planned-claim.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>

// Computes the claim of an algorithm before a run from the plan that the run would have.

namespace dpdl
{

namespace
{

/// Placeholder for a missing topology: every query throws.
class UnknownGraph : public GraphSequence
{
  public:
    explicit UnknownGraph(std::string algorithm)
        : m_algorithm(std::move(algorithm))
    {
    }

    std::size_t Nodes() const override
    {
        Refuse();
    }

    Round Period() const override
    {
        Refuse();
    }

    const std::vector<NodeId>& OutNeighbours(NodeId, Round) const override
    {
        Refuse();
    }

    const std::vector<NodeId>& InNeighbours(NodeId, Round) const override
    {
        Refuse();
    }

  private:
    [[noreturn]] void Refuse() const
    {
        throw UsageError("option 'algorithm'",
                         m_algorithm,
                         "one whose noise does not depend on the topology; a run certifies this "
                         "one: ./dpdl run learn --algorithm=" +
                             m_algorithm);
    }

    std::string m_algorithm; ///< algorithm whose noise needs the topology
};

/// A claim computed from the plan of a run.
class PlannedClaim : public PublishedClaim
{
  public:
    explicit PlannedClaim(const std::string& algorithm)
        : m_algorithm(Algorithms().Get(algorithm)),
          m_info(Algorithms().Info(algorithm)),
          m_preset(m_algorithm.make(m_algorithm.hyperParameters))
    {
        m_info.parameters.clear();
        if (m_preset.isPrivate)
        {
            m_info.parameters.push_back({"batchSize", "64", "B, expected examples in a batch"});
        }
        if (m_algorithm.hyperParameters.Has("muGrowth"))
        {
            m_info.parameters.push_back(
                {"muGrowth", ShowNumber(m_preset.muGrowth), "rho_mu: mu_k = mu_0 rho_mu^(k/K)"});
        }
    }

    PartInfo Info() const override
    {
        return m_info;
    }

    std::string Formula() const override
    {
        const bool isCalibrated = m_preset.isPrivate && m_preset.noiseMultiplier == 0.0;
        return isCalibrated ? "none analysed; noise as a run plans it" : "";
    }

    std::vector<Premise> Assumptions() const override
    {
        return {};
    }

    ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const override;

  private:
    LearningPlanSettings PlanOf(const ClaimSettings& settings) const;
    std::size_t BatchSize(const ClaimSettings& settings) const;

    Algorithm m_algorithm;    ///< makes the preset
    PartInfo m_info;          ///< see Info()
    AlgorithmPreset m_preset; ///< preset with the defaults
};

std::size_t
PlannedClaim::BatchSize(const ClaimSettings& settings) const
{
    constexpr double USUAL = 64.0;
    const auto most = static_cast<double>(settings.localSamples);
    const auto given = settings.parameters.find("batchSize");
    const double size = given == settings.parameters.end() ? std::min(USUAL, most) : given->second;
    if (!(size >= 1.0 && size <= most && size == std::floor(size)))
    {
        throw UsageError("option 'batchSize'",
                         ShowNumber(size),
                         "a whole number from 1 to " + std::to_string(settings.localSamples) +
                             ", the number of local samples");
    }
    return static_cast<std::size_t>(size);
}

LearningPlanSettings
PlannedClaim::PlanOf(const ClaimSettings& settings) const
{
    LearningPlanSettings plan;
    HyperParameters hyper = m_algorithm.hyperParameters;
    const auto growth = settings.parameters.find("muGrowth");
    if (growth != settings.parameters.end())
    {
        hyper.Set(m_info.name, "muGrowth=" + ShowNumber(growth->second));
    }
    plan.algorithm = m_algorithm.make(hyper);
    const AlgorithmPreset& preset = plan.algorithm;
    const std::size_t batchSize = BatchSize(settings);
    if (preset.sampledParts > 1 && settings.sampler != "poisson")
    {
        throw UsageError("option 'sampler'", settings.sampler, "poisson with " + m_info.name);
    }
    plan.sampler = preset.sampledParts > 1
                       ? MakeCyclicSampler(preset.sampledParts, batchSize, plan.seed)
                       : MakeSampler(settings.sampler, batchSize, plan.seed);
    plan.rounds = static_cast<Round>(settings.rounds);
    plan.localSamples = settings.localSamples;
    plan.batchSize = plan.sampler->ExpectedSize(settings.localSamples);
    plan.samplingRate = plan.sampler->Rate(settings.localSamples);
    plan.epsilon = settings.epsilon;
    plan.delta = settings.question.delta;
    plan.adjacency = settings.question.adjacency;
    plan.mode = settings.mode;
    // Part of the model stays local; its length does not matter.
    plan.parameters = 2;
    plan.shared = preset.sharedLayers > 0 ? 1 : 2;
    plan.ownPart = preset.sharedLayers > 0 && !preset.step->ProtectsOwnPart();
    if (preset.correlate)
    {
        plan.noiseSource =
            MakeCorrelatedNoise(preset.correlate(UnknownGraph(m_info.name), plan.rounds),
                                plan.seed);
    }
    else if (!preset.noiseSource.empty())
    {
        plan.noiseSource = MakeNoiseSource(preset.noiseSource, plan.seed);
    }
    return plan;
}

ClaimedRun
PlannedClaim::Run(const ClaimSettings& settings, const Accountant& accountant) const
{
    LearningPlanSettings asked = PlanOf(settings);
    asked.accountant = accountant.Name();
    const LearningPlan plan(asked);
    ClaimedRun run;
    run.claimed = plan.ClaimedEpsilon(0, plan.Rounds());
    ReleaseTally tally;
    std::vector<double> noise;
    for (Round round = 0; round < plan.Rounds(); ++round)
    {
        for (const Release& release : plan.ReleasesOf(0, round))
        {
            tally.Add(release);
            noise.push_back(release.NoiseMultiplier());
            run.flags = run.flags | release.Flags();
        }
    }
    run.unsupported = tally.Reason();
    run.counts = tally.Steps();
    run.schedule = {{"rate", plan.Of(0).Terms().samplingRate}};
    if (run.unsupported.empty() && !noise.empty())
    {
        run.schedule.emplace_back("noise_first", noise.front());
        run.schedule.emplace_back("noise_last", noise.back());
    }
    const std::string reason = plan.Settings().algorithm.claim->Reason();
    if (m_preset.isPrivate && !reason.empty())
    {
        run.warnings.push_back("claimed is infinite: " + reason);
    }
    return run;
}

} // namespace

std::shared_ptr<const PublishedClaim>
ClaimOf(const std::string& algorithm, Mode mode)
{
    Algorithms().Get(algorithm);
    const std::vector<std::string> published = PublishedClaims().Names();
    if (std::find(published.begin(), published.end(), algorithm) != published.end())
    {
        const auto claim = PublishedClaims().Get(algorithm);
        if (claim->Describes(mode))
        {
            return claim;
        }
    }
    return std::make_shared<PlannedClaim>(algorithm);
}

} // namespace dpdl
