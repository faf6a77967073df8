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

/// Weight of a stream of standard normals in the noise of one node. Several nodes share the stream.
struct SharedNoise
{
    std::uint32_t stream; ///< index of the stream, from 0
    double weight;        ///< factor on the stream's normals
};

/// Weights of the standard normals in a node's noise in one round, for a release whose planned
/// standard deviation is 1.
struct NodeNoise
{
    double own{1.0}; ///< weight of the normals that only this node uses
    /// Streams that this node shares with other nodes, and their weights.
    std::vector<SharedNoise> shared{};
};

/**
 * @brief Linear combination of normals that forms the noise of a run, over nodes and rounds.
 *
 * Let xi_i^t be the sum of the independent and shared standard normals of round t with the weights
 * of node i (`nodes`). The noise of the release of node i in round t is
 *
 *     deviation * strength_t * sum over l of lags_l xi_i^(t - l)
 *
 * `deviation` is the planned standard deviation, which the certified epsilon assumes for the
 * release. The true standard deviation of a noise value may differ.
 */
struct NoiseMix
{
    /// Weights by node; empty: every node has independent normals with weight 1.
    std::vector<NodeNoise> nodes{};
    std::vector<double> lags{1.0}; ///< lags[l]: weight of the normals of l rounds earlier
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
 * The noise source `philox` draws the normals. Independent normals have RandomPurpose::NOISE.
 * Shared normals have RandomPurpose::SHARED_NOISE and the stream index as node. If the mix shares
 * nothing, the noise is bit-identical to that of `philox`. The time per release is that of
 * `philox`, times the number of lags, times the number of streams of the node. Normals of earlier
 * rounds are generated again, not stored.
 *
 * @param mix linear combination
 * @param seed seed of the run
 */
std::shared_ptr<const NoiseSource> MakeCorrelatedNoise(NoiseMix mix, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_CORRELATED_NOISE_H
