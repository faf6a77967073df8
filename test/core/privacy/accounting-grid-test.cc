// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace dpdl
{

namespace
{

struct Setting
{
    double rate;
    double multiplier;
    double delta;
};

std::vector<Setting>
Settings()
{
    const double deltas[] = {1e-5, 1e-10, 1e-4, 1e-8, 1e-6};
    std::vector<Setting> settings;
    for (const double rate : {1e-4, 1e-3, 0.005, 0.02, 0.1, 0.3, 1.0})
    {
        for (const double multiplier : {0.3, 0.5, 0.8, 1.2, 2.0, 5.0, 20.0})
        {
            settings.push_back({rate, multiplier, deltas[settings.size() % 5]});
        }
    }
    return settings;
}

/// log delta of a single step, in closed form; -infinity where it is 0.
double
SingleStepLogDelta(double rate, double mu, double epsilon, Direction direction)
{
    // The hockey-stick divergence of a mixture with one of its parts is one of the parts' own.
    if (direction == Direction::REMOVE)
    {
        return std::log(rate) + GdpLogDelta(std::log1p(std::expm1(epsilon) / rate), mu);
    }
    const double kept = 1.0 - (1.0 - rate) * std::exp(epsilon);
    return kept > 0.0 ? std::log(kept) + GdpLogDelta(std::log(rate / kept) + epsilon, mu)
                      : -INFINITY;
}

/// epsilon of a single step: the closed form's root.
double
SingleStepEpsilon(const Setting& setting, Direction direction)
{
    double low = 0.0;
    double high = 400.0;
    for (int i = 0; i < 80; ++i)
    {
        const double middle = 0.5 * (low + high);
        const double logDelta =
            SingleStepLogDelta(setting.rate, 1.0 / setting.multiplier, middle, direction);
        (logDelta > std::log(setting.delta) ? low : high) = middle;
    }
    return high < 1e-20 ? 0.0 : high;
}

std::string
ToText(const Setting& setting, Direction direction)
{
    std::ostringstream text;
    text << "rate " << setting.rate << ", multiplier " << setting.multiplier << ", delta "
         << setting.delta << (direction == Direction::ADD ? ", add" : ", remove");
    return text.str();
}

} // namespace

// Schedules of many steps: inverted_laplace of oracles.json.
TEST(AccountingGrid, TheBoundOfOneStepIsAboveTheClosedFormAndCloseToIt)
{
    for (const Setting& setting : Settings())
    {
        const auto schedule = Schedule::Constant(setting.rate, 1.0 / setting.multiplier, 1);
        for (const Direction direction : {Direction::REMOVE, Direction::ADD})
        {
            const double exact = SingleStepEpsilon(setting, direction);
            const Guarantee bound = schedule.Ask("pld", setting.delta, direction);
            EXPECT_GE(bound.epsilon, exact * (1.0 - 1e-10)) << ToText(setting, direction);
            EXPECT_LE(bound.epsilon, exact + 1e-3 * std::max(1.0, exact))
                << ToText(setting, direction);
            EXPECT_LE(bound.lower, exact * (1.0 + 1e-10)) << ToText(setting, direction);
        }
    }
}

} // namespace dpdl
