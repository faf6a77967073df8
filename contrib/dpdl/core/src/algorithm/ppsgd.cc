// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "ppsgd.h"

#include "baseline.h"
#include "personal-step.h"

namespace dpdl
{

void
AddPpsgd(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"ppsgd",
         "a shared part that is gossiped with noise, and a personal one that never leaves",
         "Bietti et al., ICML 2022 (arXiv:2202.05318); re-implementation",
         "",
         "",
         {{"certified",
           "",
           "everything that others see, for all of a node's data at once (joint privacy)"},
          {"evidence",
           "",
           "authors' code; gossip in place of the server and all nodes in every round are "
           "choices"}}},
        {{{{"sharedParts", 1.0, 1.0, 1000.0, "leading parts of the model that are shared", true},
           {"alpha", 1.0, 1e-6, 1e6, "the personal part's step is stepSize / alpha"}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = WholeUpdatePreset(0.5, 1.0);
             preset.sharedParts = hyper.Whole("sharedParts");
             preset.step = std::make_shared<PersonalStep>(hyper["alpha"]);
             return preset;
         }});
}

} // namespace dpdl
