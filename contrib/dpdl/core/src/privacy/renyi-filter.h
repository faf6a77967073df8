// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_RENYI_FILTER_H
#define DPDL_PRIVACY_RENYI_FILTER_H

#include "additive-filter.h"

namespace dpdl
{

/// See MakeRenyiFilter.
class RenyiFilter : public AdditiveFilter
{
  public:
    /// @param order > 1, fixed before the first release
    RenyiFilter(double order, double budget, const Question& question);

    /// The order at which the budget lasts for most releases like the typical one.
    static double BestOrder(double budget, const Question& question, const Release& typical);

  protected:
    double Cost(const PrivacyStep& step) const override;

  private:
    double m_order;        ///< fixed before the first release
    Adjacency m_adjacency; ///< which datasets are neighbours
};

} // namespace dpdl

#endif // DPDL_PRIVACY_RENYI_FILTER_H
