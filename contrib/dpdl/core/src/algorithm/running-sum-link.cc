// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/running-sum-link.h"

namespace dpdl
{

void
RunningSumLink::Push(const Share& share)
{
    m_owed.push_back(share);
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

void
RunningSumLink::PutBack(const Share& share)
{
    m_owed.push_front(share);
}

} // namespace dpdl
