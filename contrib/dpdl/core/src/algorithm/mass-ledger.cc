// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/mass-ledger.h"

#include <algorithm>
#include <cmath>

// MassLedger accounts for the push-sum mass of each chunk of the model, with compensated summation.

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

MassLedger::MassLedger(std::size_t nodes, std::size_t chunks)
    : m_nodes(nodes),
      m_weights(nodes * chunks, ScaledDouble(1.0)),
      m_books(chunks)
{
}

ScaledDouble
MassLedger::MeanWeight(NodeId node) const
{
    ScaledDouble sum;
    for (std::size_t chunk = 0; chunk < m_books.size(); ++chunk)
    {
        sum += Weight(node, chunk);
    }
    return ScaledDouble::FromParts(sum.Mantissa() / static_cast<double>(m_books.size()),
                                   sum.Exponent());
}

ScaledDouble
MassLedger::SmallestWeight(NodeId node) const
{
    ScaledDouble smallest = Weight(node);
    for (std::size_t chunk = 1; chunk < m_books.size(); ++chunk)
    {
        smallest = std::min(smallest, Weight(node, chunk));
    }
    return smallest;
}

void
MassLedger::Send(ScaledDouble mass, std::size_t chunk)
{
    m_books[chunk].inFlight.Add(mass.ToDouble());
}

void
MassLedger::Lie(ScaledDouble mass, std::size_t chunk)
{
    m_books[chunk].lied.Add(mass.ToDouble());
}

void
MassLedger::Take(ScaledDouble mass, std::size_t chunk)
{
    m_books[chunk].inFlight.Add(-mass.ToDouble());
}

void
MassLedger::Lose(ScaledDouble mass, std::size_t chunk)
{
    m_books[chunk].inFlight.Add(-mass.ToDouble());
    m_books[chunk].lost.Add(mass.ToDouble());
}

void
MassLedger::Renormalise(NodeId node, std::size_t chunk)
{
    m_books[chunk].lost.Add(Weight(node, chunk).ToDouble());
    m_books[chunk].lost.Add(-1.0);
    SetWeight(node, ScaledDouble(1.0), chunk);
}

void
MassLedger::Leave(NodeId node)
{
    m_left += MeanWeight(node).ToDouble();
    for (std::size_t chunk = 0; chunk < m_books.size(); ++chunk)
    {
        SetWeight(node, ScaledDouble(), chunk);
    }
}

void
MassLedger::LoseWeight(NodeId node)
{
    for (std::size_t chunk = 0; chunk < m_books.size(); ++chunk)
    {
        m_books[chunk].lost.Add(Weight(node, chunk).ToDouble());
        SetWeight(node, ScaledDouble(), chunk);
    }
}

double
MassLedger::AtNodes() const
{
    CompensatedSum sum;
    for (const ScaledDouble& weight : m_weights)
    {
        sum.Add(weight.ToDouble());
    }
    return sum.Value() / static_cast<double>(m_books.size());
}

double
MassLedger::MeanOf(CompensatedSum Book::*total) const
{
    CompensatedSum sum;
    for (const Book& book : m_books)
    {
        sum.Add((book.*total).Value());
    }
    return sum.Value() / static_cast<double>(m_books.size());
}

double
MassLedger::Error() const
{
    return AtNodes() + InFlight() + Lost() - (static_cast<double>(m_nodes) - m_left);
}

double
MassLedger::ErrorOf(std::size_t chunk) const
{
    CompensatedSum sum;
    for (NodeId node = 0; node < m_nodes; ++node)
    {
        sum.Add(Weight(node, chunk).ToDouble());
    }
    const Book& book = m_books[chunk];
    return sum.Value() + book.inFlight.Value() + book.lost.Value() -
           (static_cast<double>(m_nodes) - m_left);
}

} // namespace dpdl
