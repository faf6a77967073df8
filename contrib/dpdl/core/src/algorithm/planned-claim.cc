// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/planned-claim.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/gdp.h"

#include <algorithm>
#include <cmath>
#include <sstream>

// Computes the epsilon that the paper of an algorithm claims, before a run, from the plan of the
// run.

namespace dpdl
{

namespace
{

/// Placeholder for a missing topology. Every query throws UsageError naming the algorithm.
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

    std::string m_algorithm; ///< name of the algorithm whose noise needs the topology, for the
                             ///< error message
};

/// Default batch size in examples, at most the number of local examples. In mode paper the default
/// is 1 if the paper's formula assumes one example per round.
constexpr double USUAL_BATCH = 64.0;

std::size_t
BatchSize(const ClaimSettings& settings, const Claim& claim)
{
    const auto most = static_cast<double>(settings.localSamples);
    const bool isSingle =
        settings.mode == Mode::PAPER && claim.oneExample && claim.formula != ClaimFormula::NONE;
    const auto given = settings.parameters.find("batchSize");
    const double size = given != settings.parameters.end()
                            ? given->second
                            : std::min(isSingle ? 1.0 : USUAL_BATCH, most);
    DPDL_REFUSE_IF(!(size >= 1.0 && size <= most && size == std::floor(size)),
                   "option 'batchSize'",
                   ShowNumber(size),
                   "a whole number from 1 to " + std::to_string(settings.localSamples) +
                       ", the number of local samples");
    return static_cast<std::size_t>(size);
}

/// Makes the preset of an algorithm with the hyper-parameters in the settings.
AlgorithmPreset
PresetOf(const ClaimSettings& settings)
{
    const Algorithm& algorithm = Algorithms().Get(settings.algorithm);
    HyperParameters hyper = algorithm.hyperParameters;
    for (const auto& [name, value] : settings.parameters)
    {
        if (name != "batchSize" && name != "batchClip")
        {
            const std::string own = name == "noise" ? "noiseMultiplier" : name;
            hyper.Set(settings.algorithm, own + "=" + ShowNumber(value));
        }
    }
    return algorithm.make(hyper);
}

void
SetNoiseSource(const ClaimSettings& settings, LearningPlanSettings& plan)
{
    const AlgorithmPreset& preset = plan.algorithm;
    if (preset.correlate)
    {
        plan.noiseSource =
            MakeCorrelatedNoise(preset.correlate(UnknownGraph(settings.algorithm), plan.rounds),
                                plan.seed);
    }
    else if (!preset.noiseSource.empty())
    {
        plan.noiseSource = MakeNoiseSource(preset.noiseSource, plan.seed);
    }
}

/// Appends a warning for each assumption of the formula about batches and neighbouring datasets
/// that the planned run violates.
void
WarnOfSampling(const ClaimSettings& settings,
               const NodePlan& plan,
               std::vector<std::string>& warnings)
{
    const auto samples = static_cast<double>(settings.localSamples);
    if (plan.ClaimedRate() != plan.Terms().samplingRate)
    {
        warnings.push_back(
            "single-sample-batch: the formula counts " + ShowNumber(plan.ClaimedRate() * samples) +
            " example a round, the run draws " + ShowNumber(plan.Terms().samplingRate * samples));
    }
    if (settings.sampler != "poisson")
    {
        warnings.push_back("poisson-sampling: the formula is for batches drawn by poisson, the run "
                           "draws them by " +
                           settings.sampler);
    }
    if (settings.question.adjacency == Adjacency::REPLACE)
    {
        warnings.emplace_back("add-remove-sensitivity: the formula lets one example move the sum "
                              "by the clip bound, replacing one moves it by up to twice that");
    }
}

void
WarnOfKappa(double kappa, std::vector<std::string>& warnings)
{
    if (kappa > CLT_KAPPA_INACCURATE)
    {
        std::ostringstream text;
        text << "clt-regime: kappa = " << kappa << " should be below " << CLT_KAPPA_INACCURATE
             << "; the claim " << (kappa <= CLT_KAPPA_REFUSED ? "is inaccurate" : "means nothing");
        warnings.push_back(text.str());
    }
}

/// Appends a warning for each violated precondition of the moments accountant's theorem (Abadi et
/// al., CCS 2016), and one for its unstated constant c1.
/// @param rate sampling rate q
/// @param noise smallest noise multiplier of the plan
void
WarnOfMoments(double rate,
              double noise,
              double epsilon,
              Round rounds,
              std::vector<std::string>& warnings)
{
    const auto warn = [&warnings](const std::string& what, double is, const char* should) {
        std::ostringstream text;
        text << "moments-regime: " << what << " is " << is << ", the theorem needs " << should;
        warnings.push_back(text.str());
    };
    if (noise < 1.0)
    {
        warn("the smallest noise multiplier", noise, "at least 1");
    }
    if (rate * noise * 16.0 >= 1.0)
    {
        warn("rate times noise multiplier", rate * noise, "less than 1/16");
    }
    const double order = -noise * noise * std::log(rate * noise);
    if (order < 1.0)
    {
        warn("the largest admissible order lambda", order, "at least 1");
    }
    warn("epsilon / (q^2 T)", epsilon / (rate * rate * rounds), "less than an unstated c1");
}

/// Adds to @p planned the numbers that the paper's formula uses, and warnings about them.
void
AddFormula(const LearningPlan& plan, PlannedClaim& planned)
{
    const Claim& claim = plan.Settings().algorithm.claim;
    const NodePlan& node = plan.Of(0);
    if (claim.formula == ClaimFormula::PURE_SUM)
    {
        planned.warnings.emplace_back("node-adjacency: the claim hides which node sent a vector, "
                                      "not what one example contributed");
        return;
    }
    WarnOfSampling(planned.settings, node, planned.warnings);
    planned.schedule.emplace_back("claimed_rate", node.ClaimedRate());
    if (claim.formula == ClaimFormula::CLT)
    {
        WarnOfKappa(plan.ClaimKappa(), planned.warnings);
        planned.schedule.emplace_back("kappa", plan.ClaimKappa());
        return;
    }
    double strongest = 0.0;
    for (Round round = 0; round < plan.Rounds(); ++round)
    {
        strongest = std::max(strongest, node.At(round).mu);
    }
    WarnOfMoments(node.ClaimedRate(),
                  1.0 / strongest,
                  planned.claimed,
                  plan.Rounds(),
                  planned.warnings);
}

/// Adds to @p planned the steps of the plan's releases, their flags, and the reason if no finite
/// epsilon can be certified for them.
void
AddReleases(const LearningPlan& plan, PlannedClaim& planned)
{
    ReleaseTally tally;
    std::vector<double> noise;
    for (Round round = 0; round < plan.Rounds(); ++round)
    {
        for (const Release& release : plan.ReleasesOf(0, round))
        {
            tally.Add(release);
            noise.push_back(release.NoiseMultiplier());
            planned.flags = planned.flags | release.flags;
        }
    }
    planned.unsupported = tally.Reason();
    planned.steps = tally.Steps();
    planned.schedule = {{"rate", plan.Of(0).Terms().samplingRate}};
    if (planned.unsupported.empty() && !noise.empty())
    {
        planned.schedule.emplace_back("noise_first", noise.front());
        planned.schedule.emplace_back("noise_last", noise.back());
    }
}

} // namespace

