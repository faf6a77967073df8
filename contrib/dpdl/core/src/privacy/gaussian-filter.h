// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_GAUSSIAN_FILTER_H
#define DPDL_PRIVACY_GAUSSIAN_FILTER_H

#include "additive-filter.h"

namespace dpdl
{

/// See MakeGaussianFilter.
class GaussianFilter : public AdditiveFilter
{
  public:
    GaussianFilter(double budget, const Question& question);

  protected:
    double Cost(const PrivacyStep& step) const override;

  private:
    Adjacency m_adjacency; ///< which datasets are neighbours
};

} // namespace dpdl

#endif // DPDL_PRIVACY_GAUSSIAN_FILTER_H
