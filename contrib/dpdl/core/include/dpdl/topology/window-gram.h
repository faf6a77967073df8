// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_WINDOW_GRAM_H
#define DPDL_TOPOLOGY_WINDOW_GRAM_H

#include "dpdl/topology/graph-sequence.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Gram matrix of the nodes' noise in the models over one period of a topology: the mean over
 *        l = 1 .. period of (P_l .. P_1)' (P_l .. P_1), plus 0.01 I, which makes it definite.
 * @param sequence with a period above 0
 * @return symmetric positive definite, [n n]
 */
std::vector<double> WindowGram(const GraphSequence& sequence);

/**
 * @brief Response of the nodes' sums x to noise of one node, drawn once, after 1, 2, ... rounds.
 *
 * Of at most four nodes, evenly spaced; each begins in another round.
 * @param sequence with a period above 0
 * @param rounds number of rounds
 * @return by round; the sums of all nodes, for one of the four after the other
 */
std::vector<std::vector<double>> NoiseResponse(const GraphSequence& sequence, Round rounds);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WINDOW_GRAM_H
