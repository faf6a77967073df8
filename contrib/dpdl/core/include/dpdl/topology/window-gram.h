// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_WINDOW_GRAM_H
#define DPDL_TOPOLOGY_WINDOW_GRAM_H

#include "dpdl/topology/graph-sequence.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Mean Gram matrix of the mixing products of one period, plus 0.01 I to make it positive
 *        definite. The mean is over l = 1 .. period of (P_l .. P_1)' (P_l .. P_1), where P_k is the
 *        mixing matrix of round k - 1. The matrix weights the nodes' noise by its effect on the
 *        models.
 * @param sequence a topology with a period above 0
 * @return symmetric positive definite, [n, n]
 */
std::vector<double> WindowGram(const GraphSequence& sequence);

/**
 * @brief Impulse response of mixing: the nodes' push-sum numerators x after 1, 2, ... rounds if x
 *        is 1 at the starting node and 0 at all other nodes.
 *
 * The response is computed for min(n, 4) evenly spaced starting nodes. Starting node number i
 * starts in round i.
 * @param sequence a topology with a period above 0
 * @param rounds number of rounds
 * @return [rounds, starting nodes * n] numerators of all nodes, for one starting node after another
 */
std::vector<std::vector<double>> NoiseResponse(const GraphSequence& sequence, Round rounds);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WINDOW_GRAM_H
