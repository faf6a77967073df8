// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/round-schedule.h"

#include "dpdl/algorithm/algorithm-preset.h"

#include <cmath>

namespace dpdl
{

RoundShape
GeometricSchedule::At(const AlgorithmPreset& preset, Round round, Round rounds) const
{
    RoundShape shape;
    shape.stepSize = preset.stepSize;
    if (preset.isPrivate)
    {
        const double progress = round / static_cast<double>(rounds);
        shape.clip = preset.clip * std::pow(preset.clipDecay, -progress);
        shape.unit = shape.clip;
        shape.strength = std::pow(preset.muGrowth, progress);
    }
    return shape;
}

} // namespace dpdl
