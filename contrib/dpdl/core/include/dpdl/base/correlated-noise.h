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

/// How much of a stream of normals that several nodes share is in the noise of one of them.
struct SharedNoise
{
    std::uint32_t stream; ///< its number, from 0
    double weight;        ///< what its normals are multiplied with
};

/// The noise of one node in one round, for a deviation of 1.
struct NodeNoise
{
    double own{1.0};                   ///< weight of the normals that no other node has
    std::vector<SharedNoise> shared{}; ///< the others
};

/**
 * @brief Which normals make up the noise of a run, over nodes and over rounds.
 *
 * With xi_i^t the normals of the row of node i in round t (own and shared, multiplied with their
 * weights and added up), the noise of a release is
 *
 *     deviation * strength_t * sum over l of lags_l xi_i^(t - l)
 *
 * where the deviation is the plan's: what the certificate says of the release, not what one of its
 * values has.
 */
struct NoiseMix
{
    std::vector<NodeNoise> nodes{}; ///< by node; empty: every node has normals of its own
    std::vector<double> lags{1.0};  ///< by age in rounds
    std::vector<double> strength{}; ///< by round; empty: 1
    std::string statement{};        ///< one line for the trace: what is correlated
    /// See NoiseSource::Exposure(); empty: nothing but the plan is known.
    std::function<std::vector<double>(const std::vector<bool>& released,
                                      const std::vector<NodeId>& leaked)>
        exposure{};
    /// Figures for the summary of a trace, by name.
    std::vector<std::pair<std::string, double>> figures{};
};

/**
 * @brief Normals that releases of other nodes or rounds also have.
 *
 * The normals are those of `philox`: a node's own have the purpose NOISE, shared ones the purpose
 * SHARED_NOISE and the number of their stream in place of the node. With a mix that shares nothing
 * the noise is that of `philox`, bit for bit. The work of a release is that of `philox` times the
 * number of terms, lags times streams; nothing is stored between rounds.
 *
 * @param mix which normals
 * @param seed of the run
 */
std::shared_ptr<const NoiseSource> MakeCorrelatedNoise(NoiseMix mix, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_BASE_CORRELATED_NOISE_H
