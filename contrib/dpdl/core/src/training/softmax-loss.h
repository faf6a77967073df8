// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_SOFTMAX_LOSS_H
#define DPDL_TRAINING_SOFTMAX_LOSS_H

#include <cstddef>

namespace dpdl
{

/**
 * @brief Cross-entropy of softmax(scores) with a label.
 * @param scores [classes]; NaN and infinities give NaN
 * @param classes number of scores
 * @param label the right class
 * @param[out] gradient [classes] derivative by the scores; may be null
 * @return the loss
 */
double SoftmaxLoss(const float* scores, std::size_t classes, std::size_t label, float* gradient);

/// Index of the largest score, the first one of equals.
std::size_t BestClass(const float* scores, std::size_t classes);

} // namespace dpdl

#endif // DPDL_TRAINING_SOFTMAX_LOSS_H
