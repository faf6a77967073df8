// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"

namespace dpdl
{

namespace
{

/// Registers an algorithm of the paper, given which of the two factors it varies.
void
AddVariant(Registry<Algorithm>& registry,
           const std::string& name,
           const std::string& summary,
           const std::string& where,
           double clipDecay,
           double muGrowth)
{
    AddAlgorithm(registry,
                 {name,
                  summary,
                  "Zhu et al., IJCAI 2025 (arXiv:2505.06651), " + where,
                  "mu_0 from a rigorous accountant at rate B/J",
                  "mu_0 from the GDP limit theorem at p = 1/J, plain step"},
                 {{}, [=](const HyperParameters& /* hyper */) {
                      AlgorithmPreset preset;
                      preset.isPrivate = true;
                      preset.stepSize = 1.0;
                      preset.clip = 2.0;
                      preset.clipDecay = clipDecay;
                      preset.muGrowth = muGrowth;
                      return preset;
                  }});
}

} // namespace

void
AddDynD2p(Registry<Algorithm>& registry)
{
    AddVariant(registry,
               "dyn-d2p",
               "gradient push; clip bound falls and noise multiplier falls over the rounds",
               "Algorithm 1",
               3.0,
               2.0);
    AddVariant(registry,
               "const-d2p",
               "gradient push with constant clip bound and noise",
               "Algorithm 5",
               1.0,
               1.0);
    AddVariant(registry,
               "dyn-c-d2p",
               "gradient push; clip bound falls, noise multiplier constant",
               "Algorithm 3",
               3.0,
               1.0);
    AddVariant(registry,
               "dyn-mu-d2p",
               "gradient push; clip bound constant, noise multiplier falls",
               "Algorithm 4",
               1.0,
               2.0);
}

} // namespace dpdl
