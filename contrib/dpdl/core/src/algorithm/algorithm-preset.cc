// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithm-preset.h"

namespace dpdl
{

namespace
{

constexpr const char* DYN_D2P = "Zhu et al., IJCAI 2025 (arXiv:2505.06651)";

std::vector<ParameterInfo>
PrivateParameters(const AlgorithmPreset& preset)
{
    auto text = [](double value) {
        std::string digits = std::to_string(value);
        digits.erase(digits.find_last_not_of('0') + 1);
        return digits.back() == '.' ? digits + "0" : digits;
    };
    return {{"stepSize", text(preset.stepSize), "gamma, on the mean clipped gradient"},
            {"clip", text(preset.clip), "C_0, L2 bound on one sample's gradient"},
            {"ClipDecay", text(preset.clipDecay), "rho_c: C_k = C_0 rho_c^(-k/K)"},
            {"NoiseGrowth", text(preset.noiseGrowth), "rho_mu: mu_k = mu_0 rho_mu^(k/K)"},
            {"mode=sound", "", "mu_0 from a rigorous accountant at rate B/J"},
            {"mode=paper", "", "mu_0 from the GDP limit theorem at p = 1/J, plain step"}};
}

void
AddPrivate(Registry<AlgorithmPreset>& registry,
           const std::string& name,
           const std::string& summary,
           const std::string& source,
           const AlgorithmPreset& preset)
{
    registry.Add({name, summary, source, PrivateParameters(preset)}, preset);
}

Registry<AlgorithmPreset>
MakeAlgorithms()
{
    Registry<AlgorithmPreset> registry("algorithm");
    AddPrivate(registry,
               "dyn-d2p",
               "gradient push; clip bound falls and noise multiplier falls over the rounds",
               std::string(DYN_D2P) + ", Algorithm 1",
               {true, 1.0, 2.0, 3.0, 2.0});
    registry.Add({"sgp",
                  "stochastic gradient push, not private",
                  "Assran et al., ICML 2019 (arXiv:1811.10792), Algorithm 1",
                  {{"stepSize", "0.5", "gamma, on the mean gradient"}}},
                 {false, 0.5, 0.0, 1.0, 1.0});
    AddPrivate(registry,
               "const-d2p",
               "gradient push with constant clip bound and noise",
               std::string(DYN_D2P) + ", Algorithm 5",
               {true, 1.0, 2.0, 1.0, 1.0});
    AddPrivate(registry,
               "dyn-c-d2p",
               "gradient push; clip bound falls, noise multiplier constant",
               std::string(DYN_D2P) + ", Algorithm 3",
               {true, 1.0, 2.0, 3.0, 1.0});
    AddPrivate(registry,
               "dyn-mu-d2p",
               "gradient push; clip bound constant, noise multiplier falls",
               std::string(DYN_D2P) + ", Algorithm 4",
               {true, 1.0, 2.0, 1.0, 2.0});
    for (const char* name : {"dyn-d2p-general",
                             "overlap-sgp",
                             "d-psgd",
                             "const-ada",
                             "clip-d2p",
                             "ada-d2p",
                             "dpps",
                             "partpsp-1",
                             "partpsp-2",
                             "sgpdp",
                             "pedfl",
                             "adp-vrsgp",
                             "a-dp2-sgd",
                             "mapa",
                             "ppsgd",
                             "dfedsam",
                             "fed-cdp",
                             "fed-dpa",
                             "fed-an"})
    {
        registry.Reserve({name, "not available yet", "", {}});
    }
    return registry;
}

} // namespace

const Registry<AlgorithmPreset>&
Algorithms()
{
    static const Registry<AlgorithmPreset> registry = MakeAlgorithms();
    return registry;
}

} // namespace dpdl
