// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "moments-formula.h"

#include <cmath>
#include <sstream>

namespace dpdl
{

MomentsFormula::MomentsFormula(double rate, double weight, double delta, double c2)
    : m_rate(rate),
      m_root(c2 * rate * std::sqrt(-weight * std::log(delta)))
{
}

double
MomentsFormula::Noise(double epsilon) const
{
    return m_root / epsilon;
}

double
MomentsFormula::Epsilon(double noise) const
{
    return m_root / noise;
}

std::vector<std::string>
MomentsFormula::Warnings(double epsilon, double noise, double steps) const
{
    std::vector<std::string> warnings;
    const auto warn = [&warnings](const std::string& what, double is, const char* should) {
        std::ostringstream text;
        text << "moments-regime: " << what << " is " << is << ", the theorem needs " << should;
        warnings.push_back(text.str());
    };
    if (noise < 1.0)
    {
        warn("the smallest noise multiplier", noise, "at least 1");
    }
    if (m_rate * noise * 16.0 >= 1.0)
    {
        warn("rate times noise multiplier", m_rate * noise, "less than 1/16");
    }
    const double order = -noise * noise * std::log(m_rate * noise);
    if (order < 1.0)
    {
        warn("the largest admissible order lambda", order, "at least 1");
    }
    std::ostringstream constant;
    constant
        << "moments-regime: the theorem needs epsilon < c1 q^2 T, that is an unstated c1 above "
        << epsilon / (m_rate * m_rate * steps);
    warnings.push_back(constant.str());
    return warnings;
}

} // namespace dpdl
