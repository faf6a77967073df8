// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp.h"

#include "accountants.h"
#include "moment-composition.h"
#include "normal-tail.h"
#include "sampled-gaussian.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <vector>

// Renyi DP of Gaussian steps. Log moments are added over the steps, and a numerical search over the
// order finds the smallest epsilon.

namespace dpdl
{

namespace
{

using Steps = std::map<std::pair<double, double>, std::uint64_t>;

/// ORDER_NODES: number of Chebyshev nodes that replace more than 32 values of mu. ORDER_CHECKS:
/// number of other values of mu at which the interpolation error is measured.
constexpr int ORDER_NODES = 24;
constexpr int ORDER_CHECKS = 4;
/// Limits on the relative interpolation error of the log moment. Up to SMALL_ERROR, the error is
/// added to the bound. Up to LARGEST_ERROR, the interpolation only finds the best order, and the
/// bound at this order is computed without interpolation.
constexpr double SMALL_ERROR = 1e-7;
constexpr double LARGEST_ERROR = 1e-3;

/// Computes the log moment log E[r^a] of a composition at any order a, with the likelihood ratio r
/// of SampledGaussian.
class ComposedMoments
{
  public:
    /**
     * @param steps number of steps; key: (sampling rate, mu)
     * @param interpolate true: steps of equal rate are interpolated in mu if there are more than 32
     *        within a factor of two
     */
    ComposedMoments(const Steps& steps, bool interpolate)
    {
        std::map<double, std::map<double, double>> rates;
        for (const auto& [step, count] : steps)
        {
            if (step.first > 0.0 && step.second > 0.0 && count > 0)
            {
                rates[step.first][step.second] += static_cast<double>(count);
            }
        }
        for (const auto& [rate, counts] : rates)
        {
            const int spare = interpolate ? 2 * ORDER_CHECKS : static_cast<int>(counts.size());
            for (const MuPiece& piece : PiecesOver(counts, ORDER_NODES, spare))
            {
                AddPiece(rate, piece);
            }
        }
    }

    bool Empty() const
    {
        return m_groups.empty();
    }

    double At(double order)
    {
        double sum = 0.0;
        for (Group& group : m_groups)
        {
            sum += group.count * group.step.LogMoment(order);
        }
        return sum;
    }

    /// Estimated interpolation error of the log moment: four times the sum of the errors measured
    /// between the interpolation nodes.
    double Margin(double order)
    {
        double margin = 0.0;
        for (Check& check : m_checks)
        {
            double expected = 0.0;
            for (std::size_t j = 0; j < check.weights.size(); ++j)
            {
                expected += check.weights[j] * m_groups[check.first + j].step.LogMoment(order);
            }
            margin += 4.0 * check.count * std::abs(expected - check.step.LogMoment(order));
        }
        return margin;
    }

  private:
    /// A step, and the number of equal steps (`count`). For an interpolation node in mu, `count` is
    /// its weight.
    struct Group
    {
        SampledGaussian step;
        double count;
    };

    /// A step whose mu is between two interpolation nodes, for measuring the interpolation error.
    /// `first` is the index in m_groups of the first interpolation node, `weights` are the weights
    /// of the nodes at this mu, and `count` is the number of interpolated steps.
    struct Check
    {
        SampledGaussian step;
        std::size_t first;
        std::vector<double> weights;
        double count;
    };

    void AddPiece(double rate, const MuPiece& piece)
    {
        const std::size_t first = m_groups.size();
        for (const MuNode& node : piece.nodes)
        {
            m_groups.push_back({SampledGaussian(rate, node.mu), node.weight});
        }
        if (piece.interpolated)
        {
            for (const double mu : HeldOut(piece, ORDER_CHECKS))
            {
                m_checks.push_back({SampledGaussian(rate, mu),
                                    first,
                                    InterpolationWeights(piece, mu),
                                    piece.count});
            }
        }
    }

    std::vector<Group> m_groups;
    std::vector<Check> m_checks;
};

/// First guess of a - 1, where a is the Renyi order with the smallest epsilon.
double
GuessOrder(const Steps& steps, double delta)
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

/// Minimum of a quasi-convex function of u, found from the point @p start; the search stops at a
/// value <= 0.
/// @return u and the minimum
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

void
AccountByRdp(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    const auto special = [&question](const auto& entry) {
        return NeedsPair(entry.first, question.adjacency);
    };
    if (std::any_of(steps.begin(), steps.end(), special))
    {
        const MomentComposition composition(steps, question.adjacency);
        guarantee.epsilon = composition.Optimise(question.delta).epsilon;
        if (composition.Rounded())
        {
            guarantee.warnings.emplace_back(
                "many different steps were rounded up to fewer kinds; epsilon is slightly high");
        }
        return;
    }
    RdpComposition composition;
    for (const auto& [step, count] : steps)
    {
        composition.Add(step.rate, step.Shift(question.adjacency), count);
    }
    guarantee.epsilon = composition.Optimise(question.delta).epsilon;
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
    for (const bool interpolate : {true, false})
    {
        ComposedMoments moments(m_steps, interpolate);
        if (moments.Empty())
        {
            return {};
        }
        const auto epsilon = [&moments, delta](double u) {
            const double order = 1.0 + std::exp(u);
            return RdpToEpsilon(moments.At(order) / (order - 1.0), order, delta);
        };
        const auto [u, best] = Descend(epsilon, std::log(GuessOrder(m_steps, delta)));
        const double order = 1.0 + std::exp(u);
        const double margin = moments.Margin(order);
        const double error = margin > 0.0 ? margin / moments.At(order) : margin;
        if (error <= LARGEST_ERROR)
        {
            // Every order gives a valid bound. This order is close to the best order.
            const double bound = error <= SMALL_ERROR ? best + margin / (order - 1.0)
                                                      : RdpToEpsilon(Rdp(order), order, delta);
            return {std::isnan(bound) ? INF : std::max(bound, 0.0), order};
        }
    }
    return {INF};
}

AccountantRow
RdpAccountant()
{
    return {"rdp",
            "certified: Renyi DP, best real order; Gaussian, Laplace and discrete Gaussian noise, "
            "every sampler",
            "Mironov, Talwar and Zhang 2019; Canonne, Kamath and Steinke 2020, Prop. 12",
            true,
            WhyNoMoment,
            AccountByRdp};
}

} // namespace dpdl
