// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "example-loss.h"

#include "dpdl/training/gradient-engine.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

double
SoftmaxLoss(const float* scores, std::size_t classes, std::size_t label, float* gradient)
{
    const double largest = *std::max_element(scores, scores + classes);
    double sum = 0.0;
    for (std::size_t c = 0; c < classes; ++c)
    {
        sum += std::exp(scores[c] - largest);
    }
    const double logSum = largest + std::log(sum);
    for (std::size_t c = 0; c < classes && gradient != nullptr; ++c)
    {
        const double probability = std::exp(scores[c] - logSum);
        gradient[c] = static_cast<float>(probability - (c == label ? 1.0 : 0.0));
    }
    return logSum - scores[label];
}

double
SquaredLoss(float score, double target, float* gradient)
{
    const double error = static_cast<double>(score) - target;
    if (gradient != nullptr)
    {
        *gradient = static_cast<float>(error);
    }
    return error * error / 2.0;
}

} // namespace

double
ExampleLoss(const LossAim& aim, const float* scores, float* gradient)
{
    return aim.loss == Loss::SQUARED_ERROR ? SquaredLoss(*scores, TargetOf(aim.label), gradient)
                                           : SoftmaxLoss(scores, aim.scores, aim.label, gradient);
}

bool
IsRight(const LossAim& aim, const float* scores)
{
    if (aim.loss == Loss::SQUARED_ERROR)
    {
        return std::abs(static_cast<double>(*scores) - TargetOf(aim.label)) <= TARGET_TOLERANCE;
    }
    return std::max_element(scores, scores + aim.scores) - scores == aim.label;
}

} // namespace dpdl
