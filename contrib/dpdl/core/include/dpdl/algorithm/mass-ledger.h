// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_MASS_LEDGER_H
#define DPDL_ALGORITHM_MASS_LEDGER_H

#include "dpdl/base/scaled-double.h"
#include "dpdl/base/types.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// A sum of doubles that keeps what its additions round away (Neumaier 1974).
class CompensatedSum
{
  public:
    /// Adds @p value, which may be negative.
    void Add(double value);

    /// The sum so far.
    double Value() const
    {
        return m_sum + m_compensation;
    }

  private:
    double m_sum{0.0};          ///< rounded sum
    double m_compensation{0.0}; ///< what rounding lost so far
};

/**
 * @brief Keeps the push-sum weight of every node, and of all that is between nodes.
 *
 * Mass is either at a node, on its way, or lost permanently. The three add up to the number of
 * nodes at every event, up to rounding, which Error() shows. A model that is cut has a w for each
 * chunk, and each chunk its own books; totals are means over the chunks, so that they add up to the
 * number of nodes as well.
 *
 * A node that lies (see Lie) sends the right mass: no total here changes, only Lied() counts it.
 * Its shares carry an x = w z that differs from its own: x is not conserved.
 */
class MassLedger
{
  public:
    /**
     * @param nodes number of nodes; each starts with weight 1
     * @param chunks number of chunks of the model, >= 1
     */
    explicit MassLedger(std::size_t nodes, std::size_t chunks = 1);

    /// Push-sum weight w of a node: what it holds right now of a chunk.
    ScaledDouble Weight(NodeId node, std::size_t chunk = 0) const
    {
        return m_weights[node * m_books.size() + chunk];
    }

    /// Mean of a node's w over the chunks; O(chunks).
    ScaledDouble MeanWeight(NodeId node) const;

    /// Smallest w of a node's chunks; O(chunks).
    ScaledDouble SmallestWeight(NodeId node) const;

    /// A node gives @p mass to a message; SetWeight() books what it keeps.
    void Send(ScaledDouble mass, std::size_t chunk = 0);

    /// The message that has just been sent carries @p mass that is right with parameters that lie.
    void Lie(ScaledDouble mass, std::size_t chunk = 0);

    /// @p mass that was on its way is mixed; SetWeight() books it at the node that did.
    void Take(ScaledDouble mass, std::size_t chunk = 0);

    /// Mass that was on its way will never be mixed.
    void Lose(ScaledDouble mass, std::size_t chunk = 0);

    /// A node is not of this ledger's: it holds nothing, and the total is one less.
    void Leave(NodeId node);

    /// A node loses all that it holds, permanently.
    void LoseWeight(NodeId node);

    /**
     * @brief A node has split its weight, or has mixed.
     * @param node the node
     * @param weight what it holds now
     * @param chunk of which chunk
     */
    void SetWeight(NodeId node, ScaledDouble weight, std::size_t chunk = 0);

    /**
     * @brief A node declares its weight to be 1, whatever it is.
     *
     * The difference counts as lost, so that totals stay exact; where mass was made it is negative.
     * @param node the node
     * @param chunk of which chunk
     */
    void Renormalise(NodeId node, std::size_t chunk = 0);

    /// Sum of w over the nodes; O(nodes chunks).
    double AtNodes() const;

    /// Mass sent and not mixed yet, including what a running sum still owes; O(chunks).
    double InFlight() const;

    /// Mass that is lost permanently; negative if more was made; O(chunks).
    double Lost() const;

    /// Mass that was sent with parameters that lie, so far, whatever became of it; O(chunks).
    double Lied() const;

    /// AtNodes() + InFlight() + Lost() minus the number of its nodes; O(nodes chunks).
    double Error() const;

    /// Error() of one chunk; O(nodes).
    double ErrorOf(std::size_t chunk) const;

  private:
    /// Mass of one chunk that is not at the nodes.
    struct Book
    {
        CompensatedSum inFlight; ///< sent and not yet mixed
        CompensatedSum lost;     ///< lost permanently
        CompensatedSum lied;     ///< sent with parameters that lie
    };

    double MeanOf(CompensatedSum Book::*total) const;

    std::size_t m_nodes;                 ///< number of nodes
    std::size_t m_left{0};               ///< of these, nodes of other ledgers
    std::vector<ScaledDouble> m_weights; ///< w of each node and chunk, chunk by chunk of a node
    std::vector<Book> m_books;           ///< by chunk
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_MASS_LEDGER_H
