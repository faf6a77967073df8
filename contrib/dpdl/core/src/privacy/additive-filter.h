// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ADDITIVE_FILTER_H
#define DPDL_PRIVACY_ADDITIVE_FILTER_H

#include "dpdl/privacy/privacy-filter.h"

#include <string>

namespace dpdl
{

/// The steps of an adaptively chosen release, without the flag that says so; infinite mu if
/// unknown.
StepCounts FilteredSteps(const Release& release);

/// A filter that adds up one number a release, against a budget in the same unit.
class AdditiveFilter : public PrivacyFilter
{
  public:
    /**
     * @param name stands in the guarantee
     * @param total what may be spent
     * @param budget the epsilon that the total stands for
     * @param question delta and adjacency
     */
    AdditiveFilter(std::string name, double total, double budget, const Question& question);

    /// The budget, once anything was admitted: less could be certified only after the fact.
    Guarantee Certified() const override;

  protected:
    bool Take(const Release& next) override;

    /// What one step takes from the total; infinity if it cannot be accounted for.
    virtual double Cost(const PrivacyStep& step) const = 0;

  private:
    Guarantee m_certified; ///< what the whole budget stands for
    double m_total;        ///< what may be spent
    double m_spent{0.0};   ///< what was
};

} // namespace dpdl

#endif // DPDL_PRIVACY_ADDITIVE_FILTER_H
