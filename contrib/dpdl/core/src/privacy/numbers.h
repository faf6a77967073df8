// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_NUMBERS_H
#define DPDL_PRIVACY_NUMBERS_H

#include <boost/math/constants/constants.hpp>
#include <limits>

namespace dpdl
{

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double PI = boost::math::constants::pi<double>();
/// Larger exponents are not exponentiated: the result, or a product with it, might overflow.
constexpr double LARGEST_EXPONENT = 600.0;
/// Standard deviations beyond which the normal density is below 1e-22 of its maximum.
constexpr double NORMAL_TAIL = 10.0;

} // namespace dpdl

#endif // DPDL_PRIVACY_NUMBERS_H
