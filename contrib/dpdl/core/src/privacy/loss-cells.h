// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LOSS_CELLS_H
#define DPDL_PRIVACY_LOSS_CELLS_H

#include <cstdint>
#include <vector>

namespace dpdl
{

/// In which direction neighbouring datasets differ.
enum class LossDirection
{
    REMOVE, ///< the mechanism saw the example, the reference did not
    ADD,    ///< the other way round
};

/// A discrete privacy loss: mass[j] at loss (first + j) * h, the rest at infinity.
struct LossCells
{
    std::int64_t first{0};    ///< grid index of the first mass
    std::vector<double> mass; ///< probabilities under the mechanism
    double infinite{0.0};     ///< probability of an infinite loss
};

/**
 * @brief A discrete loss that dominates the one of a Poisson-sampled Gaussian step.
 *
 * Each cell's mass is split between its two ends such that the masses of both distributions are
 * kept: the privacy curve is interpolated from above and the error is of order h^2 (Doroshenko et
 * al. 2022, "connect the dots").
 * @param rate sampling probability in (0, 1]
 * @param mu sensitivity / noise, > 0
 * @param h width of the cells
 * @param direction which of the two distributions is the mechanism's
 */
LossCells ConnectTheDots(double rate, double mu, double h, LossDirection direction);

} // namespace dpdl

#endif // DPDL_PRIVACY_LOSS_CELLS_H
