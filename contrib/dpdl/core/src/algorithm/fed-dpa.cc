// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "fed-dpa.h"

#include "baseline.h"
#include "fisher-step.h"

namespace dpdl
{

void
AddFedDpa(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"fed-dpa",
         "coordinates of high Fisher information stay personal; updates are clipped as a whole",
         "Yang, Huang and Ye, NeurIPS 2023 (FedDPA); re-implementation",
         "",
         "",
         {{"certified",
           "",
           "everything that others see, for all of a node's data at once (joint privacy)"},
          {"evidence",
           "",
           "authors' code; plain steps on one batch, Fisher information of the batch, and gossip "
           "in place of the server are choices"}}},
        {{{{"threshold", 0.4, 0.0, 1.0, "scaled Fisher information above which is personal"},
           {"lambda1", 0.1, 0.0, 1e6, "pull of personal coordinates to the mixed model"},
           {"lambda2", 0.05, 0.0, 1e6, "pull of the others to the clip bound's distance"},
           {"passes", 2.0, 1.0, 1000.0, "gradient steps on the round's batch", true}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = WholeUpdatePreset(0.5, 1.0);
             FisherStepOptions options;
             options.threshold = hyper["threshold"];
             options.personalPull = hyper["lambda1"];
             options.sharedPull = hyper["lambda2"];
             options.passes = hyper.Whole("passes");
             preset.step = std::make_shared<FisherStep>(options);
             return preset;
         }});
}

} // namespace dpdl
