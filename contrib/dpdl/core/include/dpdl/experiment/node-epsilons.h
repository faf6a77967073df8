// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_NODE_EPSILONS_H
#define DPDL_EXPERIMENT_NODE_EPSILONS_H

#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief The privacy budgets of the nodes of a run, as given by option `epsilon`.
 *
 *  - a number: the budget of every node
 *  - `range:LOW..HIGH`: node i of n has LOW + (HIGH - LOW) i / (n - 1)
 *  - `file:PATH`: a table with the header `node,epsilon` and one row for each node, in any order
 */
class NodeEpsilons
{
  public:
    /// Equal budgets for all nodes. @param epsilon > 0
    NodeEpsilons(double epsilon = 1.0);

    /**
     * @brief Parses the option.
     * @param what the option, for errors
     * @param text one of the three forms; a file is not read yet
     * @throws UsageError if @p text has none of the three forms
     */
    static NodeEpsilons Parse(const std::string& what, const std::string& text);

    /// Description of the texts that Parse() accepts, for errors and for the help text.
    static const std::string& Accepted();

    /// Text that Parse() converts to this object.
    std::string Text() const;

    /// True if all nodes have the same budget, given by a number.
    bool AreEqual() const
    {
        return m_path.empty() && m_low == m_high;
    }

    /**
     * @brief The budget of every node.
     * @param nodes number of nodes
     * @throws UsageError naming file, line and value if the file does not have exactly one number >
     *         0 for every node
     */
    std::vector<double> Of(std::size_t nodes) const;

  private:
    std::vector<double> Read(std::size_t nodes) const;

    double m_low;       ///< epsilon of node 0
    double m_high;      ///< epsilon of the last node
    std::string m_path; ///< path of the file; empty: no file
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_NODE_EPSILONS_H
