// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"

namespace dpdl
{

void
AddSgp(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"sgp",
                  "stochastic gradient push, not private",
                  "Assran et al., ICML 2019 (arXiv:1811.10792), Algorithm 1",
                  "",
                  ""},
                 {{}, [](const HyperParameters&) {
                      AlgorithmPreset preset;
                      preset.stepSize = 0.5;
                      return preset;
                  }});
}

} // namespace dpdl
