// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/burst-chain.h"

namespace dpdl
{

bool
BurstChain::Loses(const GilbertElliott& burst, double change, double loss)
{
    if (change < (m_bad ? burst.toGood : burst.toBad))
    {
        m_bad = !m_bad;
    }
    return loss < (m_bad ? burst.lossBad : burst.lossGood);
}

double
LongRunLoss(const GilbertElliott& burst)
{
    const double bad = burst.toBad / (burst.toBad + burst.toGood);
    return bad * burst.lossBad + (1.0 - bad) * burst.lossGood;
}

} // namespace dpdl
