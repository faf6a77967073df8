// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gaussian-filter.h"

#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <limits>

namespace dpdl
{

GaussianFilter::GaussianFilter(double budget, const Question& question)
    : AdditiveFilter("gaussian-filter",
                     std::pow(GdpMu(budget, question.delta), 2),
                     budget,
                     question),
      m_adjacency(question.adjacency)
{
}

double
GaussianFilter::Cost(const PrivacyStep& step) const
{
    const double shift = step.Shift(m_adjacency);
    return step.noise == NoiseKind::GAUSSIAN && step.sampling == Amplification::NONE &&
                   std::isfinite(step.mu)
               ? shift * shift
               : std::numeric_limits<double>::infinity();
}

} // namespace dpdl
