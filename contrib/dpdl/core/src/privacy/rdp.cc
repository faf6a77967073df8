// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp.h"

#include "sampled-gaussian.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <vector>

namespace dpdl
{

namespace
{

/// Steps of one kind, ready for many orders.
struct Group
{
    SampledGaussian step;
    double count;
};

/// The order at which the optimum is to be expected, minus 1.
double
GuessOrder(const std::map<std::pair<double, double>, std::uint64_t>& steps, double delta)
{
    double variance = 0.0;
    double kink = 1e9;
    for (const auto& [step, count] : steps)
    {
        const auto [rate, mu] = step;
        if (rate > 0.0 && mu > 0.0)
        {
            variance += static_cast<double>(count) * rate * rate * std::expm1(mu * mu);
            kink = std::min(kink, 0.1 + 2.0 * (1.0 - std::log(rate)) / (mu * mu));
        }
    }
    const double smooth = std::sqrt(-2.0 * std::log(delta) / variance);
    return std::clamp(std::max(smooth, 0.0), 1e-3, kink);
}

/// Minimum of a quasi-convex function over u in R, from a starting point; stops once it is <= 0.
template <typename F>
std::pair<double, double>
Descend(F f, double start)
{
    double step = 0.25;
    double middle = start;
    double best = f(middle);
    double next = f(middle + step);
    double left = middle - step;
    double right = middle + step;
    if (next < best)
    {
        while (next < best && best > 0.0 && right < 40.0)
        {
            left = middle;
            middle = right;
            best = next;
            step *= 1.6;
            right = middle + step;
            next = f(right);
        }
    }
    else
    {
        double previous = f(left);
        while (previous < best && best > 0.0 && left > -40.0)
        {
            right = middle;
            middle = left;
            best = previous;
            step *= 1.6;
            left = middle - step;
            previous = f(left);
        }
    }
    if (best <= 0.0)
    {
        return {middle, best};
    }
    std::uintmax_t iterations = 100;
    const auto found = boost::math::tools::brent_find_minima(f, left, right, 22, iterations);
    return found.second < best ? found : std::make_pair(middle, best);
}

} // namespace

double
SampledGaussianRdp(double rate, double mu, double order)
{
    return SampledGaussian(rate, mu).LogMoment(order) / (order - 1.0);
}

double
RdpToEpsilon(double rdp, double order, double delta)
{
    return rdp + std::log1p(-1.0 / order) - (std::log(delta) + std::log(order)) / (order - 1.0);
}

double
RdpToLogDelta(double rdp, double order, double epsilon)
{
    return (order - 1.0) * (rdp - epsilon + std::log1p(-1.0 / order)) - std::log(order);
}

void
RdpComposition::Add(double rate, double mu, std::uint64_t count)
{
    m_steps[{rate, mu}] += count;
}

double
RdpComposition::Rdp(double order) const
{
    double sum = 0.0;
    for (const auto& [step, count] : m_steps)
    {
        sum += static_cast<double>(count) * SampledGaussianRdp(step.first, step.second, order);
    }
    return sum;
}

RdpOptimum
RdpComposition::Optimise(double delta) const
{
    std::vector<Group> groups;
    for (const auto& [step, count] : m_steps)
    {
        if (step.first > 0.0 && step.second > 0.0 && count > 0)
        {
            groups.push_back({SampledGaussian(step.first, step.second), double(count)});
        }
    }
    if (groups.empty())
    {
        return {};
    }
    const auto epsilon = [&groups, delta](double u) {
        const double order = 1.0 + std::exp(u);
        double logMoment = 0.0;
        for (Group& group : groups)
        {
            logMoment += group.count * group.step.LogMoment(order);
        }
        return RdpToEpsilon(logMoment / (order - 1.0), order, delta);
    };
    const auto [u, best] = Descend(epsilon, std::log(GuessOrder(m_steps, delta)));
    return {std::max(best, 0.0), 1.0 + std::exp(u)};
}

} // namespace dpdl
