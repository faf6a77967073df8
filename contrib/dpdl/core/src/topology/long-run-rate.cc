// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "contraction-figures.h"
#include "dpdl/base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace dpdl
{

namespace
{

/// Smallest factor by which a round may reduce the spread (standard deviation of the states over
/// the nodes). A spread that falls further is only rounding error and counts as 0.
constexpr double NOTHING_LEFT = 1e-13;

/// States are rescaled to spread 1 if their spread is below this.
constexpr double SMALLEST_SPREAD = 1e-100;

} // namespace

LongRunRate::LongRunRate(std::size_t nodes)
    : m_nodes(nodes)
{
    Block start(nodes * STATES);
    for (std::size_t i = 0; i < start.size(); ++i)
    {
        start[i] = Philox4x32({static_cast<std::uint32_t>(i), 1, 0, 0}, {0, 0})[0] / 4294967296.0;
    }
    m_history.push_front(std::move(start));
    const std::vector<double> weights(nodes, 1.0 / static_cast<double>(nodes));
    Recentre(weights);
    m_lastSpread = Spread(weights);
    m_logSpread.push_back(std::log(m_lastSpread));
    m_isExact = nodes == 1;
}

void
LongRunRate::AddRound(const RoundMixing& round, const std::vector<double>& weights)
{
    if (m_isExact)
    {
        return;
    }
    Block next(m_nodes * STATES, 0.0);
    if (m_history.size() == HISTORY)
    {
        next.swap(m_history.back());
        std::fill(next.begin(), next.end(), 0.0);
    }
    for (std::size_t node = 0; node < m_nodes; ++node)
    {
        for (std::size_t t = round.begin[node]; t < round.begin[node + 1]; ++t)
        {
            const MixingTerm& term = round.terms[t];
            const std::size_t age =
                std::min<std::size_t>(term.lateness, std::min(m_history.size(), HISTORY - 1) - 1);
            for (std::size_t s = 0; s < STATES; ++s)
            {
                next[node * STATES + s] += term.value * m_history[age][term.source * STATES + s];
            }
        }
    }
    if (m_history.size() == HISTORY)
    {
        m_history.pop_back();
    }
    m_history.push_front(std::move(next));
    Recentre(weights);
    const double spread = Spread(weights);
    if (!(spread > NOTHING_LEFT * m_lastSpread))
    {
        m_isExact = true;
        return;
    }
    m_logSpread.push_back(std::log(spread) + m_logScale);
    m_lastSpread = spread;
    if (spread < SMALLEST_SPREAD)
    {
        for (Block& block : m_history)
        {
            for (double& value : block)
            {
                value /= spread;
            }
        }
        m_logScale += std::log(spread);
        m_lastSpread = 1.0;
    }
}

void
LongRunRate::Recentre(const std::vector<double>& weights)
{
    std::array<double, STATES> mean{};
    for (std::size_t i = 0; i < m_nodes * STATES; ++i)
    {
        mean[i % STATES] += weights[i / STATES] * m_history.front()[i];
    }
    for (Block& block : m_history)
    {
        for (std::size_t i = 0; i < block.size(); ++i)
        {
            block[i] -= mean[i % STATES];
        }
    }
}

double
LongRunRate::Spread(const std::vector<double>& weights) const
{
    double largest = 0.0;
    for (const double value : m_history.front())
    {
        largest = std::max(largest, std::fabs(value));
    }
    double sum = 0.0;
    for (std::size_t i = 0; largest > 0.0 && i < m_nodes * STATES; ++i)
    {
        const double value = m_history.front()[i] / largest;
        sum += weights[i / STATES] * value * value;
    }
    return largest * std::sqrt(sum);
}

double
LongRunRate::Value() const
{
    if (m_isExact)
    {
        return 0.0;
    }
    const std::size_t rounds = m_logSpread.size() - 1;
    if (rounds < 2)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const std::size_t half = rounds / 2;
    const double fall = m_logSpread[rounds] - m_logSpread[half];
    return std::min(std::exp(fall / static_cast<double>(rounds - half)), 1.0);
}

} // namespace dpdl
