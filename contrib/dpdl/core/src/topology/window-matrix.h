// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_WINDOW_MATRIX_H
#define DPDL_TOPOLOGY_WINDOW_MATRIX_H

#include "dpdl/topology/contraction-tracker.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

/// One term of a weighted mean: the weight of a sender's z of the same or an earlier round.
struct MixingTerm
{
    NodeId source;  ///< the sender
    Round lateness; ///< rounds between sending and mixing
    double value;   ///< weight in the mean, (0, 1]

    bool operator==(const MixingTerm& other) const
    {
        return source == other.source && lateness == other.lateness && value == other.value;
    }
};

/// The convex coefficients with which all nodes mixed in one round.
struct RoundMixing
{
    /// @param nodes number of nodes, none of which has mixed anything yet
    explicit RoundMixing(std::size_t nodes);

    /**
     * @brief Adds the shares that the next node mixed.
     * @param shares with mass above zero, at least one
     * @param round the round of the mixing
     * @return the node's mass after mixing
     */
    ScaledDouble AddNode(std::vector<MixedShare> shares, Round round);

    /// Adds the next node, @p node, as one that mixed nothing and kept its z.
    void AddSleeper(NodeId node);

    bool operator==(const RoundMixing& other) const
    {
        return begin == other.begin && terms == other.terms;
    }

    std::vector<std::size_t> begin; ///< node j's terms are begin[j] .. begin[j + 1] - 1
    std::vector<MixingTerm> terms;  ///< terms of one node: by lateness descending, then by source
};

/// R of a window, row-major: z of the nodes at its end from z of all carriers at its start.
struct WindowMatrix
{
    /**
     * @param nodes number of nodes
     * @param rounds the window's rounds, at least one
     */
    WindowMatrix(std::size_t nodes, const std::vector<std::shared_ptr<const RoundMixing>>& rounds);

    const double* Row(std::size_t row) const
    {
        return values.data() + row * columns;
    }

    std::size_t rows;           ///< number of rows: one per node
    std::size_t columns;        ///< nodes, then one for each share sent before the window
    std::vector<double> values; ///< [rows, columns] entries
};

/// Dobrushin's coefficient 1/2 max_ij sum_c |R_ic - R_jc|, in [0, 1].
double DobrushinCoefficient(const WindowMatrix& matrix);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WINDOW_MATRIX_H
