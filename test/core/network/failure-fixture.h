// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_FAILURE_FIXTURE_H
#define DPDL_TEST_FAILURE_FIXTURE_H

#include "dpdl/network/failure-event.h"
#include "dpdl/network/failure-state.h"

#include <limits>
#include <string>
#include <vector>

namespace dpdl
{

/// Nodes of the network.
constexpr std::size_t NODES = 8;
/// Names the random times.
constexpr RandomSeed SEED{7, 3};
/// When what does not end ends.
constexpr double NEVER = std::numeric_limits<double>::infinity();

/// Every link between NODES nodes.
inline std::vector<LinkId>
AllLinks()
{
    std::vector<LinkId> links;
    for (NodeId source = 0; source < NODES; ++source)
    {
        for (NodeId target = 0; target < NODES; ++target)
        {
            if (source != target)
            {
                links.push_back({source, target});
            }
        }
    }
    return links;
}

/// The state under events, at its beginning.
inline FailureState
StateOf(const std::string& text)
{
    return {ParseFailures(text, "test", NODES), NODES, SEED, AllLinks()};
}

/// All changes up to a time.
inline std::vector<FailureChange>
ChangesOf(FailureState& state, double until)
{
    std::vector<FailureChange> changes;
    while (state.NextChange() <= until)
    {
        const std::vector<FailureChange>& more = state.AdvanceTo(state.NextChange());
        changes.insert(changes.end(), more.begin(), more.end());
    }
    return changes;
}

} // namespace dpdl

#endif // DPDL_TEST_FAILURE_FIXTURE_H
