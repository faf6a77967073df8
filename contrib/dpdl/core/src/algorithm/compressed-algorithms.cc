// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

namespace dpdl
{

void
AddCompressed(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"dp-csgp",
         "gradient push whose messages are compressed differences to the ones before",
         "DP-CSGP, arXiv:2512.13583, with noise per clipped example",
         "",
         "",
         {{"compress", "quantize:8", "unless the option says otherwise"}}},
        {{{{"mixingRate",
            0.0,
            0.0,
            1.0,
            "rho: mixes by (1 - rho) I + rho P; 0: 1, or what a sparse compressor needs"}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(1.0, 1.0, NOT_REPRODUCED);
             preset.compress = "quantize:8";
             preset.sendsDifferences = true;
             preset.mixingRate = hyper["mixingRate"];
             return preset;
         }});
}

} // namespace dpdl
