// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_RENYI_BOUND_H
#define DPDL_PRIVACY_RENYI_BOUND_H

#include "asked-bound.h"
#include "step-moment.h"

#include <array>
#include <map>
#include <memory>

namespace dpdl
{

/**
 * @brief The Renyi bound of a list of steps that grows.
 *
 * Every order gives a bound. Sums of log moments are kept at three neighbouring orders of a grid
 * that is fine enough for the best of its orders to be within 2e-4, relative, of the best of all;
 * they move along the grid so that the one in the middle is the best. The accountant itself is
 * asked for the first steps and for the sampler `shuffle`.
 */
class RenyiBound : public RunningBound
{
  public:
    /**
     * @param rdp the accountant; outlives this object
     * @param question delta and adjacency
     */
    RenyiBound(const Accountant& rdp, const AccountingQuery& question);

    void Add(const std::vector<CountedStep>& counted) override;
    EpsilonBounds With(const std::vector<CountedStep>& ahead,
                       const LaterSteps& later,
                       double enough) override;

    std::unique_ptr<RunningBound> Clone() const override
    {
        return std::make_unique<RenyiBound>(*this);
    }

  private:
    /// log moments at the three orders, or the epsilons that follow.
    using Three = std::array<double, 3>;
    using Moments = std::map<PrivacyStep, StepMoment>;

    double Order(int place) const;
    /// log moment of some steps at an order, as the accountant has it or slightly more.
    double LogMoment(const StepCounts& steps, int place);
    Three Epsilons(const Three& sums) const;
    /// Goes to the best orders for the steps so far.
    void Settle();
    /// True if the accountant rounds this many kinds of steps up.
    bool IsRounded(std::size_t kinds) const;

    AskedBound m_asked;                 ///< where sums do not serve
    AccountingQuery m_question;         ///< what is asked
    bool m_additive{true};              ///< false: m_asked answers from now on
    bool m_special{false};              ///< some step is not Gaussian under Poisson sampling
    StepCounts m_steps;                 ///< the steps so far, but Gaussian ones without sampling
    double m_square{0.0};               ///< of those: sum of squared shifts
    std::size_t m_count{0};             ///< number of steps so far
    std::size_t m_settledAt{0};         ///< number of steps when the order was last looked for
    int m_middle{0};                    ///< place of the order in the middle
    Three m_sums{};                     ///< log moments of m_steps at the three orders
    std::shared_ptr<Moments> m_moments; ///< of single steps; shared with copies
};

} // namespace dpdl

#endif // DPDL_PRIVACY_RENYI_BOUND_H
