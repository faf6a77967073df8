// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "renyi-filter.h"

#include "dpdl/privacy/rdp.h"

#include <cmath>
#include <limits>

namespace dpdl
{

namespace
{

/// Renyi divergence at an order that makes up a budget; negative if there is none.
double
RenyiBudget(double order, double epsilon, double delta)
{
    return epsilon - RdpToEpsilon(0.0, order, delta);
}

/// What one step costs at an order; infinity if there is no Renyi bound for it.
double
CostAt(double order, const PrivacyStep& step, Adjacency adjacency)
{
    const bool plain = step.sampling == Amplification::NONE;
    const bool poisson = step.sampling == Amplification::POISSON;
    if (step.noise != NoiseKind::GAUSSIAN || !std::isfinite(step.mu) ||
        !(plain || (poisson && adjacency == Adjacency::ADD_REMOVE)))
    {
        return std::numeric_limits<double>::infinity();
    }
    return SampledGaussianRdp(plain ? 1.0 : step.rate, step.Shift(adjacency), order);
}

} // namespace

RenyiFilter::RenyiFilter(double order, double budget, const Question& question)
    : AdditiveFilter("rdp-filter", RenyiBudget(order, budget, question.delta), budget, question),
      m_order(order),
      m_adjacency(question.adjacency)
{
}

double
RenyiFilter::BestOrder(double budget, const Question& question, const Release& typical)
{
    constexpr double RATIO = 1.05;
    double best = 2.0;
    double most = 0.0;
    for (double excess = 0.05; excess < 1e4; excess *= RATIO)
    {
        double cost = 0.0;
        for (const auto& entry : FilteredSteps(typical))
        {
            cost += CostAt(1.0 + excess, entry.first, question.adjacency);
        }
        const double fitting = RenyiBudget(1.0 + excess, budget, question.delta) / cost;
        if (fitting > most)
        {
            most = fitting;
            best = 1.0 + excess;
        }
    }
    return best;
}

double
RenyiFilter::Cost(const PrivacyStep& step) const
{
    return CostAt(m_order, step, m_adjacency);
}

} // namespace dpdl
