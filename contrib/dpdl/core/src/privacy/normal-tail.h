// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_NORMAL_TAIL_H
#define DPDL_PRIVACY_NORMAL_TAIL_H

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>

namespace dpdl
{

/// Probabilities that a standard normal value is below and above a point. Only the smaller of the
/// two is stored, because it has the smaller relative error.
class NormalTail
{
  public:
    /// @param x point that separates the two tails
    explicit NormalTail(double x)
        : m_value(0.5 * std::erfc(std::abs(x) * std::sqrt(0.5))),
          m_upper(x > 0.0)
    {
    }

    /// Probability of a value below the point.
    double Below() const
    {
        return m_upper ? 1.0 - m_value : m_value;
    }

    /// Probability of a value above the point.
    double Above() const
    {
        return m_upper ? m_value : 1.0 - m_value;
    }

    /// Probability of a value between the points of @p a and @p b, which may be in any order. Has a
    /// small relative error even if both points are in one tail.
    static double Between(const NormalTail& a, const NormalTail& b)
    {
        return a.m_upper == b.m_upper ? std::abs(a.m_value - b.m_value)
                                      : 1.0 - a.m_value - b.m_value;
    }

    /// Point x above which a standard normal value is with probability @p tail; -infinity if @p
    /// tail is 1 or more.
    static double Quantile(double tail)
    {
        return tail < 1.0 ? std::sqrt(2.0) * boost::math::erfc_inv(2.0 * tail)
                          : -std::numeric_limits<double>::infinity();
    }

  private:
    double m_value; ///< probability of the less probable tail
    bool m_upper;   ///< true: m_value is the probability above the point
};

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double PI = boost::math::constants::pi<double>();
/// Largest x for which formulas compute e^x. At larger x, a product with e^x might overflow.
constexpr double LARGEST_EXPONENT = 600.0;
/// Number of standard deviations beyond which the normal density is below 1e-21 times its maximum.
constexpr double NORMAL_TAIL = 10.0;

/// Privacy loss log(1 - rate + rate e^loss) of a sampled step, computed without overflow or
/// cancellation.
/// @param loss privacy loss of the step without sampling, in nats
/// @param rate sampling rate, in (0, 1]
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

/// ((1 + w)^a - 1 - a w) / w^2 by its Taylor series in w, for |w| max(|a|, 2) < 0.1.
inline double
BinomialTail(double w, double a)
{
    double sum = 1.0;
    for (int k = 14; k >= 3; --k)
    {
        sum = 1.0 + (a - (k - 1)) / k * w * sum;
    }
    return 0.5 * a * (a - 1.0) * sum;
}

} // namespace dpdl

#endif // DPDL_PRIVACY_NORMAL_TAIL_H
