// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"
#include "file-schedule.h"

namespace dpdl
{

void
AddDynD2pGeneral(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"dyn-d2p-general",
                  "gradient push; clip bound and noise by a table, option scheduleFile",
                  "Zhu et al., IJCAI 2025 (arXiv:2505.06651), Algorithm 2",
                  "common factor of the noise from a rigorous accountant at rate B/J",
                  "the factor from the GDP limit theorem at p = 1/J, plain step",
                  {{"scheduleFile", "", "round,clip,noise; without it both are constant"},
                   {"equation 10",
                    "",
                    "not used: it needs mu_k <= 1.12, and prescribes too little "
                    "noise by factors beyond"}}},
                 {{}, [](const HyperParameters&) {
                      AlgorithmPreset preset;
                      preset.isPrivate = true;
                      preset.stepSize = 1.0;
                      preset.clip = 2.0;
                      preset.readSchedule = [](const std::string& path) {
                          return std::make_shared<FileSchedule>(path);
                      };
                      return preset;
                  }});
}

} // namespace dpdl
