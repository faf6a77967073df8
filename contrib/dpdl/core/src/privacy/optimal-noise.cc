// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/symmetric-matrix.h"

#include <cmath>
#include <cstdint>

namespace dpdl
{

namespace
{

/// A point of the dual problem. A diagonal matrix D determines the precision matrix Sigma^-1 and a
/// lower bound on the optimal value of tr(H Sigma).
struct DualPoint
{
    /// H^1/2 (H^1/2 D H^1/2)^-1/2 H^1/2. OptimalNoise() scales it such that all its diagonal
    /// elements are 1, the largest value that the constraints allow. The scaled matrix is Sigma^-1.
    SymmetricMatrix precision;
    /// Lower bound of the smallest tr(H Sigma): 2 tr((H^1/2 D H^1/2)^1/2) - tr(D).
    double bound;
};

DualPoint
At(const SymmetricMatrix& root, const std::vector<double>& weights)
{
    SymmetricMatrix diagonal(root.Size());
    double total = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        diagonal.Add(i, i, weights[i]);
        total += weights[i];
    }
    const SymmetricMatrix inner = root.Around(diagonal);
    double trace = 0.0;
    for (const double value : inner.Eigenvalues())
    {
        trace += std::sqrt(value);
    }
    return {root.Around(inner.Map([](double value) { return 1.0 / std::sqrt(value); })),
            2.0 * trace - total};
}

/// Converts the rows of a lower triangular root of Sigma to the noise of each node. Row i has the
/// weights of the noise streams in node i's noise.
std::vector<NodeNoise>
RowsOf(const SymmetricMatrix& root)
{
    std::vector<NodeNoise> rows(root.Size(), NodeNoise{0.0, {}});
    for (std::size_t row = 0; row < root.Size(); ++row)
    {
        for (std::uint32_t stream = 0; stream <= row; ++stream)
        {
            rows[row].shared.push_back({stream, root.At(row, stream)});
        }
    }
    return rows;
}

} // namespace

std::vector<NodeNoise>
OptimalNoise(const std::vector<double>& gram, std::size_t nodes)
{
    SymmetricMatrix target(nodes);
    for (std::size_t row = 0; row < nodes; ++row)
    {
        for (std::size_t column = 0; column <= row; ++column)
        {
            target.Add(row, column, gram[row * nodes + column]);
        }
    }
    const SymmetricMatrix root = target.Map([](double value) { return std::sqrt(value); });
    std::vector<double> weights(nodes, 1.0);
    constexpr int MOST_STEPS = 100'000;
    constexpr double GAP = 1e-10;
    for (int step = 0; step < MOST_STEPS; ++step)
    {
        const DualPoint point = At(root, weights);
        // With all diagonal elements scaled to 1, the matrix satisfies the constraints
        // (Sigma^-1)_ii <= 1. So its value of tr(H Sigma) is an upper bound of the smallest value.
        SymmetricMatrix allowed(nodes);
        for (std::size_t row = 0; row < nodes; ++row)
        {
            for (std::size_t column = 0; column <= row; ++column)
            {
                allowed.Add(row,
                            column,
                            point.precision.At(row, column) /
                                std::sqrt(point.precision.At(row, row) *
                                          point.precision.At(column, column)));
            }
        }
        const SymmetricMatrix covariance = allowed.Inverse();
        double value = 0.0;
        for (std::size_t row = 0; row < nodes; ++row)
        {
            for (std::size_t column = 0; column < nodes; ++column)
            {
                value += target.At(row, column) * covariance.At(row, column);
            }
        }
        if (value - point.bound <= GAP * value)
        {
            return RowsOf(covariance.Root());
        }
        for (std::size_t i = 0; i < nodes; ++i)
        {
            // Sigma^-1 is proportional to the inverse square root of the weights, so this update
            // brings its diagonal closer to 1.
            weights[i] *= point.precision.At(i, i) * point.precision.At(i, i);
        }
    }
    throw Error("the best covariance over nodes did not converge");
}

} // namespace dpdl
