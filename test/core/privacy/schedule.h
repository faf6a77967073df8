// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_PRIVACY_SCHEDULE_H
#define DPDL_TEST_PRIVACY_SCHEDULE_H

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <cstdint>
#include <string>

namespace dpdl
{

/// Gaussian steps, Poisson-sampled for a rate below 1, and what accountants say of them.
class Schedule
{
  public:
    void Add(double rate, double mu, std::uint64_t count = 1)
    {
        PrivacyStep step;
        step.sampling = rate < 1.0 ? Amplification::POISSON : Amplification::NONE;
        step.rate = rate;
        step.muAddRemove = mu;
        step.muReplace = 2.0 * mu;
        m_steps[step] += count;
    }

    static Schedule Constant(double rate, double mu, std::uint64_t count)
    {
        Schedule schedule;
        schedule.Add(rate, mu, count);
        return schedule;
    }

    /// mu_k = mu growth^(k / count).
    static Schedule Growing(double rate, double mu, double growth, std::uint64_t count)
    {
        Schedule schedule;
        for (std::uint64_t k = 0; k < count; ++k)
        {
            schedule.Add(rate, mu * std::pow(growth, static_cast<double>(k) / count));
        }
        return schedule;
    }

    Guarantee Ask(const std::string& accountant, double delta, Direction direction) const
    {
        return Accountants()
            .Get(accountant)
            ->Evaluate(m_steps, {delta, Adjacency::ADD_REMOVE, direction});
    }

    double Epsilon(const std::string& accountant,
                   double delta,
                   Direction direction = Direction::BOTH) const
    {
        return Ask(accountant, delta, direction).epsilon;
    }

  private:
    StepCounts m_steps;
};

/// mu_k proportional to growth^(k/steps), as in Dyn-D2P; without growth all steps are equal.
inline ScheduleShape
Growing(double rate, std::uint32_t steps, double growth = 1.0)
{
    ScheduleShape shape{{}, std::vector<double>(steps, rate)};
    for (std::uint32_t k = 0; k < steps; ++k)
    {
        shape.mu.push_back(std::pow(growth, static_cast<double>(k) / steps));
    }
    return shape;
}

/**
 * @brief mu of the first step if mu_k = mu_0 growth^(k/steps) and the central limit claims a total
 *        (Dyn-D2P, eq. 8).
 */
inline double
CltInitialMu(double total, double rate, std::uint32_t steps, double growth)
{
    const ScheduleShape shape = Growing(rate, steps, growth);
    return CltScale(total, shape.mu, shape.rate);
}

/// The same if all steps are alike (eq. 9).
inline double
CltConstantMu(double total, double rate, std::uint32_t steps)
{
    return std::sqrt(std::log1p(total / rate * (total / rate) / steps));
}

} // namespace dpdl

#endif // DPDL_TEST_PRIVACY_SCHEDULE_H
