// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

#include <string>

namespace dpdl
{

namespace
{

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
                  "",
                  "",
                  {{"topology", "none", "nothing is sent; the user's topology is not used"}}},
                 {{}, [exchange](const HyperParameters&) {
                      AlgorithmPreset preset = BaselinePreset(1.0, 2.0, NO_PRIVATE_PAPER);
                      preset.exchange = exchange;
                      return preset;
                  }});
}

} // namespace

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
