// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ASKED_BOUND_H
#define DPDL_PRIVACY_ASKED_BOUND_H

#include "running-bound.h"

namespace dpdl
{

/// Asks the accountant itself, each time.
class AskedBound : public RunningBound
{
  public:
    /**
     * @param accountant answers; outlives this object
     * @param question delta, adjacency, direction
     */
    AskedBound(const Accountant& accountant, const AccountingQuery& question)
        : m_accountant(accountant),
          m_question(question)
    {
    }

    void Add(const std::vector<CountedStep>& counted) override
    {
        for (const CountedStep& one : counted)
        {
            m_tally.Add(one);
        }
    }

    EpsilonBounds With(const std::vector<CountedStep>& ahead,
                       const LaterSteps& later,
                       double enough) override
    {
        static_cast<void>(later);
        static_cast<void>(enough);
        StepTally tally = m_tally;
        for (const CountedStep& counted : ahead)
        {
            tally.Add(counted);
        }
        const double epsilon = m_accountant.Evaluate(tally.Counts(), m_question).epsilon;
        return {epsilon, epsilon};
    }

    std::unique_ptr<RunningBound> Clone() const override
    {
        return std::make_unique<AskedBound>(*this);
    }

  private:
    const Accountant& m_accountant; ///< answers
    AccountingQuery m_question;     ///< what is asked
    StepTally m_tally;              ///< the steps so far
};

} // namespace dpdl

#endif // DPDL_PRIVACY_ASKED_BOUND_H
