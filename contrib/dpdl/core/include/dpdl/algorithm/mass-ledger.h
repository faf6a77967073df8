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

/// A sum of doubles with compensated rounding errors (Neumaier 1974).
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
    double m_sum{0.0};          ///< sum with rounding errors
    double m_compensation{0.0}; ///< accumulated rounding error, to be added to m_sum
};

/**
 * @brief Accounts for the mass (push-sum weight w) of every node and of the messages in flight.
 *
 * Mass is at a node, in flight, or permanently lost. After every event these three totals add up to
 * the number of nodes; Error() returns the rounding error. A chunked model has a separate w and
 * account for each chunk. Each total is then the mean over the chunks, not the sum.
 *
 * A Byzantine node (see Lie) sends the correct mass, so these totals stay correct. Lied() counts
 * this mass. The x = w z in its shares is false, so the sum of x over the nodes is not conserved.
 */
class MassLedger
{
  public:
    /**
     * @param nodes number of nodes; each starts with weight 1
     * @param chunks number of chunks of the model, >= 1
     */
    explicit MassLedger(std::size_t nodes, std::size_t chunks = 1);

    /// Push-sum weight w of a node for a chunk, at present.
    ScaledDouble Weight(NodeId node, std::size_t chunk = 0) const
    {
        return m_weights[node * m_books.size() + chunk];
    }

    /// Mean of a node's w over the chunks; O(chunks).
    ScaledDouble MeanWeight(NodeId node) const;

    /// Smallest w of a node's chunks; O(chunks).
    ScaledDouble SmallestWeight(NodeId node) const;

    /// Adds @p mass of a chunk to the mass in flight. The caller must also record the mass that the
    /// sender keeps, with SetWeight().
    void Send(ScaledDouble mass, std::size_t chunk = 0);

    /// Adds @p mass to Lied(), because a Byzantine node sent it with false parameters. Call it in
    /// addition to Send().
    void Lie(ScaledDouble mass, std::size_t chunk = 0);

    /// Removes mixed @p mass from the mass in flight. The caller must also record the receiver's
    /// new mass, with SetWeight().
    void Take(ScaledDouble mass, std::size_t chunk = 0);

    /// Moves @p mass from in flight to lost.
    void Lose(ScaledDouble mass, std::size_t chunk = 0);

    /// Removes a node and its mass from this ledger, because another process simulates the node.
    /// Must be called before the first round.
    void Leave(NodeId node);

    /// Moves all mass of a node to lost.
    void LoseWeight(NodeId node);

    /**
     * @brief Sets a node's weight after splitting or mixing.
     * @param node index of the node
     * @param weight w of the node for the chunk
     * @param chunk index of the chunk, from 0
     */
    void SetWeight(NodeId node, ScaledDouble weight, std::size_t chunk = 0)
    {
        m_weights[node * m_books.size() + chunk] = weight;
    }

    /**
     * @brief Resets a node's weight to 1.
     *
     * The difference w - 1 counts as lost mass; it is negative if w was below 1. The three totals
     * stay exact.
     * @param node index of the node
     * @param chunk index of the chunk, from 0
     */
    void Renormalise(NodeId node, std::size_t chunk = 0);

    /// Mass at the nodes: sum of w over the nodes, averaged over the chunks; O(nodes * chunks).
    double AtNodes() const;

    /// Mass in flight: sent and not yet mixed, averaged over the chunks; O(chunks). Under
    /// RUNNING_SUM it includes the mass of lost messages, which later messages deliver.
    double InFlight() const
    {
        return MeanOf(&Book::inFlight);
    }

    /// Permanently lost mass, averaged over the chunks; O(chunks). Negative if Renormalise()
    /// created more mass than was lost.
    double Lost() const
    {
        return MeanOf(&Book::lost);
    }

    /// Mass sent with false parameters so far, regardless of its fate, averaged over the chunks;
    /// O(chunks).
    double Lied() const
    {
        return MeanOf(&Book::lied);
    }

    /// Rounding error of the ledger: AtNodes() + InFlight() + Lost(), minus the initial mass, which
    /// is the number of nodes without those that Leave() removed; O(nodes * chunks). Positive:
    /// rounding created mass.
    double Error() const;

    /// Rounding error of the account of one chunk: the sum of its mass at nodes, in flight and
    /// lost, minus the initial mass as in Error(); O(nodes).
    double ErrorOf(std::size_t chunk) const;

  private:
    /// Mass of one chunk outside the nodes.
    struct Book
    {
        CompensatedSum inFlight; ///< mass sent and not yet mixed
        CompensatedSum lost;     ///< mass lost permanently
        CompensatedSum lied;     ///< mass sent with false parameters
    };

    double MeanOf(CompensatedSum Book::*total) const;

    std::size_t m_nodes;                 ///< number of nodes
    double m_left{0.0};                  ///< initial mass of all nodes that Leave() removed
    std::vector<ScaledDouble> m_weights; ///< w of each node and chunk, [nodes, chunks]
    std::vector<Book> m_books;           ///< accounts, by chunk
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_MASS_LEDGER_H
