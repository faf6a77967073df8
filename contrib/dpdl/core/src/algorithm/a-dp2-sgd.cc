// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

namespace dpdl
{

void
AddADp2Sgd(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"a-dp2-sgd",
                  "pairwise gossip of models while the nodes compute noisy gradients",
                  "Xu, Zhang and Wang, TPAMI 2021 (arXiv:2008.09246); re-implementation",
                  "",
                  "",
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

} // namespace dpdl
