// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/node-set.h"

#include <iterator>

namespace dpdl
{

namespace
{

/// True if there is a link from a node of @p sources to a different node of @p targets.
bool
HasLink(const NodeSet& sources, const NodeSet& targets)
{
    if (sources.IsEmpty() || targets.IsEmpty())
    {
        return false;
    }
    const bool single = sources.Members().size() == 1 && targets.Members().size() == 1;
    return !single || sources.Members() != targets.Members();
}

/// True if two sets of links, each from all sources to all targets, have a link in common.
bool
ShareLink(const NodeSet& sourcesA,
          const NodeSet& targetsA,
          const NodeSet& sourcesB,
          const NodeSet& targetsB)
{
    return HasLink(sourcesA.Common(sourcesB), targetsA.Common(targetsB));
}

} // namespace

NodeSet::NodeSet(std::vector<NodeId> members)
    : m_members(std::move(members))
{
    std::sort(m_members.begin(), m_members.end());
    m_members.erase(std::unique(m_members.begin(), m_members.end()), m_members.end());
}

NodeSet
NodeSet::All()
{
    NodeSet set;
    set.m_all = true;
    return set;
}

NodeSet
NodeSet::Common(const NodeSet& other) const
{
    if (m_all || other.m_all)
    {
        return m_all ? other : *this;
    }
    NodeSet common;
    std::set_intersection(m_members.begin(),
                          m_members.end(),
                          other.m_members.begin(),
                          other.m_members.end(),
                          std::back_inserter(common.m_members));
    return common;
}

bool
LinkSet::Covers(NodeId source, NodeId target) const
{
    return (sources.Contains(source) && targets.Contains(target)) ||
           (bothWays && sources.Contains(target) && targets.Contains(source));
}

bool
LinkSet::Intersects(const LinkSet& other) const
{
    return ShareLink(sources, targets, other.sources, other.targets) ||
           ((bothWays || other.bothWays) &&
            ShareLink(targets, sources, other.sources, other.targets));
}

} // namespace dpdl
