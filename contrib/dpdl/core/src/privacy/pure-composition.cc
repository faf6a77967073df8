// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pure-composition.h"

#include "normal-tail.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

// Composition theorems of pure DP: basic, advanced, and optimal. Optimal composition enumerates the
// privacy losses of composed randomised responses.

namespace dpdl
{

namespace
{

/// Largest epsilon of a step for which the optimal composition is computed, so e^epsilon is finite.
constexpr double LARGEST_STEP = 500.0;
/// Largest number of steps for which the optimal composition is computed.
constexpr std::uint64_t MOST_LISTED_STEPS = 100'000'000;

/// Privacy loss of the composition of `count` randomised responses with epsilon e each. The privacy
/// loss is (count - 2 j) e if j responses are untruthful.
class Responses
{
  public:
    Responses(double stepEpsilon, std::uint64_t count)
        : m_epsilon(stepEpsilon),
          m_count(static_cast<double>(count)),
          m_law(m_count, 1.0 / (1.0 + std::exp(stepEpsilon)))
    {
    }

    /// Privacy loss of the composition, in nats, if j of its responses are untruthful.
    double Loss(double j) const
    {
        return (m_count - 2.0 * j) * m_epsilon;
    }

    /// Sum over j = 0..last of f(j) times the probability of j untruthful responses, for f(j) in
    /// [0, 1].
    template <typename F>
    double Sum(double last, F f) const
    {
        const double odds = std::exp(-m_epsilon);
        const double start = std::min(last, std::floor(m_count * m_law.success_fraction()));
        double sum = 0.0;
        const double middle = boost::math::pdf(m_law, start);
        double mass = middle;
        for (double j = start; j >= 0.0 && mass > NEGLIGIBLE * middle; j -= 1.0)
        {
            sum += mass * f(j);
            mass *= j / ((m_count - j + 1.0) * odds);
        }
        mass = middle * (m_count - start) / (start + 1.0) * odds;
        for (double j = start + 1.0; j <= last && mass > NEGLIGIBLE * middle; j += 1.0)
        {
            sum += mass * f(j);
            mass *= (m_count - j) / (j + 1.0) * odds;
        }
        return sum;
    }

    /// Smallest delta for which the composition is (@p epsilon, delta)-DP.
    double Delta(double epsilon) const
    {
        const double last = std::ceil(0.5 * (m_count - epsilon / m_epsilon)) - 1.0;
        return last < 0.0 ? 0.0 : Sum(last, [this, epsilon](double j) {
            return -std::expm1(std::min(epsilon - Loss(j), 0.0));
        });
    }

    /// Smallest epsilon for which the composition is (epsilon, @p delta)-DP. Between two
    /// neighbouring privacy losses, delta is a constant minus a multiple of e^epsilon, so epsilon
    /// has a closed form.
    double Epsilon(double delta) const
    {
        double low = 0.0;
        double high = std::floor(0.5 * m_count);
        while (low < high)
        {
            const double middle = std::ceil(0.5 * (low + high));
            if (Delta(Loss(middle)) <= delta)
            {
                low = middle;
            }
            else
            {
                high = middle - 1.0;
            }
        }
        const double mass = Sum(low, [](double) { return 1.0; });
        const double scaled =
            Sum(low, [this, low](double j) { return std::exp(2.0 * (j - low) * m_epsilon); });
        const double share = (mass - delta) / scaled;
        return share > 0.0 ? std::max(Loss(low) + std::log(std::min(share, 1.0)), 0.0) : 0.0;
    }

  private:
    /// Probabilities below this fraction of the largest probability are ignored.
    static constexpr double NEGLIGIBLE = 1e-40;

    double m_epsilon;
    double m_count;
    boost::math::binomial_distribution<double> m_law; ///< number of untruthful responses
};

} // namespace

std::string
WhyNotPure(const PrivacyStep& step, Adjacency /* adjacency */)
{
    return step.noise == NoiseKind::LAPLACE ? "" : "accepts Laplace noise only";
}

double
PureEpsilon(const PrivacyStep& step, Adjacency adjacency)
{
    return LogMixture(step.rate, step.Distance(adjacency));
}

PureSteps
ToPureSteps(const StepCounts& steps, Adjacency adjacency)
{
    PureSteps pure;
    for (const auto& [step, count] : steps)
    {
        pure[PureEpsilon(step, adjacency)] += count;
    }
    return pure;
}

double
BasicEpsilon(const PureSteps& steps)
{
    double sum = 0.0;
    for (const auto& [epsilon, count] : steps)
    {
        sum += static_cast<double>(count) * epsilon;
    }
    return sum;
}

double
AdvancedEpsilon(const PureSteps& steps, double delta)
{
    double mean = 0.0;
    double squares = 0.0;
    for (const auto& [epsilon, count] : steps)
    {
        mean += static_cast<double>(count) * epsilon * std::expm1(epsilon);
        squares += static_cast<double>(count) * epsilon * epsilon;
    }
    return std::min(mean + std::sqrt(-2.0 * std::log(delta) * squares), BasicEpsilon(steps));
}

double
OptimalDelta(double stepEpsilon, std::uint64_t count, double epsilon)
{
    return Responses(stepEpsilon, count).Delta(epsilon);
}

double
OptimalEpsilon(const PureSteps& steps, double delta)
{
    double mean = 0.0;
    double squares = 0.0;
    std::uint64_t total = 0;
    for (const auto& [epsilon, count] : steps)
    {
        mean += static_cast<double>(count) * epsilon * std::tanh(0.5 * epsilon);
        squares += static_cast<double>(count) * epsilon * epsilon;
        total += count;
    }
    const double largest = steps.empty() ? 0.0 : steps.rbegin()->first;
    double best = std::min(mean + std::sqrt(-2.0 * std::log(delta) * squares), BasicEpsilon(steps));
    if (largest > 0.0 && largest <= LARGEST_STEP && total <= MOST_LISTED_STEPS)
    {
        best = std::min(best, Responses(largest, total).Epsilon(delta));
    }
    return best;
}

} // namespace dpdl
