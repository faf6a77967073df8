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

/// Weight, in the noise of one node, of a stream of normals that several nodes share.
struct SharedNoise
{
    std::uint32_t stream; ///< stream number, from 0
    double weight;        ///< factor on the stream's normals
};

/// Weights of a node's noise in one round. They refer to a release whose planned standard deviation
/// is 1.
struct NodeNoise
{
    double own{1.0}; ///< weight of the normals that this node shares with no other node
    std::vector<SharedNoise> shared{}; ///< weights of shared streams
};

/**
 * @brief Linear combination of normals that forms the noise of a run, over nodes and rounds.
 *
 * Let xi_i^t be the sum of the independent and shared standard normals of round t with the weights
 * of node i (`nodes`). The noise of the release of node i in round t is
 *
 *     deviation * strength_t * sum over l of lags_l xi_i^(t - l)
 *
 * `deviation` is the standard deviation in the plan, which the certificate uses for the release.
 * The standard deviation of a single noise value may differ from it.
 */
struct NoiseMix
{
    /// Weights of each node; empty: all nodes have independent normals of weight 1.
    std::vector<NodeNoise> nodes{};
    std::vector<double> lags{1.0};  ///< lags[l]: weight of the normals of l rounds ago
    std::vector<double> strength{}; ///< factor on the noise of each round; empty: 1
    std::string statement{};        ///< one line for the trace that describes the correlation
    /// Implements NoiseSource::Exposure(); empty: Exposure() returns no values.
    std::function<std::vector<double>(const std::vector<bool>& released,
                                      const std::vector<NodeId>& leaked)>
        exposure{};
    /// Values for the summary of a trace: item and value.
    std::vector<std::pair<std::string, double>> figures{};
};

/**
 * @brief Makes a source of noise that is correlated over nodes or rounds.
 *
 * The normals are those of `philox`: independent ones have the purpose NOISE, shared ones the
 * purpose SHARED_NOISE and the stream number as node. If the mix shares nothing, the noise is
 * bit-identical to that of `philox`. The time for a release is that of `philox`, times the number
 * of lags, times the number of streams of the node. Nothing is stored between rounds: normals of
 * earlier rounds are generated again.
 *
 * @param mix linear combination
 * @param seed of the run
 */
std::shared_ptr<const NoiseSource> MakeCorrelatedNoise(NoiseMix mix, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_CORRELATED_NOISE_H
