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
 * Mass is either at a node, on its way, or lost for good. The three add up to the number of nodes
 * at every event, up to rounding, which Error() shows.
 */
class MassLedger
{
  public:
    /// @param nodes number of nodes; each starts with weight 1
    explicit MassLedger(std::size_t nodes);

    /// Push-sum weight w of a node: what it holds right now.
    ScaledDouble Weight(NodeId node) const
    {
        return m_weights[node];
    }

    /// A node gives @p mass to a message; SetWeight() books what it keeps.
    void Send(ScaledDouble mass);

    /// @p mass that was on its way is mixed; SetWeight() books it at the node that did.
    void Take(ScaledDouble mass);

    /// Mass that was on its way will never be mixed.
    void Lose(ScaledDouble mass);

    /// A node loses all that it holds, for good.
    void LoseWeight(NodeId node);

    /**
     * @brief A node has split its weight, or has mixed.
     * @param node the node
     * @param weight what it holds now
     */
    void SetWeight(NodeId node, ScaledDouble weight);

    /// Sum of w over the nodes; O(nodes).
    double AtNodes() const;

    /// Mass sent and not mixed yet, including what a running sum still owes.
    double InFlight() const
    {
        return m_inFlight.Value();
    }

    /// Mass that is lost for good.
    double Lost() const
    {
        return m_lost.Value();
    }

    /// AtNodes() + InFlight() + Lost() minus the number of nodes; O(nodes).
    double Error() const;

  private:
    std::vector<ScaledDouble> m_weights; ///< w of each node
    CompensatedSum m_inFlight;           ///< see InFlight()
    CompensatedSum m_lost;               ///< see Lost()
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_MASS_LEDGER_H
