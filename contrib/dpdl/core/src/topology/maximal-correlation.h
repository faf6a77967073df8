// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_MAXIMAL_CORRELATION_H
#define DPDL_TOPOLOGY_MAXIMAL_CORRELATION_H

#include "window-matrix.h"

#include <vector>

namespace dpdl
{

/**
 * @brief sigma of a window: the largest singular value of (I - u u^T) A, see ContractionTracker.
 * @param matrix R
 * @param weights the masses at the window's end, at least one above zero
 * @return sigma in [0, 1]
 */
double MaximalCorrelation(const WindowMatrix& matrix, const std::vector<ScaledDouble>& weights);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_MAXIMAL_CORRELATION_H
