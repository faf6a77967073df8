// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_LOSS_OF_SCORES_H
#define DPDL_TRAINING_CUDA_LOSS_OF_SCORES_H

#include "host-device.h"

#include <cmath>
#include <cstddef>

namespace dpdl
{
namespace cuda
{

/**
 * @brief Cross-entropy of one example: -log of the label's softmax probability.
 * @param scores [classes] logits
 * @param classes number of classes, above 0
 * @param label correct class
 * @param[out] gradient [classes] derivative with respect to the logits; may be null
 * @return the cross-entropy in nats; NaN if a logit is NaN
 */
DPDL_HOST_DEVICE inline double
SoftmaxLoss(const float* scores, std::size_t classes, std::size_t label, float* gradient)
{
    float largest = scores[0];
    for (std::size_t c = 1; c < classes; ++c)
    {
        largest = largest < scores[c] ? scores[c] : largest;
    }
    // With at most FEW classes, the exponentials are stored and used again for the gradient.
    constexpr std::size_t FEW = 16;
    double powers[FEW];
    double sum = 0.0;
    for (std::size_t c = 0; c < classes; ++c)
    {
        const double power = exp(static_cast<double>(scores[c]) - static_cast<double>(largest));
        powers[c % FEW] = power;
        sum += power;
    }
    const double logSum = static_cast<double>(largest) + log(sum);
    for (std::size_t c = 0; c < classes && gradient != nullptr; ++c)
    {
        const double probability =
            classes <= FEW ? powers[c] / sum : exp(static_cast<double>(scores[c]) - logSum);
        gradient[c] = static_cast<float>(probability - (c == label ? 1.0 : 0.0));
    }
    return logSum - static_cast<double>(scores[label]);
}

/**
 * @brief Squared error of one example: (score - target)^2 / 2.
 * @param score output for the example
 * @param target value of the example
 * @param[out] gradient derivative with respect to the output, one value; may be null
 * @return half the squared error
 */
DPDL_HOST_DEVICE inline double
SquaredLoss(float score, double target, float* gradient)
{
    const double error = static_cast<double>(score) - target;
    if (gradient != nullptr)
    {
        *gradient = static_cast<float>(error);
    }
    return error * error / 2.0;
}

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_LOSS_OF_SCORES_H
