// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "softmax-loss.h"

#include <algorithm>
#include <cmath>

namespace dpdl
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

std::size_t
BestClass(const float* scores, std::size_t classes)
{
    return static_cast<std::size_t>(std::max_element(scores, scores + classes) - scores);
}

} // namespace dpdl
