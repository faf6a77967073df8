// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/local-step.h"

#include "kernels.h"

namespace dpdl
{

void
AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state)
{
    const auto factor = [&update](double stepSize) {
        return static_cast<float>(-stepSize / update.divisor);
    };
    if (update.chunkSteps.empty())
    {
        AddScaled(state.Data(), gradient, factor(update.stepSize), state.Size());
    }
    for (std::size_t chunk = 0; chunk < update.chunkSteps.size(); ++chunk)
    {
        const std::size_t begin = update.chunks.Begin(chunk);
        AddScaled(state.Data() + begin,
                  gradient + begin,
                  factor(update.chunkSteps[chunk]),
                  update.chunks.Size(chunk));
    }
}

} // namespace dpdl
