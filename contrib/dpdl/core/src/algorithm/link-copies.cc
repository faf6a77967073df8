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
    for (const NodeId target : targets)
    {
        const auto found = m_sent.find(target);
        const ParameterHandle& state = found == m_sent.end() ? m_initial : found->second.state;
        if (state && std::find(references.begin(), references.end(), state) == references.end())
        {
            references.push_back(state);
        }
    }
    return references;
}

void
LinkCopies::Send(Share& share, const std::vector<CompressedState>& compressed)
{
    Copy& copy = m_sent.try_emplace(share.target, Copy{m_initial}).first->second;
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
    const auto found = m_sent.find(share.target);
    if (found != m_sent.end() && share.round >= found->second.wholeSince)
    {
        found->second.state.reset();
    }
}

void
LinkCopies::ForgetSent()
{
    for (auto& [target, copy] : m_sent)
    {
        copy.state.reset();
    }
}

bool
LinkCopies::CanRead(const Share& share) const
{
    const auto found = m_received.find(share.source);
    return !share.isCompressed || share.reference == Share::FROM_START ||
           (found != m_received.end() && found->second == share.reference);
}

void
LinkCopies::Receive(const Share& share)
{
    m_received[share.source] = share.round;
}

} // namespace dpdl
