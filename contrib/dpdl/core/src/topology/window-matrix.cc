// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "window-matrix.h"

#include "dpdl/base/simd.h"
#include "lanczos.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

// Multiplies the mixing matrices of a window's rounds. Late shares within the window refer to rows
// of intermediate products, which are stored.

namespace dpdl
{

namespace
{

bool
ComesFirst(const MixedShare& a, const MixedShare& b)
{
    if (a.sentRound != b.sentRound)
    {
        return a.sentRound < b.sentRound;
    }
    return a.source != b.source ? a.source < b.source : a.mass < b.mass;
}

using Rounds = std::vector<std::shared_ptr<const RoundMixing>>;

/// Key (k, i) of a row in WindowProduct::m_kept: row i, of node i, of the product of the window's
/// first k rounds.
using State = std::pair<std::size_t, NodeId>;

DPDL_MULTIVERSION
double
SumOfDifferences(const double* a, const double* b, std::size_t count)
{
    constexpr std::size_t LANES = 8;
    double sums[LANES] = {};
    std::size_t c = 0;
    for (; c + LANES <= count; c += LANES)
    {
        for (std::size_t lane = 0; lane < LANES; ++lane)
        {
            sums[lane] += std::fabs(a[c + lane] - b[c + lane]);
        }
    }
    double sum = 0.0;
    for (; c < count; ++c)
    {
        sum += std::fabs(a[c] - b[c]);
    }
    for (const double part : sums)
    {
        sum += part;
    }
    return sum;
}

/// Computes R, the product of the mixing matrices of a window's rounds.
class WindowProduct
{
  public:
    WindowProduct(std::size_t nodes, const Rounds& rounds)
        : m_nodes(nodes),
          m_rounds(rounds)
    {
        m_columns = nodes;
        for (std::size_t offset = 0; offset < rounds.size(); ++offset)
        {
            for (const MixingTerm& term : rounds[offset]->terms)
            {
                m_columns += term.lateness > offset ? 1 : 0;
                if (term.lateness > 0 && term.lateness < offset)
                {
                    m_kept[{offset - term.lateness, term.source}];
                }
            }
        }
    }

    std::vector<double> Multiply()
    {
        std::size_t nextCarrier = m_nodes;
        std::vector<double> next;
        for (std::size_t offset = 0; offset < m_rounds.size(); ++offset)
        {
            KeepRows(offset);
            next.assign(m_nodes * m_columns, 0.0);
            const RoundMixing& round = *m_rounds[offset];
            for (std::size_t node = 0; node < m_nodes; ++node)
            {
                for (std::size_t t = round.begin[node]; t < round.begin[node + 1]; ++t)
                {
                    AddTerm(next.data() + node * m_columns, round.terms[t], offset, nextCarrier);
                }
            }
            m_current.swap(next);
        }
        return std::move(m_current);
    }

    std::size_t Columns() const
    {
        return m_columns;
    }

  private:
    void KeepRows(std::size_t offset)
    {
        const auto end = m_kept.lower_bound({offset + 1, 0});
        for (auto kept = m_kept.lower_bound({offset, 0}); kept != end; ++kept)
        {
            const double* row = m_current.data() + kept->first.second * m_columns;
            kept->second.assign(row, row + m_columns);
        }
    }

    void AddTerm(double* row, const MixingTerm& term, std::size_t offset, std::size_t& nextCarrier)
    {
        if (term.lateness > offset)
        {
            row[nextCarrier++] += term.value;
        }
        else if (term.lateness == offset)
        {
            row[term.source] += term.value;
        }
        else
        {
            const double* source = term.lateness == 0
                                       ? m_current.data() + term.source * m_columns
                                       : m_kept.at({offset - term.lateness, term.source}).data();
            AddMultiple(row, source, term.value, m_columns);
        }
    }

    std::size_t m_nodes;    ///< number of nodes
    const Rounds& m_rounds; ///< rounds of the window; must outlive this object
    std::size_t m_columns;  ///< number of columns of R: one per node, then one per share sent
                            ///< before the window
    /// Stored rows of products of the window's first rounds, for late shares that were sent within
    /// the window. A row is empty until its product has been computed.
    std::map<State, std::vector<double>> m_kept;
    /// Product of the rounds so far, [nodes, columns]; empty before the first round.
    std::vector<double> m_current;
};

} // namespace

RoundMixing::RoundMixing(std::size_t nodes)
{
    begin.reserve(nodes + 1);
    begin.push_back(0);
}

ScaledDouble
RoundMixing::AddNode(std::vector<MixedShare> shares, Round round)
{
    std::sort(shares.begin(), shares.end(), ComesFirst);
    ScaledDouble total;
    for (const MixedShare& share : shares)
    {
        total += share.mass;
    }
    for (const MixedShare& share : shares)
    {
        terms.push_back({share.source, round - share.sentRound, share.mass / total});
    }
    begin.push_back(terms.size());
    return total;
}

void
RoundMixing::AddSleeper(NodeId node)
{
    terms.push_back({node, 0, 1.0});
    begin.push_back(terms.size());
}

WindowMatrix::WindowMatrix(std::size_t nodes, const Rounds& rounds)
    : rows(nodes)
{
    WindowProduct product(nodes, rounds);
    columns = product.Columns();
    values = product.Multiply();
}

double
DobrushinCoefficient(const WindowMatrix& matrix)
{
    std::vector<double> mean(matrix.columns, 0.0);
    for (std::size_t i = 0; i < matrix.rows; ++i)
    {
        AddMultiple(mean.data(), matrix.Row(i), 1.0 / matrix.rows, matrix.columns);
    }
    std::vector<double> fromMean(matrix.rows);
    std::vector<std::size_t> order(matrix.rows);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = 0; i < matrix.rows; ++i)
    {
        fromMean[i] = SumOfDifferences(matrix.Row(i), mean.data(), matrix.columns);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return fromMean[a] > fromMean[b];
    });
    // The difference of two rows is at most the sum of their differences from the mean row. Pairs
    // for which this sum is at most the largest difference so far are skipped.
    double largest = 0.0;
    for (std::size_t a = 0; a < matrix.rows; ++a)
    {
        for (std::size_t b = a + 1; b < matrix.rows && largest < 2.0; ++b)
        {
            if (fromMean[order[a]] + fromMean[order[b]] <= largest)
            {
                break;
            }
            largest = std::max(
                largest,
                SumOfDifferences(matrix.Row(order[a]), matrix.Row(order[b]), matrix.columns));
        }
    }
    return std::min(largest / 2.0, 1.0);
}

} // namespace dpdl
