// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "contraction-figures.h"
#include "lanczos.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Computes influences. The mixing coefficients of recent rounds are stored in sparse form. Older
// rounds are multiplied into dense matrices, STRIP columns at a time.

namespace dpdl
{

namespace
{

/// Rows of a matrix count as equal if no entry differs from the first row's entry by more than this
/// fraction of the first row's maximum.
constexpr double AGREEMENT = 1e-14;

/// Number of columns that are multiplied at a time, so they fit into the cache of a core.
constexpr std::size_t STRIP = 64;

} // namespace

Influence::Influence(std::size_t nodes)
    : m_nodes(nodes)
{
}

void
Influence::AddRound(std::shared_ptr<const RoundMixing> round)
{
    for (const MixingTerm& term : round->terms)
    {
        m_lateness = std::max<std::size_t>(m_lateness, term.lateness);
    }
    m_kept.push_back(std::move(round));
    if (m_kept.size() == KEPT_ROUNDS)
    {
        FoldOldest();
        m_kept.erase(m_kept.begin(), m_kept.begin() + FOLDED_ROUNDS);
    }
}

std::vector<double>
Influence::Of(const std::vector<double>& weights) const
{
    // Row k of `counts` has the weights that the nodes' states before stored round k - depth have
    // in the current mean of all states. Rows with an index below `depth` belong to states before
    // the stored rounds. The rounds are traversed backwards.
    const std::size_t depth = m_base.empty() ? 0 : m_base.size() - 1;
    std::vector<double> counts((depth + m_kept.size()) * m_nodes, 0.0);
    counts.insert(counts.end(), weights.begin(), weights.end());
    for (std::size_t k = depth + m_kept.size(); k-- > depth;)
    {
        const RoundMixing& round = *m_kept[k - depth];
        for (std::size_t node = 0; node < m_nodes; ++node)
        {
            const double count = counts[(k + 1) * m_nodes + node];
            for (std::size_t t = round.begin[node]; t < round.begin[node + 1]; ++t)
            {
                const MixingTerm& term = round.terms[t];
                const std::size_t sent = k - std::min<std::size_t>(k, term.lateness);
                counts[sent * m_nodes + term.source] += count * term.value;
            }
        }
    }
    if (!m_common.empty())
    {
        return m_common;
    }
    if (m_base.empty())
    {
        counts.resize(m_nodes);
        return counts;
    }
    std::vector<double> influences(m_nodes, 0.0);
    for (std::size_t d = 0; d <= depth; ++d)
    {
        for (std::size_t node = 0; node < m_nodes; ++node)
        {
            const double count = counts[(depth - d) * m_nodes + node];
            if (count > 0.0)
            {
                AddMultiple(influences.data(), &m_base[d][node * m_nodes], count, m_nodes);
            }
        }
    }
    return influences;
}

void
Influence::FoldOldest()
{
    if (!m_common.empty())
    {
        return;
    }
    const std::size_t depth = std::min(m_lateness, DEEPEST);
    std::vector<Matrix> folded(depth + 1, Matrix(m_nodes * m_nodes));
    for (std::size_t first = 0; first < m_nodes; first += STRIP)
    {
        const std::size_t width = std::min(STRIP, m_nodes - first);
        const std::vector<Matrix> strip = FoldStrip(first, width, depth);
        for (std::size_t d = 0; d <= depth; ++d)
        {
            for (std::size_t node = 0; node < m_nodes; ++node)
            {
                std::copy_n(&strip[d][node * width], width, &folded[d][node * m_nodes + first]);
            }
        }
    }
    m_base = std::move(folded);
    KeepOneRowIfAllAgree();
}

std::vector<Influence::Matrix>
Influence::FoldStrip(std::size_t first, std::size_t width, std::size_t depth) const
{
    // states[d] are the states d rounds ago. A share with a larger lateness uses the last element.
    std::vector<Matrix> states;
    for (const Matrix& base : m_base)
    {
        states.emplace_back(m_nodes * width);
        for (std::size_t node = 0; node < m_nodes; ++node)
        {
            std::copy_n(&base[node * m_nodes + first], width, &states.back()[node * width]);
        }
    }
    if (states.empty())
    {
        states.emplace_back(m_nodes * width, 0.0);
        for (std::size_t c = 0; c < width; ++c)
        {
            states.back()[(first + c) * width + c] = 1.0;
        }
    }
    Matrix next(m_nodes * width);
    for (std::size_t k = 0; k < FOLDED_ROUNDS; ++k)
    {
        const RoundMixing& round = *m_kept[k];
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t node = 0; node < m_nodes; ++node)
        {
            for (std::size_t t = round.begin[node]; t < round.begin[node + 1]; ++t)
            {
                const MixingTerm& term = round.terms[t];
                const Matrix& from =
                    states[std::min<std::size_t>(term.lateness, states.size() - 1)];
                AddMultiple(&next[node * width], &from[term.source * width], term.value, width);
            }
        }
        // States older than the largest lateness are not needed, so their memory is reused.
        states.insert(states.begin(), std::move(next));
        if (states.size() > std::min(m_lateness, FOLDED_ROUNDS) + 1)
        {
            next = std::move(states.back());
            states.pop_back();
        }
        else
        {
            next = Matrix(m_nodes * width);
        }
    }
    states.resize(depth + 1, Matrix(m_nodes * width));
    return states;
}

void
Influence::KeepOneRowIfAllAgree()
{
    const std::vector<double> row(m_base[0].begin(), m_base[0].begin() + m_nodes);
    const double tolerance = AGREEMENT * *std::max_element(row.begin(), row.end());
    for (const Matrix& base : m_base)
    {
        for (std::size_t i = 0; i < base.size(); ++i)
        {
            if (std::fabs(base[i] - row[i % m_nodes]) > tolerance)
            {
                return;
            }
        }
    }
    m_common = row;
    m_base.clear();
}

} // namespace dpdl
