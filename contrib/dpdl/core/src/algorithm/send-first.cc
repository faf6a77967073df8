// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"

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

} // namespace

void
AddSendFirst(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"overlap-sgp",
                  "gradient push whose messages travel while the nodes compute, not private",
                  "Assran et al., ICML 2019 (arXiv:1811.10792), Algorithm 2 with tau = 1, as its "
                  "public code does it",
                  "",
                  ""},
                 {{}, SendFirstPreset});
    AddAlgorithm(registry,
                 {"d-psgd",
                  "decentralized parallel SGD, not private; for doubly stochastic mixing only",
                  "Lian et al., NeurIPS 2017 (arXiv:1705.09056), Algorithm 1",
                  "",
                  ""},
                 {{}, [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = SendFirstPreset(hyper);
                      preset.doublyStochastic = true;
                      return preset;
                  }});
}

} // namespace dpdl
