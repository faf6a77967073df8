// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_CORRELATED_NOISE_H
#define DPDL_BASE_CORRELATED_NOISE_H

#include "dpdl/base/noise-source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Weight, in the noise of one node, of a stream of standard normal variables that several nodes
/// share.
struct SharedNoise
{
    std::uint32_t stream; ///< index of the stream, from 0
    double weight;        ///< factor on the stream's variables
};

/// Weights of the standard normal variables whose weighted sum is a node's noise in one round, for
/// a release whose planned standard deviation is 1.
struct NodeNoise
{
    double own{1.0}; ///< weight of the variables that only this node uses
    /// Streams that this node shares with other nodes, and their weights.
    std::vector<SharedNoise> shared{};
};

/**
 * @brief Linear combination of standard normal variables, over nodes and rounds, that is the noise
 *        of a run.
 *
 * Let xi_i^t be the sum of the independent and shared standard normal variables of round t,
 * weighted with the weights of node i in `nodes`. The noise of the release of node i in round t is
 *
 *     deviation * strength_t * sum over l of lags_l xi_i^(t - l)
 *
 * where l runs from 0 to the smaller of t and the last index of `lags`. `deviation` is the planned
 * standard deviation, which the certified epsilon assumes for the release. The true standard
 * deviation of a noise value may differ.
 */
struct NoiseMix
{
    /// Weights by node; empty: every node has independent noise with weight 1.
    std::vector<NodeNoise> nodes{};
    std::vector<double> lags{1.0}; ///< lags[l]: weight of xi of l rounds earlier
    /// Factor on the noise standard deviation, by round; empty: 1 in all rounds.
    std::vector<double> strength{};
    std::string statement{}; ///< one line for the trace: description of the correlation
    /// Implements NoiseSource::Exposure(); empty: Exposure() returns no values.
    std::function<std::vector<double>(const std::vector<bool>& released,
                                      const std::vector<NodeId>& leaked)>
        exposure{};
    /// Values for the trace's view `summary`: pairs of item name and value.
    std::vector<std::pair<std::string, double>> figures{};
};

/**
 * @brief Makes a source of noise that is correlated over nodes or rounds.
 *
 * RandomStream generates the standard normal variables, as for noise source `philox`. Independent
 * variables have RandomPurpose::NOISE. Shared variables have RandomPurpose::SHARED_NOISE and the
 * stream index as node. The noise of a default-constructed NoiseMix is bit-identical to that of
 * `philox`. The time per release is that of `philox`, times the number of lags, times the number of
 * streams of the node. Variables of earlier rounds are generated again, not stored.
 *
 * @param mix linear combination
 * @param seed seed of the run
 */
std::shared_ptr<const NoiseSource> MakeCorrelatedNoise(NoiseMix mix, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_CORRELATED_NOISE_H
