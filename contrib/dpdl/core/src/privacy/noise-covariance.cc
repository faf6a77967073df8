// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/noise-covariance.h"

#include <cstdint>
#include <map>
#include <set>

namespace dpdl
{

namespace
{

/// Nodes of @p seen that use a noise stream; key: noise stream that no colluder knows. A node is a
/// pair of its index in @p seen and the weight of the stream in its noise.
std::map<std::uint32_t, std::vector<std::pair<std::size_t, double>>>
SecretStreams(const std::vector<NodeNoise>& noise,
              const std::vector<NodeId>& colluders,
              const std::vector<NodeId>& seen)
{
    std::set<std::uint32_t> known;
    for (const NodeId node : colluders)
    {
        for (const SharedNoise& shared : noise.at(node).shared)
        {
            known.insert(shared.stream);
        }
    }
    std::map<std::uint32_t, std::vector<std::pair<std::size_t, double>>> streams;
    for (std::size_t row = 0; row < seen.size(); ++row)
    {
        for (const SharedNoise& shared : noise[seen[row]].shared)
        {
            if (known.count(shared.stream) == 0)
            {
                streams[shared.stream].emplace_back(row, shared.weight);
            }
        }
    }
    return streams;
}

} // namespace

std::vector<NodeNoise>
PairNoise(std::size_t nodes, const std::vector<SecretPair>& pairs, double own, double pair)
{
    std::vector<NodeNoise> noise(nodes, NodeNoise{own, {}});
    for (std::uint32_t stream = 0; stream < pairs.size(); ++stream)
    {
        noise.at(pairs[stream].first).shared.push_back({stream, pair});
        noise.at(pairs[stream].second).shared.push_back({stream, -pair});
    }
    return noise;
}

SymmetricMatrix
SeenCovariance(const std::vector<NodeNoise>& noise,
               const std::vector<NodeId>& colluders,
               const std::vector<NodeId>& seen)
{
    SymmetricMatrix covariance(seen.size());
    for (std::size_t row = 0; row < seen.size(); ++row)
    {
        covariance.Add(row, row, noise[seen[row]].own * noise[seen[row]].own);
    }
    for (const auto& [stream, terms] : SecretStreams(noise, colluders, seen))
    {
        for (std::size_t a = 0; a < terms.size(); ++a)
        {
            for (std::size_t b = 0; b <= a; ++b)
            {
                covariance.Add(terms[a].first, terms[b].first, terms[a].second * terms[b].second);
            }
        }
    }
    return covariance;
}

} // namespace dpdl
