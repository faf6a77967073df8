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

/// One summand of the weighted mean that a node computes in a round: a sender and the weight of its
/// push-sum quotient z.
struct MixingTerm
{
    NodeId source;  ///< node that sent its quotient z
    Round lateness; ///< number of rounds between sending and mixing; 0: the same round
    double value;   ///< weight of the sender's z in the mean, in (0, 1]

    bool operator==(const MixingTerm& other) const
    {
        return source == other.source && lateness == other.lateness && value == other.value;
    }
};

/// Sparse mixing matrix of one round: weights of the shares that each node mixed, including the
/// share that it kept.
struct RoundMixing
{
    /// @param nodes number of nodes; AddNode() and AddSleeper() then append one node each, in order
    explicit RoundMixing(std::size_t nodes);

    /**
     * @brief Appends the next node and the shares that it mixed.
     * @param shares at least one share, each with mass above zero
     * @param round the round in which the node mixed the shares
     * @return the node's mass after mixing: the sum of the shares' masses
     */
    ScaledDouble AddNode(std::vector<MixedShare> shares, Round round);

    /// Appends the next node, @p node, which mixed no shares in this round and kept its z.
    void AddSleeper(NodeId node);

    bool operator==(const RoundMixing& other) const
    {
        return begin == other.begin && terms == other.terms;
    }

    /// [nodes + 1] The summands of node j are terms[begin[j]] .. terms[begin[j + 1] - 1].
    std::vector<std::size_t> begin;
    /// Summands of all nodes. The summands of a node are sorted by descending lateness, then by
    /// source.
    std::vector<MixingTerm> terms;
};

/// Matrix R of a window (see ContractionTracker): the product of the mixing matrices of its rounds.
/// Row i stands for node i at the window's end. Column c below the number of nodes stands for node
/// c at the window's start; each further column stands for a share that was sent before the window
/// and mixed in it. Entry (i, c) is the weight of the z of column c in node i's z at the window's
/// end; each row sums to 1.
struct WindowMatrix
{
    /**
     * @param nodes number of nodes
     * @param rounds the window's rounds, at least one
     */
    WindowMatrix(std::size_t nodes, const std::vector<std::shared_ptr<const RoundMixing>>& rounds);

    /// Entries of a row, [columns].
    const double* Row(std::size_t row) const
    {
        return values.data() + row * columns;
    }

    std::size_t rows; ///< number of rows: one per node
    /// Number of columns: one per node, then one per share sent before the window.
    std::size_t columns;
    std::vector<double> values; ///< [rows, columns] entries
};

/// Dobrushin's coefficient of a matrix R, tau = 1/2 max_ij sum_c |R_ic - R_jc|, in [0, 1].
double DobrushinCoefficient(const WindowMatrix& matrix);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WINDOW_MATRIX_H
