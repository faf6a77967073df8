// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp-clt.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>

namespace dpdl
{

namespace
{

void
CheckLengths(const std::vector<double>& mu, const std::vector<double>& rate)
{
    if (mu.size() != rate.size())
    {
        throw Error("a schedule needs as many sampling rates as steps");
    }
}

} // namespace

double
CltMu(const std::vector<double>& mu, const std::vector<double>& rate)
{
    CheckLengths(mu, rate);
    CltTotal total;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
        total.Add(mu[k], rate[k]);
    }
    return total.Mu();
}

double
CltFixedMu(const std::vector<double>& mu, const std::vector<double>& rate)
{
    CheckLengths(mu, rate);
    double sum = 0.0;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
        // Phi(3 mu / 2) + 3 Phi(-mu / 2) - 2 is of third order in mu; erf is accurate near 0.
        const double near = std::erf(0.5 * mu[k] * std::sqrt(0.5));
        const double far = std::erf(1.5 * mu[k] * std::sqrt(0.5));
        const double grown = std::expm1(mu[k] * mu[k]) * 0.5 * (1.0 + far);
        if (rate[k] > 0.0)
        {
            sum += 2.0 * rate[k] * rate[k] * (grown + 0.5 * (far - 3.0 * near));
        }
    }
    return std::sqrt(sum);
}

double
CltKappa(const std::vector<double>& mu, const std::vector<double>& rate)
{
    CheckLengths(mu, rate);
    double third = 0.0;
    double variance = 0.0;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
        // e^(3m) - 3 e^m + 2 = (e^m - 1)^2 (e^m + 2)
        const double grown = std::expm1(mu[k] * mu[k]);
        const double scaled = rate[k] * rate[k] * grown;
        if (rate[k] > 0.0)
        {
            third += rate[k] * scaled * grown * (grown + 3.0);
            variance += scaled;
        }
    }
    if (variance == 0.0)
    {
        return 0.0;
    }
    const double kappa = third / variance / std::sqrt(variance);
    return std::isfinite(kappa) ? kappa : std::numeric_limits<double>::infinity();
}

double
CltScale(double muTotal, const std::vector<double>& shape, const std::vector<double>& rate)
{
    CheckLengths(shape, rate);
    const double target = muTotal * muTotal;
    double high = std::numeric_limits<double>::infinity();
    double sumOfSquares = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < shape.size(); ++k)
    {
        const double square = rate[k] * rate[k];
        if (shape[k] > 0.0 && square > 0.0)
        {
            // No single step may exceed the total; this also keeps the exponentials finite.
            high = std::min(high, std::sqrt(std::log1p(target / square)) / shape[k]);
            sumOfSquares += square;
            largest = std::max(largest, shape[k]);
        }
    }
    if (!std::isfinite(high) || !(muTotal > 0.0))
    {
        throw UsageError("a schedule needs a step that uses data, and a total above 0");
    }
    const double low = std::sqrt(std::log1p(target / sumOfSquares)) / largest;
    const auto excess = [&](double logScale) {
        const double scale = std::exp(logScale);
        double sum = 0.0;
        for (std::size_t k = 0; k < shape.size(); ++k)
        {
            const double mu = scale * shape[k];
            sum += rate[k] * rate[k] * std::expm1(mu * mu);
        }
        return std::log(sum / target);
    };
    const double margin = 1e-12;
    std::uintmax_t iterations = 200;
    const auto bracket =
        boost::math::tools::toms748_solve(excess,
                                          std::log(low) - margin,
                                          std::log(high) + margin,
                                          boost::math::tools::eps_tolerance<double>(50),
                                          iterations);
    return std::exp(0.5 * (bracket.first + bracket.second));
}

void
CltTotal::Add(double mu, double rate)
{
    if (rate > 0.0)
    {
        m_sum += rate * rate * std::expm1(mu * mu);
    }
}

double
CltTotal::Mu() const
{
    return std::sqrt(m_sum);
}

} // namespace dpdl
