// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

#include <cmath>
#include <cstdint>

namespace dpdl
{

void
AddMapa(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"mapa",
         "gradient push in stages; step size, clip bound and noise halve from stage to stage",
         "Li, Yang, Ren, Shi and Zhao, TPAMI 2024 (arXiv:1912.07902); re-implementation",
         {{"evidence",
           "",
           "abstract and recollection; halving, equal stages and gossip in place of the server "
           "are choices"}}},
        {{{{"stages", 4.0, 1.0, 30.0, "M, stages of equal length", true}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(1.0, 2.0);
             preset.schedule =
                 [stages = hyper.Whole("stages")](RoundShape& shape, Round round, Round rounds) {
                     // Each stage has half the step size and half the clip norm of the previous
                     // stage.
                     const std::uint64_t stage = std::uint64_t{round} * stages / rounds;
                     const double scale = std::ldexp(1.0, -static_cast<int>(stage));
                     shape.stepSize *= scale;
                     shape.clip *= scale;
                     shape.unit = shape.clip;
                 };
             return preset;
         }});
}

} // namespace dpdl
