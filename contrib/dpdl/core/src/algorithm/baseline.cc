// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"

namespace dpdl
{

AlgorithmPreset
BaselinePreset(double stepSize, double clip)
{
    AlgorithmPreset preset;
    preset.isPrivate = true;
    preset.stepSize = stepSize;
    preset.clip = clip;
    preset.claim = MakeNoClaim("its paper's claim was made for another system, one with a server "
                               "or without rounds");
    return preset;
}

AlgorithmPreset
WholeUpdatePreset(double stepSize, double clip)
{
    AlgorithmPreset preset = BaselinePreset(stepSize, clip);
    preset.flags = ReleaseFlag::BATCH_CLIP;
    preset.isAmplified = false;
    return preset;
}

} // namespace dpdl
