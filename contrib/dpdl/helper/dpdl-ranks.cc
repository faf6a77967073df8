// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-ranks.h"

#include "ns3/node.h"

namespace ns3
{

NodeContainer
DpdlRanks::CreateNodes(uint32_t count) const
{
    NodeContainer nodes;
    for (uint32_t node = 0; node < count; ++node)
    {
        nodes.Add(CreateObject<Node>(m_part.RankOf(node, count)));
    }
    return nodes;
}

} // namespace ns3
