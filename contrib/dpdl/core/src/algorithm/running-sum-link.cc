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

std::vector<Share>
RunningSumLink::Take(Round round)
{
    std::vector<Share> taken;
    while (!m_owed.empty() && m_owed.front().round <= round)
    {
        taken.push_back(std::move(m_owed.front()));
        m_owed.pop_front();
    }
    return taken;
}

void
RunningSumLink::PutBack(const Share& share)
{
    m_owed.push_front(share);
}

} // namespace dpdl
