// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/clt-total.h"

#include <cmath>

namespace dpdl
{

void
CltTotal::Add(double mu, double rate)
{
    if (rate > 0.0)
    {
        m_sum += rate * rate * std::expm1(mu * mu);
    }
}

double
CltTotal::Mu() const
{
    return std::sqrt(m_sum);
}

} // namespace dpdl
