// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

namespace dpdl
{

void
AddFedCdp(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"fed-cdp",
                  "several local steps, gradients clipped tensor by tensor, then gossip",
                  "Wei et al., ICDCS 2021 (arXiv:2305.06473); re-implementation",
                  {{"clip/sqrt(T)", "", "bound of each of the model's T tensors"},
                   {"evidence",
                    "",
                    "authors' code for clipping and noise; gossip in place of the server and few "
                    "iterations are choices"}}},
                 {{{{"iterations", 5.0, 1.0, 1000.0, "L, local steps a round", true}}},
                  [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = BaselinePreset(0.2, 4.0);
                      preset.step = MakeLocalSteps(hyper.Whole("iterations"), 0.0, true);
                      return preset;
                  }});
}

void
AddFedAn(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"fed-an",
                  "gradient push; noise falls with the rounds by a public schedule",
                  "named FedAN in Wu et al. (arXiv:2510.20157); its paper is not identified",
                  {{"evidence",
                    "",
                    "none: only that noise adapts to history; the schedule is a choice that needs "
                    "no data"}}},
                 {{{{"decay", 1.0, 0.0, 100.0, "sigma_k = sigma_0 / (1 + decay k/K)"}}},
                  [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = BaselinePreset(1.0, 2.0);
                      preset.schedule =
                          [decay = hyper["decay"]](RoundShape& shape, Round round, Round rounds) {
                              shape.strength = 1.0 + decay * round / static_cast<double>(rounds);
                          };
                      return preset;
                  }});
}

} // namespace dpdl
