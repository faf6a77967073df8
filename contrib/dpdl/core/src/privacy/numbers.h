// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_NUMBERS_H
#define DPDL_PRIVACY_NUMBERS_H

#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <limits>

namespace dpdl
{

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double PI = boost::math::constants::pi<double>();
/// Larger exponents are not exponentiated, because the result or a product with it might overflow.
constexpr double LARGEST_EXPONENT = 600.0;
/// Standard deviations beyond which the normal density is below 1e-22 of its maximum.
constexpr double NORMAL_TAIL = 10.0;

/// log(1 - rate + rate e^loss) for rate in (0, 1] and a finite loss, without overflow or
/// cancellation.
inline double
LogMixture(double rate, double loss)
{
    if (rate == 1.0)
    {
        return loss;
    }
    return loss < 600.0 ? std::log1p(rate * std::expm1(loss))
                        : loss + std::log(rate + (1.0 - rate) * std::exp(-loss));
}

} // namespace dpdl

#endif // DPDL_PRIVACY_NUMBERS_H
