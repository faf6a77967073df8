// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/mass-ledger.h"

#include <cmath>

namespace dpdl
{

void
CompensatedSum::Add(double value)
{
    const double sum = m_sum + value;
    m_compensation +=
        std::fabs(m_sum) >= std::fabs(value) ? (m_sum - sum) + value : (value - sum) + m_sum;
    m_sum = sum;
}

MassLedger::MassLedger(std::size_t nodes)
    : m_weights(nodes, ScaledDouble(1.0))
{
}

void
MassLedger::Send(ScaledDouble mass)
{
    m_inFlight.Add(mass.ToDouble());
}

void
MassLedger::Take(ScaledDouble mass)
{
    m_inFlight.Add(-mass.ToDouble());
}

void
MassLedger::SetWeight(NodeId node, ScaledDouble weight)
{
    m_weights[node] = weight;
}

void
MassLedger::Lose(ScaledDouble mass)
{
    m_inFlight.Add(-mass.ToDouble());
    m_lost.Add(mass.ToDouble());
}

void
MassLedger::LoseWeight(NodeId node)
{
    m_lost.Add(m_weights[node].ToDouble());
    m_weights[node] = ScaledDouble();
}

double
MassLedger::AtNodes() const
{
    CompensatedSum sum;
    for (const ScaledDouble& weight : m_weights)
    {
        sum.Add(weight.ToDouble());
    }
    return sum.Value();
}

double
MassLedger::Error() const
{
    return AtNodes() + InFlight() + Lost() - static_cast<double>(m_weights.size());
}

} // namespace dpdl