std::vector<ParameterInfo>
ClaimParameters(const std::string& algorithm)
{
    const Algorithm& found = Algorithms().Get(algorithm);
    const AlgorithmPreset preset = found.make(found.hyperParameters);
    std::vector<ParameterInfo> parameters;
    if (preset.isPrivate)
    {
        parameters.push_back({"batchSize", "64", "B, expected examples in a batch"});
        parameters.push_back({"batchClip", "0", "1: the batch's gradient is clipped as a whole"});
    }
    for (const HyperParameter& hyper : found.hyperParameters.List())
    {
        if (hyper.name == "noiseMultiplier")
        {
            parameters.push_back({"noise", "", hyper.meaning});
        }
        for (const char* name : {"muGrowth", "c2", "tau", "noisePower", "noiseRate"})
        {
            if (hyper.name == name)
            {
                const bool isGrowth = hyper.name == "muGrowth";
                parameters.push_back({hyper.name,
                                      ShowNumber(isGrowth ? preset.muGrowth : hyper.value),
                                      hyper.meaning});
            }
        }
    }
    return parameters;
}

LearningPlan
PlanOf(const ClaimSettings& settings)
{
    CheckTarget(settings.epsilon, settings.question.delta);
    DPDL_REFUSE_IF(settings.rounds == 0 || settings.rounds > ClaimSettings::MOST_ROUNDS,
                   "option 'rounds'",
                   std::to_string(settings.rounds),
                   "a whole number from 1 to " + std::to_string(ClaimSettings::MOST_ROUNDS));
    LearningPlanSettings plan;
    plan.algorithm = PresetOf(settings);
    const AlgorithmPreset& preset = plan.algorithm;
    const std::size_t batchSize = BatchSize(settings, preset.claim);
    DPDL_REFUSE_IF(preset.sampledParts > 1 && settings.sampler != "poisson",
                   "option 'sampler'",
                   settings.sampler,
                   "poisson with " + settings.algorithm);
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
    plan.flags =
        settings.parameters.count("batchClip") != 0 ? ReleaseFlag::BATCH_CLIP : ReleaseFlag::NONE;
    // The plan does not depend on the number of parameters, so two stand for the model. If nodes
    // share only some layers, one parameter is local.
    plan.parameters = 2;
    plan.shared = preset.sharedLayers > 0 ? 1 : 2;
    plan.ownPart = preset.sharedLayers > 0 && !preset.step->ProtectsOwnPart();
    // In mode paper, the formula and not the accountant determines the noise multiplier. So the
    // accountant needs no proven bounds.
    const bool needsProof =
        settings.mode == Mode::SOUND || Accountants().Get(settings.accountant)->Certified();
    plan.accountant = needsProof ? settings.accountant : "pld";
    SetNoiseSource(settings, plan);
    return LearningPlan(plan);
}

