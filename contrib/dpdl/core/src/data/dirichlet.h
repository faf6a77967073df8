// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_DIRICHLET_H
#define DPDL_DATA_DIRICHLET_H

#include "dpdl/base/random.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/**
 * @brief Draws from the symmetric Dirichlet distribution: proportions that add up to 1.
 *
 * Gamma variates divided by their sum (Marsaglia and Tsang, ACM TOMS 2000), by their logarithms, so
 * that no concentration is too small.
 * @param stream whose numbers are used
 * @param concentration above 0; large: all proportions alike
 * @param count how many proportions, at least 1
 */
std::vector<double> DrawDirichlet(const RandomStream& stream,
                                  double concentration,
                                  std::size_t count);

} // namespace dpdl

#endif // DPDL_DATA_DIRICHLET_H
