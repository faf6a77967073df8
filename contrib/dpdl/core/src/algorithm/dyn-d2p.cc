// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"

#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

constexpr double LARGEST_FACTOR = 1e6;

/// rho_c, where an algorithm varies it.
HyperParameter
ClipDecay()
{
    return {"clipDecay",
            3.0,
            1.0,
            LARGEST_FACTOR,
            "rho_c: C_k = C_0 rho_c^(-k/K); the attribute ClipDecay sets it, too, and wins"};
}

/// rho_mu, where an algorithm varies it.
HyperParameter
NoiseGrowth()
{
    return {"noiseGrowth",
            2.0,
            1.0,
            LARGEST_FACTOR,
            "rho_mu: mu_k = mu_0 rho_mu^(k/K); the attribute NoiseGrowth sets it, too, and wins"};
}

/// The value of a factor, 1 where the algorithm does not vary it.
double
FactorOf(const HyperParameters& hyper, const std::string& name)
{
    return hyper.Has(name) ? hyper[name] : 1.0;
}

/// An algorithm of the paper by those of the two factors that it varies.
void
AddVariant(Registry<Algorithm>& registry,
           const std::string& name,
           const std::string& summary,
           const std::string& where,
           std::vector<HyperParameter> factors)
{
    AddAlgorithm(registry,
                 {name,
                  summary,
                  "Zhu et al., IJCAI 2025 (arXiv:2505.06651), " + where,
                  "mu_0 from a rigorous accountant at rate B/J",
                  "mu_0 from the GDP limit theorem at p = 1/J, plain step"},
                 {HyperParameters(std::move(factors)), [](const HyperParameters& hyper) {
                      AlgorithmPreset preset;
                      preset.isPrivate = true;
                      preset.stepSize = 1.0;
                      preset.clip = 2.0;
                      preset.clipDecay = FactorOf(hyper, "clipDecay");
                      preset.noiseGrowth = FactorOf(hyper, "noiseGrowth");
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
               {ClipDecay(), NoiseGrowth()});
    AddVariant(registry,
               "const-d2p",
               "gradient push with constant clip bound and noise",
               "Algorithm 5",
               {});
    AddVariant(registry,
               "dyn-c-d2p",
               "gradient push; clip bound falls, noise multiplier constant",
               "Algorithm 3",
               {ClipDecay()});
    AddVariant(registry,
               "dyn-mu-d2p",
               "gradient push; clip bound constant, noise multiplier falls",
               "Algorithm 4",
               {NoiseGrowth()});
}

} // namespace dpdl
