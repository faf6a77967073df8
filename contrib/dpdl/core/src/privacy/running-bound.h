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

    /// Adds steps for good.
    virtual void Add(const std::vector<CountedStep>& counted) = 0;

    /**
     * @brief Bounds epsilon of the steps added so far and some more, which are not added.
     * @param ahead what is to be counted besides
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

} // namespace dpdl

#endif // DPDL_PRIVACY_RUNNING_BOUND_H
