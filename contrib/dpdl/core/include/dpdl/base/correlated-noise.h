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

/// Weight of a shared stream of normals in the noise of one node.
struct SharedNoise
{
    std::uint32_t stream; ///< stream number, from 0
    double weight;        ///< factor on the stream's normals
};

/// The noise of one node in one round, for a standard deviation of 1.
struct NodeNoise
{
    double own{1.0};                   ///< weight of the normals that only this node has
    std::vector<SharedNoise> shared{}; ///< weights of shared streams
};

/**
 * @brief Linear combination of normals that forms the noise of a run, over nodes and rounds.
 *
 * Let xi_i^t be the weighted sum of normals (independent and shared) in the row of node i in round
 * t. The noise of a release is
 *
 *     deviation * strength_t * sum over l of lags_l xi_i^(t - l)
 *
 * The deviation is that of the plan: the certificate states it for the release; it is not the
 * deviation of a single value.
 */
struct NoiseMix
{
    /// Noise of each node; empty: all nodes have independent normals.
    std::vector<NodeNoise> nodes{};
    std::vector<double> lags{1.0};  ///< weight of the normals of l rounds ago, by l
    std::vector<double> strength{}; ///< factor on the noise of each round; empty: 1
    std::string statement{};        ///< one line for the trace that describes the correlation
    /// Implements NoiseSource::Exposure(); empty: Exposure() returns no values.
    std::function<std::vector<double>(const std::vector<bool>& released,
                                      const std::vector<NodeId>& leaked)>
        exposure{};
    /// Values for the summary of a trace, by name.
    std::vector<std::pair<std::string, double>> figures{};
};

/**
 * @brief Makes a source of noise that is correlated over nodes or rounds.
 *
 * The normals are those of `philox`: independent ones have the purpose NOISE, shared ones the
 * purpose SHARED_NOISE and the stream number as node. If the mix shares nothing, the noise is
 * bit-identical to that of `philox`. The cost of a release is that of `philox` times lags times
 * streams. Nothing is stored between rounds.
 *
 * @param mix linear combination
 * @param seed of the run
 */
std::shared_ptr<const NoiseSource> MakeCorrelatedNoise(NoiseMix mix, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_CORRELATED_NOISE_H
