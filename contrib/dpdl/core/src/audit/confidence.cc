// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/confidence.h"

#include <boost/math/distributions/binomial.hpp>

namespace dpdl
{

namespace
{

using Binomial = boost::math::binomial_distribution<double>;

} // namespace

double
BinomialLowerBound(std::uint64_t hits, std::uint64_t trials, double alpha)
{
    return hits == 0 ? 0.0
                     : Binomial::find_lower_bound_on_p(static_cast<double>(trials),
                                                       static_cast<double>(hits),
                                                       alpha);
}

double
BinomialUpperBound(std::uint64_t hits, std::uint64_t trials, double alpha)
{
    return hits == trials ? 1.0
                          : Binomial::find_upper_bound_on_p(static_cast<double>(trials),
                                                            static_cast<double>(hits),
                                                            alpha);
}

} // namespace dpdl
