// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_PRIVACY_SECRET_GRAPHS_H
#define DPDL_TEST_PRIVACY_SECRET_GRAPHS_H

#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/visible-noise-exposure.h"

#include <algorithm>
#include <set>

namespace dpdl
{

/// Pairs whose distance on a circle is one of the hops.
inline std::vector<SecretPair>
Circulant(NodeId nodes, const NodeSet& hops)
{
    std::set<SecretPair> pairs;
    for (NodeId node = 0; node < nodes; ++node)
    {
        for (const NodeId hop : hops)
        {
            const NodeId other = (node + hop) % nodes;
            pairs.insert({std::min(node, other), std::max(node, other)});
        }
    }
    return {pairs.begin(), pairs.end()};
}

/// (Sigma^-1)_ii by node, with the colluders' streams known and the silent nodes' rows unseen; 0
/// for both.
inline std::vector<double>
Exposure(const std::vector<NodeNoise>& noise, const NodeSet& colluders, const NodeSet& silent = {})
{
    NodeSet gone = colluders;
    gone.insert(gone.end(), silent.begin(), silent.end());
    std::sort(gone.begin(), gone.end());
    const NodeSet seen = OtherNodes(gone, noise.size());
    const auto diagonal = SeenCovariance(noise, colluders, seen).InverseDiagonal();
    std::vector<double> exposure(noise.size(), 0.0);
    for (std::size_t row = 0; row < seen.size(); ++row)
    {
        exposure[seen[row]] = diagonal[row];
    }
    return exposure;
}

} // namespace dpdl

#endif // DPDL_TEST_PRIVACY_SECRET_GRAPHS_H
