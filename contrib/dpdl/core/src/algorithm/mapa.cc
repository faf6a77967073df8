// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

#include <cmath>
#include <cstdint>

namespace dpdl
{

namespace
{

/// Stages of equal length; step size and clip bound are halved at the start of each later stage.
class StageSchedule : public RoundSchedule
{
  public:
    explicit StageSchedule(std::uint32_t stages)
        : m_stages(stages)
    {
    }

    RoundShape At(const AlgorithmPreset& preset, Round round, Round rounds) const override
    {
        const std::uint64_t stage = std::uint64_t{round} * m_stages / rounds;
        const double scale = std::ldexp(1.0, -static_cast<int>(stage));
        RoundShape shape;
        shape.stepSize = preset.stepSize * scale;
        shape.clip = preset.clip * scale;
        shape.unit = shape.clip;
        return shape;
    }

  private:
    std::uint32_t m_stages; ///< M
};

} // namespace

void
AddMapa(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"mapa",
         "gradient push in stages; step size, clip bound and noise halve from stage to stage",
         "Li, Yang, Ren, Shi and Zhao, TPAMI 2024 (arXiv:1912.07902); re-implementation",
         "",
         "",
         {{"evidence",
           "",
           "abstract and recollection; halving, equal stages and gossip in place of the server "
           "are choices"}}},
        {{{{"stages", 4.0, 1.0, 30.0, "M, stages of equal length", true}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(1.0, 2.0);
             preset.schedule = std::make_shared<StageSchedule>(hyper.Whole("stages"));
             return preset;
         }});
}

} // namespace dpdl
