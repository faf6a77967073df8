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
 *  - `range:LOW..HIGH`: node i of n has the budget LOW + (HIGH - LOW) i / (n - 1)
 *  - `file:PATH`: a CSV file with the header `node,epsilon` and one row per node, in any order
 */
class NodeEpsilons
{
  public:
    /// Sets equal budgets for all nodes.
    /// @param epsilon budget of each node, > 0
    NodeEpsilons(double epsilon = 1.0);

    /**
     * @brief Parses the text of an option. Parse() does not read the file.
     * @param what name of the option, for errors
     * @param text a number, `range:LOW..HIGH` or `file:PATH`
     * @throws UsageError if @p text has any other form
     */
    static NodeEpsilons Parse(const std::string& what, const std::string& text);

    /// Description of the texts that Parse() accepts, for errors and for the help text.
    static const std::string& Accepted();

    /// Text that Parse() converts to an equal object.
    std::string Text() const;

    /// True if all nodes have the same budget. False for every file, even with equal budgets.
    bool AreEqual() const
    {
        return m_path.empty() && m_low == m_high;
    }

    /**
     * @brief Returns the budgets by node. Of() reads the file, if there is one.
     * @param nodes number of nodes
     * @throws UsageError naming file, line and value if the file does not have exactly one number >
     *         0 for every node
     */
    std::vector<double> Of(std::size_t nodes) const;

  private:
    std::vector<double> Read(std::size_t nodes) const;

    double m_low;       ///< budget of node 0, if no file is given
    double m_high;      ///< budget of the last node, if no file is given
    std::string m_path; ///< path of the file with the budgets; "": no file
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_NODE_EPSILONS_H