double
ClaimedBy(const LearningPlan& plan)
{
    const ClaimFormula formula = plan.Settings().algorithm.claim.formula;
    const bool isSolved = formula == ClaimFormula::CLT || formula == ClaimFormula::MOMENTS;
    const std::optional<double> budget = plan.Of(0).Budget();
    return plan.Settings().mode == Mode::PAPER && isSolved && budget
               ? *budget
               : plan.ClaimedEpsilon(0, plan.Rounds());
}

PlannedClaim
ClaimOf(const ClaimSettings& settings)
{
    const LearningPlan plan = PlanOf(settings);
    const AlgorithmPreset& preset = plan.Settings().algorithm;
    PlannedClaim planned;
    planned.settings = settings;
    planned.claimed = ClaimedBy(plan);
    AddReleases(plan, planned);
    if (!preset.isPrivate)
    {
        return planned;
    }
    if (preset.claim.formula == ClaimFormula::NONE)
    {
        planned.formula = "none analysed; noise as a run plans it";
        planned.warnings.push_back("claimed is infinite: " + preset.claim.reason);
        return planned;
    }
    planned.formula = preset.claim.Text();
    // PURE_SUM is for a noise scale that is proportional to an estimated sensitivity. Mode sound
    // does not use such a scale.
    if (preset.claim.formula != ClaimFormula::PURE_SUM || settings.mode == Mode::PAPER)
    {
        planned.assumptions = preset.claim.Assumptions();
        AddFormula(plan, planned);
    }
    for (const ParameterInfo& parameter : ClaimParameters(settings.algorithm))
    {
        if (parameter.name != "batchSize" && parameter.name != "batchClip" &&
            !parameter.defaultValue.empty())
        {
            const auto given = settings.parameters.find(parameter.name);
            planned.schedule.emplace_back(
                parameter.name,
                given != settings.parameters.end()
                    ? given->second
                    : ParseNumber(parameter.name, parameter.defaultValue, "a number"));
        }
    }
    return planned;
}

} // namespace dpdl
