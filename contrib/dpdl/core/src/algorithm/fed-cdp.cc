// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "fed-cdp.h"

#include "baseline.h"
#include "tensor-clip-step.h"

namespace dpdl
{

void
AddFedCdp(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"fed-cdp",
                  "several local steps, gradients clipped tensor by tensor, then gossip",
                  "Wei et al., ICDCS 2021 (arXiv:2305.06473); re-implementation",
                  "",
                  "",
                  {{"clip/sqrt(T)", "", "bound of each of the model's T tensors"},
                   {"evidence",
                    "",
                    "authors' code for clipping and noise; gossip in place of the server and few "
                    "iterations are choices"}}},
                 {{{{"iterations", 5.0, 1.0, 1000.0, "L, local steps a round", true}}},
                  [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = BaselinePreset(0.2, 4.0);
                      preset.step = std::make_shared<TensorClipStep>(hyper.Whole("iterations"));
                      return preset;
                  }});
}

} // namespace dpdl
