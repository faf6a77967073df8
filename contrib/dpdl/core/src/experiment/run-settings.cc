// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-settings.h"

namespace dpdl
{

std::string
TraceName(const std::string& name, RandomSeed seed)
{
    return name + "-" + std::to_string(seed.seed) + "-" + std::to_string(seed.run) + ".db";
}

StepScale
StepScaleInForce(const RunSettings& settings)
{
    if (settings.stepScale.has_value())
    {
        return *settings.stepScale;
    }
    return settings.mode == Mode::PAPER ? StepScale::PLAIN : StepScale::BY_WEIGHT;
}

} // namespace dpdl
