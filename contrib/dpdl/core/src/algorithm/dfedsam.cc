// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dfedsam.h"

#include "baseline.h"
#include "sam-step.h"

namespace dpdl
{

void
AddDfedsam(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"dfedsam",
         "several sharpness-aware local steps, then gossip; climbs along released gradients",
         "Shi et al., ICML 2023 (arXiv:2302.04083); re-implementation, made private here",
         "",
         "",
         {{"evidence",
           "",
           "abstract; not private as published: clip, noise and the released direction to climb "
           "in are choices"}}},
        {{{{"iterations", 5.0, 1.0, 1000.0, "L, local steps a round", true},
           {"radius", 0.05, 0.0, 100.0, "rho, distance of the gradient's point from z"}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(0.2, 2.0);
             preset.step = std::make_shared<SamStep>(hyper.Whole("iterations"), hyper["radius"]);
             return preset;
         }});
}

} // namespace dpdl
