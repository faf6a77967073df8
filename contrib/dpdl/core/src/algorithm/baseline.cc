// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"

#include "built-in-algorithms.h"
#include "dpdl/base/errors.h"

namespace dpdl
{

namespace
{

AlgorithmPreset
SendFirstPreset(const HyperParameters& /*hyper*/)
{
    AlgorithmPreset preset;
    preset.stepSize = 0.5;
    preset.order = GossipOrder::SEND_FIRST;
    return preset;
}

void
AddReference(Registry<Algorithm>& registry,
             const std::string& name,
             const std::string& summary,
             Exchange exchange)
{
    AddAlgorithm(registry,
                 {name,
                  summary,
                  "DP-SGD: Abadi et al., CCS 2016 (arXiv:1607.00133), clip per example",
                  {{"topology", "none", "nothing is sent; the user's topology is not used"}}},
                 {{}, [exchange](const HyperParameters&) {
                      AlgorithmPreset preset = BaselinePreset(1.0, 2.0, NO_PRIVATE_PAPER);
                      preset.exchange = exchange;
                      return preset;
                  }});
}

} // namespace

AlgorithmPreset
BaselinePreset(double stepSize, double clip, const std::string& reason)
{
    AlgorithmPreset preset;
    preset.isPrivate = true;
    preset.stepSize = stepSize;
    preset.clip = clip;
    preset.claim = {ClaimFormula::NONE, false, 0.0, reason};
    return preset;
}

AlgorithmPreset
WholeUpdatePreset(double stepSize, double clip)
{
    AlgorithmPreset preset = BaselinePreset(stepSize, clip);
    preset.flags = ReleaseFlag::BATCH_CLIP;
    preset.isAmplified = false;
    return preset;
}

AlgorithmPreset
CorrelatedPreset()
{
    AlgorithmPreset preset = BaselinePreset(1.0, 1.0, NOT_REPRODUCED);
    preset.noiseSource = "philox";
    preset.flags = ReleaseFlag::CORRELATED_NOISE;
    return preset;
}

void
RequirePeriod(const GraphSequence& graph, const std::string& what, const std::string& instead)
{
    DPDL_REFUSE_IF(graph.Period() == 0,
                   "option 'topology': " + what +
                       " needs a topology that repeats; expected one without random or moving "
                       "edges" +
                       instead);
}

void
ReleaseMean(StepContext& context, NodeJob& job, std::size_t count, float* mean)
{
    ClipRule rule;
    rule.bound = job.update.clip;
    rule.end = count;
    const BoundedSum sum = context.ClipMean(rule, mean);
    LocalUpdate undivided = job.update;
    undivided.divisor = 1.0;
    AddStep(undivided, context.AddNoise(sum, job, 0), *job.state);
}

void
AddADp2Sgd(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"a-dp2-sgd",
                  "pairwise gossip of models while the nodes compute noisy gradients",
                  "Xu, Zhang and Wang, TPAMI 2021 (arXiv:2008.09246); re-implementation",
                  {{"topology", "pairwise", "what it is meant for: the nodes meet in random pairs"},
                   {"evidence",
                    "",
                    "update from a third party's description; the clip bound and rounds in place "
                    "of asynchrony are choices"}}},
                 {{}, [](const HyperParameters&) {
                      AlgorithmPreset preset = BaselinePreset(1.0, 2.0);
                      preset.order = GossipOrder::SEND_FIRST;
                      return preset;
                  }});
}

void
AddSgp(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"sgp",
                  "stochastic gradient push, not private",
                  "Assran et al., ICML 2019 (arXiv:1811.10792), Algorithm 1"},
                 {{}, [](const HyperParameters&) {
                      AlgorithmPreset preset;
                      preset.stepSize = 0.5;
                      return preset;
                  }});
}

void
AddSendFirst(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"overlap-sgp",
                  "gradient push whose messages travel while the nodes compute, not private",
                  "Assran et al., ICML 2019 (arXiv:1811.10792), Algorithm 2 with tau = 1, as its "
                  "public code does it"},
                 {{}, SendFirstPreset});
    AddAlgorithm(registry,
                 {"d-psgd",
                  "decentralized parallel SGD, not private; for doubly stochastic mixing only",
                  "Lian et al., NeurIPS 2017 (arXiv:1705.09056), Algorithm 1"},
                 {{}, [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = SendFirstPreset(hyper);
                      preset.doublyStochastic = true;
                      return preset;
                  }});
}

void
AddReferences(Registry<Algorithm>& registry)
{
    AddReference(registry,
                 "isolated",
                 "reference: every node learns from its own examples alone; nothing is sent",
                 Exchange::NOTHING);
    AddReference(registry,
                 "central",
                 "reference: one node learns from the examples of all nodes at the same rate",
                 Exchange::EXAMPLES);
}

} // namespace dpdl
