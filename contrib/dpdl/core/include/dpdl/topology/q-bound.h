// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_Q_BOUND_H
#define DPDL_TOPOLOGY_Q_BOUND_H

#include "dpdl/topology/graph-sequence.h"

namespace dpdl
{

/**
 * @brief Upper bound on the contraction factor q of a topology, as the paper of Dyn-D2P proves it.
 *
 * Dyn-D2P, lemma 2 (after lemma 3 of Assran et al. 2019): with h = Delta B rounds, a product of h
 * mixing matrices has no entry below e^h, so push-sum's distance from its mean after k rounds falls
 * like q^k with
 *
 *     lambda = 1 - n e^h        q = lambda^(1 / (h + 1)).
 *
 * n e^h is at most 1, because the columns of the product sum to 1. The bound is very loose: for 20
 * nodes, 1 - q is 2e-6 on the ring and 9e-7 on the exponential graph, although the exponential
 * graph mixes far faster. ContractionTracker measures the actual contraction.
 */
struct TopologyBound
{
    /// B: smallest number of rounds for which the union of the edges of any B consecutive rounds is
    /// strongly connected; 0: there is no such number.
    unsigned windowB{0};
    /// Delta: largest diameter of the unions of the edges of rounds l B .. (l + 1) B - 1, l = 0, 1,
    /// ...; 0 if there is no B.
    unsigned diameter{0};
    double minimumWeight{1.0}; ///< e: the smallest weight of a sent or kept share, in (0, 1]
    /// 1 - q in [0, 1], with full relative precision; 0 if 1 - q is below 1e-308. Use this value
    /// instead of `q`, which rounds to 1 if 1 - q is below 1e-16.
    double oneMinusQ{0.0};
    double logOneMinusQ{0.0};      ///< natural logarithm of 1 - q; -infinity if there is no B
    double q{1.0};                 ///< bound on the contraction factor, in [0, 1]
    bool stronglyConnected{false}; ///< true: B exists; false: B does not exist, and oneMinusQ is 0
};

/**
 * @brief Computes the bound of a periodic sequence.
 *
 * For more than 1000 nodes, the function computes only B and e. If B exists, `diameter` is then 0,
 * and `q`, `oneMinusQ` and `logOneMinusQ` are NaN.
 *
 * The cost is about 2 P searches for strong components, with the period P, and n breadth-first
 * searches for each different union.
 *
 * @param sequence a periodic sequence. For an aperiodic sequence (period 0) the result has
 *        stronglyConnected = false
 * @return B, Delta, e and q
 */
TopologyBound ComputeTopologyBound(const GraphSequence& sequence);

/**
 * @brief Computes the bound from rounds first .. first + length - 1 of a sequence.
 *
 * B is the smallest number such that the union of the edges of any B consecutive of these rounds is
 * strongly connected. Delta is the largest diameter of the unions of B rounds that begin at first +
 * l B, l = 0, 1, .... e is the smallest weight in these rounds. The bound holds for the whole
 * sequence only if its other rounds have the same B, Delta and e.
 *
 * @param sequence any sequence
 * @param first first round of the window
 * @param length number of rounds, at least 1
 * @return B, Delta, e and q; B = 0 if the union of these rounds is not strongly connected
 */
TopologyBound ComputeWindowBound(const GraphSequence& sequence, Round first, Round length);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_Q_BOUND_H
