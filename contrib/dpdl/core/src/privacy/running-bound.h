// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_RUNNING_BOUND_H
#define DPDL_PRIVACY_RUNNING_BOUND_H

#include "composed-loss.h"
#include "dpdl/privacy/accountant.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace dpdl
{

/// Gives the steps that are planned next: at least as many as asked for, if there are.
using LaterSteps = std::function<std::vector<CountedStep>(std::size_t)>;

/**
 * @brief What an accountant says of a list of steps that grows, at a cost by what is new.
 *
 * The upper bound is never below the accountant's own epsilon, as far as that one keeps the
 * distance to the exact value that it aims at; it is a bound of the exact value in any case.
 */
class RunningBound
{
  public:
    virtual ~RunningBound() = default;

    /// Adds steps permanently.
    virtual void Add(const std::vector<CountedStep>& counted) = 0;

    /**
     * @brief Bounds epsilon of the steps added so far and some more, which are not added.
     * @param ahead what is also to be counted
     * @param later what to be prepared for
     * @param enough a bound up to this need not be sharper
     * @return the bound, and what the accountant's epsilon of the steps is hardly below
     */
    virtual EpsilonBounds With(const std::vector<CountedStep>& ahead,
                               const LaterSteps& later,
                               double enough) = 0;

    /// A copy that goes its own way.
    virtual std::unique_ptr<RunningBound> Clone() const = 0;
};

/**
 * @brief Bounds of no steps; the largest of them counts.
 * @param accountant that is to be followed; outlives the result
 * @param question delta and adjacency; both directions
 */
std::vector<std::shared_ptr<RunningBound>> StartBounds(const Accountant& accountant,
                                                       const AccountingQuery& question);

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

/**
 * @brief The running bound of PldComposition in one direction.
 * @param pld the accountant; outlives the result
 * @param question delta and adjacency
 * @param remove the direction "an example is removed"; false: the other one
 */
std::shared_ptr<RunningBound> MakeSpectralBound(const Accountant& pld,
                                                const AccountingQuery& question,
                                                bool remove);

} // namespace dpdl

#endif // DPDL_PRIVACY_RUNNING_BOUND_H
