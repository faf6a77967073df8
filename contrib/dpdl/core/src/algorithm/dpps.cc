// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"
#include "dpdl/training/gradient-step.h"

#include <cmath>
#include <string>

// The DPPS family: the noise scale is proportional to an estimated sensitivity. The nodes share the
// whole model or only its first parts.

namespace dpdl
{

namespace
{

/// Schedule whose step size is divided by 10 at the start of every fifth epoch.
/// @param epoch number of rounds of an epoch; 0: constant step size
RoundSchedule
EpochDecay(Round epoch)
{
    return [epoch](RoundShape& shape, Round round, Round /* rounds */) {
        constexpr Round EPOCHS = 5;
        const Round decays = epoch == 0 ? 0 : (round / epoch + 1) / EPOCHS;
        shape.stepSize *= std::pow(10.0, -static_cast<double>(decays));
    };
}

HyperParameters
DppsParameters(bool isOracle)
{
    constexpr double MANY = 1e9;
    return {
        {{"noiseRate", 0.001, 1e-12, 1e12, "gamma_n, by which the noise is multiplied"},
         {"bound", 0.5, 1e-6, 1e6, "C' of the estimated sensitivity; below 1 it is no bound"},
         {"decay", 0.3, 0.0, 1.0, "lambda of the estimated sensitivity"},
         {"syncPeriod", 4.0, 0.0, MANY, "rounds between complete graphs; 0: never", true},
         {"ownEstimate", 0.0, 0.0, 1.0, "1: a node goes on from its own estimate", true},
         {"initialNorm", 0.0, 0.0, 1.0, "1: what nodes start with counts", true},
         {"oracle", isOracle ? 1.0 : 0.0, 0.0, 1.0, "1: the true sensitivity is known", true},
         {"measureEvery", 0.0, 0.0, MANY, "rounds between measured sensitivities; 0: none", true},
         {"localStep", 1.0, 0.0, 1e6, "step size of what is not shared, over that of the rest"},
         {"epoch",
          0.0,
          0.0,
          MANY,
          "rounds of an epoch: each fifth has a tenth of step and noise",
          true}}};
}

AlgorithmPreset
DppsPreset(const HyperParameters& hyper, std::size_t sharedLayers, bool moves)
{
    AlgorithmPreset preset;
    preset.isPrivate = true;
    preset.stepSize = 0.1;
    preset.clip = 100.0;
    preset.sharedLayers = sharedLayers;
    preset.flags = ReleaseFlag::BATCH_CLIP;
    if (!moves)
    {
        /// The nodes' initial values are private and not clipped, so no epsilon is finite.
        preset.flags = preset.flags | ReleaseFlag::NO_CLIP;
    }
    preset.paperFlags = ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::UNNOISED_RELEASE;
    preset.claimRestsOn = {Assumption::MAXIMUM_HEARD,
                           Assumption::B_STRONG_CONNECTIVITY,
                           Assumption::SHARES_IN_TIME,
                           Assumption::NODES_PRESENT};
    preset.claim = {ClaimFormula::PURE_SUM, false};
    preset.noiseSource = "laplace";
    preset.schedule = EpochDecay(hyper.Whole("epoch"));
    preset.step = std::make_shared<PartialStep>(hyper["localStep"], moves);
    auto rule = std::make_shared<SensitivityRule>();
    rule->factor = hyper["bound"];
    rule->decay = hyper["decay"];
    rule->noiseRate = hyper["noiseRate"];
    rule->syncPeriod = hyper.Whole("syncPeriod");
    rule->ownEstimate = hyper["ownEstimate"] > 0.0;
    rule->initialNorm = hyper["initialNorm"] > 0.0;
    rule->isOracle = hyper["oracle"] > 0.0;
    rule->measureEvery = hyper.Whole("measureEvery");
    preset.sensitivity = rule;
    return preset;
}

/// Properties in which the algorithms of the DPPS family differ.
struct Member
{
    std::string name;    ///< name of the algorithm
    std::string summary; ///< description of the algorithm in one line
    std::string source;  ///< algorithm or section of the DPPS paper that defines the algorithm
    /// Number of leading parts of the model that nodes share by default; 0: all. A part is one
    /// layer or several.
    std::size_t sharedLayers{0};
    bool isOracle{false}; ///< default of hyper-parameter `oracle`; true: the noise scale uses the
                          ///< true sensitivity S instead of an estimate
    std::vector<ParameterInfo> notes{};
};

void
AddMember(Registry<Algorithm>& registry, const Member& member, HyperParameters hyper)
{
    const std::size_t parts = member.sharedLayers;
    AddAlgorithm(registry,
                 {member.name,
                  member.summary,
                  "Zhou, Xue and Chen (arXiv:2602.11544), " + member.source,
                  member.notes,
                  "Laplace noise of a public scale, calibrated to the budget for a batch that may "
                  "change altogether; no sensitivity is estimated",
                  "noise gamma_n Laplace(S / b) with b = epsilon and S found by the nodes while "
                  "they run; plain step"},
                 {std::move(hyper), [parts](const HyperParameters& values) {
                      return DppsPreset(values, parts, true);
                  }});
}

/// Registers `dpps`, which shares the whole model. With hyper-parameter perturb=0, nodes do not
/// learn but only average their initial values.
void
AddProtocol(Registry<Algorithm>& registry)
{
    std::vector<HyperParameter> hyper = DppsParameters(false).List();
    hyper.push_back({"perturb", 1.0, 0.0, 1.0, "0: nothing is learnt, nodes only average", true});
    AddAlgorithm(registry,
                 {"dpps",
                  "private push-sum whose noise follows the distance of the nodes",
                  "Zhou, Xue and Chen (arXiv:2602.11544), Algorithm 1",
                  {},
                  "Laplace noise of a public scale, calibrated to the budget; no sensitivity is "
                  "estimated",
                  "noise gamma_n Laplace(S / b) with b = epsilon and S found by the nodes while "
                  "they run; plain step"},
                 {HyperParameters(hyper), [](const HyperParameters& values) {
                      return DppsPreset(values, 0, values["perturb"] > 0.0);
                  }});
}

} // namespace

void
AddDpps(Registry<Algorithm>& registry)
{
    AddProtocol(registry);
    AddMember(registry,
              {"partpsp-1", "DPPS on the model's first part, the rest stays", "Algorithm 2", 1},
              DppsParameters(false));
    AddMember(
        registry,
        {"partpsp-2", "DPPS on the model's first two parts, the rest stays", "Algorithm 2", 2},
        DppsParameters(false));
    AddMember(registry, {"sgpdp", "DPPS on the whole model", "section 5"}, DppsParameters(false));
    AddMember(registry,
              {"pedfl",
               "gossip with Laplace noise by the true distance of the nodes",
               "section 5, after Chen et al., IEEE TC 2023; re-implementation",
               0,
               true,
               {{"evidence",
                 "",
                 "abstract only; a choice: as sgpdp with the true sensitivity, and weights that "
                 "stay 1 on doubly stochastic graphs"}}},
              DppsParameters(true));
}

} // namespace dpdl
