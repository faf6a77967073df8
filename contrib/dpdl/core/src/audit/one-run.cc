// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/one-run.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// Upper end of the search for epsilon. At this value e^-epsilon is still a normal double.
constexpr double LARGEST_EPSILON = 300.0;

} // namespace

double
OneRunPValue(const GuessCounts& counts, double epsilon, double delta)
{
    const double right = 1.0 / (1.0 + std::exp(-epsilon));
    const boost::math::binomial_distribution<double> guesses(static_cast<double>(counts.guesses),
                                                             right);
    if (counts.correct == 0)
    {
        return 1.0;
    }
    const auto correct = static_cast<double>(counts.correct);
    const double atLeast = boost::math::cdf(boost::math::complement(guesses, correct - 1.0));
    double below = 0.0;
    double largest = 0.0;
    if (delta > 0.0)
    {
        for (std::uint64_t i = 1; i <= counts.correct; ++i)
        {
            below += boost::math::pdf(guesses, correct - static_cast<double>(i));
            largest = std::max(largest, below / static_cast<double>(i));
        }
    }
    return std::min(1.0, atLeast + 2.0 * static_cast<double>(counts.canaries) * delta * largest);
}

double
OneRunEpsilon(const GuessCounts& counts, double delta, double alpha)
{
    const auto excess = [&](double epsilon) {
        return OneRunPValue(counts, epsilon, delta) - alpha;
    };
    if (excess(0.0) >= 0.0)
    {
        return 0.0;
    }
    double high = 1.0;
    while (high < LARGEST_EPSILON && excess(high) < 0.0)
    {
        high *= 2.0;
    }
    if (excess(high) < 0.0)
    {
        return high;
    }
    std::uintmax_t iterations = 200;
    return boost::math::tools::bisect(excess,
                                      0.0,
                                      high,
                                      boost::math::tools::eps_tolerance<double>(48),
                                      iterations)
        .first;
}

GuessCounts
CountGuesses(const ScoreSample& scores, std::size_t guessIn, std::size_t guessOut)
{
    std::vector<std::pair<double, bool>> canaries;
    canaries.reserve(scores.with.size() + scores.without.size());
    for (const double score : scores.with)
    {
        canaries.emplace_back(score, true);
    }
    for (const double score : scores.without)
    {
        canaries.emplace_back(score, false);
    }
    DPDL_REFUSE_IF(guessIn + guessOut > canaries.size(),
                   "option 'guesses'",
                   std::to_string(guessIn + guessOut),
                   "at most as many as canaries");
    // Among equal scores, canaries that are not in the data are sorted first. So a tie never makes
    // a guess "in" correct by chance.
    std::sort(canaries.begin(), canaries.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : !a.second && b.second;
    });
    GuessCounts counts{canaries.size(), guessIn + guessOut, 0};
    for (std::size_t i = 0; i < guessIn; ++i)
    {
        counts.correct += canaries[i].second ? 1 : 0;
    }
    for (std::size_t i = canaries.size() - guessOut; i < canaries.size(); ++i)
    {
        counts.correct += canaries[i].second ? 0 : 1;
    }
    return counts;
}

ScoreSample
PlayOneRun(const CanaryGame& game, std::size_t canaries, RandomSeed seed)
{
    const RandomStream coins = StreamOf(seed, AuditStream::COINS, 0);
    std::size_t inside = 0;
    for (std::size_t i = 0; i < canaries; ++i)
    {
        inside += coins.Uniform(i) < 0.5 ? 1 : 0;
    }
    // All canaries have the same distribution of scores, so only the number of canaries in the data
    // is drawn.
    return {game.Scores(true, inside, seed), game.Scores(false, canaries - inside, seed)};
}

} // namespace dpdl
