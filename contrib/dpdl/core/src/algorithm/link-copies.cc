// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/link-copies.h"

#include <algorithm>

namespace dpdl
{

std::vector<ParameterHandle>
LinkCopies::References(const std::vector<NodeId>& targets) const
{
    std::vector<ParameterHandle> references;
    const auto add = [&references](const ParameterHandle& state) {
        if (state && std::find(references.begin(), references.end(), state) == references.end())
        {
            references.push_back(state);
        }
    };
    for (const NodeId target : targets)
    {
        // A node has sent either all chunks to a target, or none of them. If it has sent none, the
        // target holds the initial state of every chunk.
        auto copy = m_sent.lower_bound({target, 0});
        if (copy == m_sent.end() || copy->first.first != target)
        {
            add(m_initial);
        }
        for (; copy != m_sent.end() && copy->first.first == target; ++copy)
        {
            add(copy->second.state);
        }
    }
    return references;
}

void
LinkCopies::Send(Share& share, const std::vector<CompressedState>& compressed)
{
    Copy& copy = m_sent.try_emplace({share.target, share.chunk}, Copy{m_initial}).first->second;
    const auto found =
        std::find_if(compressed.begin(), compressed.end(), [&copy](const CompressedState& state) {
            return copy.state && state.reference == copy.state;
        });
    share.isCompressed = found != compressed.end();
    if (share.isCompressed)
    {
        share.z = found->sent;
        share.reference = copy.round;
    }
    else
    {
        copy.wholeSince = share.round;
    }
    copy.state = share.z;
    copy.round = share.round;
}

void
LinkCopies::Lose(const Share& share)
{
    const auto found = m_sent.find({share.target, share.chunk});
    if (found != m_sent.end() && share.round >= found->second.wholeSince)
    {
        found->second.state.reset();
    }
}

void
LinkCopies::ForgetSent()
{
    for (auto& [link, copy] : m_sent)
    {
        copy.state.reset();
    }
}

bool
LinkCopies::CanRead(const Share& share) const
{
    const auto found = m_received.find({share.source, share.chunk});
    return !share.isCompressed || share.reference == Share::FROM_START ||
           (found != m_received.end() && found->second == share.reference);
}

bool
RunningSumLink::Take(Round round, std::vector<Share>& inbox)
{
    const std::size_t before = inbox.size();
    while (!m_owed.empty() && m_owed.front().round <= round)
    {
        inbox.push_back(std::move(m_owed.front()));
        m_owed.pop_front();
    }
    return inbox.size() > before;
}

} // namespace dpdl
