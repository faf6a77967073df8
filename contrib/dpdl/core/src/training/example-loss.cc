// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "example-loss.h"

#include "cuda/loss-of-scores.h"
#include "dpdl/training/gradient-engine.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

double
ExampleLoss(const LossAim& aim, const float* logits, float* gradient)
{
    return aim.loss == Loss::SQUARED_ERROR ? cuda::SquaredLoss(*logits, aim.label, gradient)
                                           : cuda::SoftmaxLoss(logits,
                                                               aim.logits,
                                                               static_cast<std::size_t>(aim.label),
                                                               gradient);
}

bool
IsRight(const LossAim& aim, const float* logits)
{
    if (aim.loss == Loss::SQUARED_ERROR)
    {
        return std::abs(static_cast<double>(*logits) - aim.label) <= TARGET_TOLERANCE;
    }
    const auto right = static_cast<std::ptrdiff_t>(aim.label);
    return std::max_element(logits, logits + aim.logits) - logits == right;
}

} // namespace dpdl
