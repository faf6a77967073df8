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
 *        l = 1 .. period of (P_l .. P_1)' (P_l .. P_1), plus 0.01 I to make it positive definite.
 * @param sequence with a period above 0
 * @return symmetric positive definite, [n n]
 */
std::vector<double> WindowGram(const GraphSequence& sequence);

/**
 * @brief Impulse response: the nodes' sums x after 1, 2, ... rounds to one draw of one node's
 * noise.
 *
 * For at most four nodes, evenly spaced, each starting in a different round.
 * @param sequence with a period above 0
 * @param rounds number of rounds
 * @return by round: the sums of all nodes, concatenated for the source nodes
 */
std::vector<std::vector<double>> NoiseResponse(const GraphSequence& sequence, Round rounds);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WINDOW_GRAM_H
