// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_WINDOW_MATRIX_H
#define DPDL_TOPOLOGY_WINDOW_MATRIX_H

#include "round-mixing.h"

#include <memory>
#include <vector>

namespace dpdl
{

/// R of a window, row-major: z of the nodes at its end from z of all carriers at its start.
struct WindowMatrix
{
    /**
     * @param nodes number of nodes
     * @param rounds the window's rounds, at least one
     */
    WindowMatrix(std::size_t nodes, const std::vector<std::shared_ptr<const RoundMixing>>& rounds);

    const double* Row(std::size_t row) const
    {
        return values.data() + row * columns;
    }

    std::size_t rows;           ///< nodes
    std::size_t columns;        ///< nodes, then one for each share sent before the window
    std::vector<double> values; ///< rows * columns
};

/// Dobrushin's coefficient 1/2 max_ij sum_c |R_ic - R_jc|, in [0, 1].
double DobrushinCoefficient(const WindowMatrix& matrix);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WINDOW_MATRIX_H
