// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"

#include "built-in-algorithms.h"
#include "dpdl/base/quantity.h"

#include <cmath>
#include <utility>

// The registry of all algorithms, filled by one Add function per source file. Also registers custom
// algorithms of users.

namespace dpdl
{

namespace
{

constexpr double LARGEST_FACTOR = 1e6;

/// Declares clipDecay and muGrowth as hyper-parameters of a private algorithm with a geometric
/// schedule.
void
DeclareFactors(Algorithm& algorithm)
{
    const AlgorithmPreset preset = algorithm.make(algorithm.hyperParameters);
    if (!preset.isPrivate || !HasGeometricFactors(preset))
    {
        return;
    }
    algorithm.hyperParameters.Declare(
        {"clipDecay", preset.clipDecay, 1.0, LARGEST_FACTOR, "rho_c: C_k = C_0 rho_c^(-k/K)"});
    algorithm.hyperParameters.Declare({"muGrowth",
                                       preset.muGrowth,
                                       1.0,
                                       LARGEST_FACTOR,
                                       "rho_mu: mu_k = mu_0 rho_mu^(k/K)",
                                       false,
                                       "noiseGrowth"});
    algorithm.make = [make = algorithm.make](const HyperParameters& hyper) {
        AlgorithmPreset made = make(hyper);
        made.clipDecay = hyper["clipDecay"];
        made.muGrowth = hyper["muGrowth"];
        return made;
    };
}

std::vector<ParameterInfo>
ParametersOf(const AlgorithmInfo& info, const Algorithm& algorithm)
{
    const AlgorithmPreset preset = algorithm.make(algorithm.hyperParameters);
    std::vector<ParameterInfo> parameters{
        {"stepSize", ShowNumber(preset.stepSize), "gamma, on the mean gradient"}};
    if (preset.isPrivate && preset.clip > 0.0)
    {
        const bool isOfBatch = HasFlag(preset.flags, ReleaseFlag::BATCH_CLIP);
        parameters.push_back({"clip",
                              ShowNumber(preset.clip),
                              isOfBatch ? "C_0, bound on all that a node adds in a round"
                                        : "C_0, bound on one sample's gradient"});
    }
    for (const HyperParameter& hyper : algorithm.hyperParameters.List())
    {
        parameters.push_back({"hyper:" + hyper.name, ShowNumber(hyper.value), hyper.meaning});
    }
    if (!info.sound.empty())
    {
        parameters.push_back({"mode=sound", "", info.sound});
        parameters.push_back({"mode=paper", "", info.paper});
    }
    parameters.insert(parameters.end(), info.notes.begin(), info.notes.end());
    return parameters;
}

Registry<Algorithm>
MakeAlgorithms()
{
    Registry<Algorithm> registry("algorithm");
    AddDynD2p(registry);
    AddDpps(registry);
    AddAdaD2p(registry);
    AddDynD2pGeneral(registry);
    AddSendFirst(registry);
    AddSgp(registry);
    AddAdpVrsgp(registry);
    AddADp2Sgd(registry);
    AddMapa(registry);
    AddPpsgd(registry);
    AddDfedsam(registry);
    AddFedCdp(registry);
    AddFedDpa(registry);
    AddFedAn(registry);
    AddMomentumD2p(registry);
    AddNoiseOverNodes(registry);
    AddNoiseOverRounds(registry);
    AddCompressed(registry);
    AddReferences(registry);
    AddPhased(registry);
    AddRandomTargets(registry);
    AddRFast(registry);
    AddPorter(registry);
    return registry;
}

Registry<Algorithm>&
Registered()
{
    static Registry<Algorithm> registry = MakeAlgorithms();
    return registry;
}

/// Stores the privacy argument of a custom algorithm in its preset.
/// @param argument text of the argument; if it is empty, no finite epsilon is certified or claimed
///        for a private algorithm
AlgorithmPreset
WithArgument(AlgorithmPreset preset, const std::string& argument)
{
    preset.argument = argument;
    if (preset.isPrivate && argument.empty())
    {
        preset.flags = preset.flags | ReleaseFlag::UNPROVEN_STEP;
        preset.claim = {ClaimFormula::NONE,
                        false,
                        0.0,
                        "the program brought the algorithm and no argument for its privacy"};
    }
    return preset;
}

} // namespace

void
AddAlgorithm(Registry<Algorithm>& registry, const AlgorithmInfo& info, Algorithm algorithm)
{
    DeclareFactors(algorithm);
    PartInfo part{info.name, info.summary, info.source, ParametersOf(info, algorithm)};
    registry.Add(std::move(part), std::move(algorithm));
}

const Registry<Algorithm>&
Algorithms()
{
    return Registered();
}

void
RegisterAlgorithm(AlgorithmInfo info, Algorithm algorithm, const std::string& argument)
{
    if (info.source.empty())
    {
        info.source = "the program's own";
    }
    info.notes.push_back(
        {"argument", "", argument.empty() ? "none: nothing is certified" : argument});
    algorithm.make = [make = algorithm.make, argument](const HyperParameters& hyper) {
        return WithArgument(make(hyper), argument);
    };
    AddAlgorithm(Registered(), info, std::move(algorithm));
}

AlgorithmPreset
MakeAlgorithm(const std::string& name, const std::string& hyper)
{
    const Algorithm& algorithm = Algorithms().Get(name);
    HyperParameters parameters = algorithm.hyperParameters;
    parameters.Set(name, hyper);
    return algorithm.make(parameters);
}

const Registry<Assumption>&
Assumptions()
{
    static const auto registry =
        Registry<Assumption>("assumption")
            .Add({"b-strong-connectivity",
                  "the links that deliver in any B rounds in a row connect all nodes",
                  "Nedic and Olshevsky, 2016"},
                 Assumption::B_STRONG_CONNECTIVITY)
            .Add({"shares-in-time",
                  "a share is mixed in the round that it was sent in",
                  "Assran et al., ICML 2019, Algorithm 1"},
                 Assumption::SHARES_IN_TIME)
            .Add({"shares-once", "a share is delivered at most once", "Kempe et al., 2003"},
                 Assumption::SHARES_ONCE)
            .Add({"maximum-heard",
                  "every node heard the largest sensitivity of the round",
                  "DPPS: its noise scale is a maximum over all nodes"},
                 Assumption::MAXIMUM_HEARD)
            .Add({"nodes-present",
                  "no node crashes",
                  "Assran et al., ICML 2019: all nodes take part in every round"},
                 Assumption::NODES_PRESENT)
            .Add({"privacy-budget",
                  "no node has stopped learning at the end of its privacy budget",
                  "option stopAt"},
                 Assumption::PRIVACY_BUDGET)
            .Add({"nodes-honest",
                  "every node sends what it has learnt of its own examples",
                  "Kempe et al., 2003: push-sum ends at the mean of what all nodes hold"},
                 Assumption::NODES_HONEST)
            .Add({"secrets-kept",
                  "no node lets others know the secrets that it shares with its peers",
                  "Allouah et al., ICML 2024: SecLDP"},
                 Assumption::SECRETS_KEPT);
    return registry;
}

RoundShape
ShapeOf(const AlgorithmPreset& preset, Round round, Round rounds)
{
    RoundShape shape;
    shape.stepSize = preset.stepSize;
    if (preset.isPrivate)
    {
        const double progress = round / static_cast<double>(rounds);
        shape.clip = preset.clip * std::pow(preset.clipDecay, -progress);
        shape.unit = shape.clip;
        shape.strength = std::pow(preset.muGrowth, progress);
    }
    if (preset.schedule)
    {
        preset.schedule(shape, round, rounds);
    }
    return shape;
}

} // namespace dpdl
