// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/scaled-double.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// Largest difference of two binary exponents for which operator+= adds. With a larger difference,
/// the sum is the number with the larger exponent.
constexpr std::int32_t NEGLIGIBLE_EXPONENT_GAP = 1100;

} // namespace

ScaledDouble::ScaledDouble(double value)
    : m_mantissa(value)
{
    int exponent = 0;
    m_mantissa = std::frexp(value, &exponent);
    m_exponent = m_mantissa == 0.0 ? 0 : exponent;
}

ScaledDouble
ScaledDouble::FromParts(double mantissa, std::int32_t exponent)
{
    ScaledDouble value(mantissa);
    value.m_exponent = value.IsZero() ? 0 : value.m_exponent + exponent;
    return value;
}

double
ScaledDouble::ToDouble() const
{
    return std::ldexp(m_mantissa, m_exponent);
}

ScaledDouble&
ScaledDouble::operator+=(ScaledDouble other)
{
    if (other.IsZero())
    {
        return *this;
    }
    if (IsZero() || other.m_exponent - m_exponent > NEGLIGIBLE_EXPONENT_GAP)
    {
        return *this = other;
    }
    const std::int32_t gap = other.m_exponent - m_exponent;
    if (gap < -NEGLIGIBLE_EXPONENT_GAP)
    {
        return *this;
    }
    return *this = FromParts(m_mantissa + std::ldexp(other.m_mantissa, gap), m_exponent);
}

ScaledDouble&
ScaledDouble::operator*=(double factor)
{
    return *this = FromParts(m_mantissa * factor, m_exponent);
}

double
operator/(ScaledDouble a, ScaledDouble b)
{
    return std::ldexp(a.m_mantissa / b.m_mantissa, a.m_exponent - b.m_exponent);
}

bool
operator<(ScaledDouble a, ScaledDouble b)
{
    if (a.IsZero() || b.IsZero() || a.m_exponent == b.m_exponent)
    {
        return a.IsZero() || b.IsZero() ? !b.IsZero() && a.IsZero() : a.m_mantissa < b.m_mantissa;
    }
    return a.m_exponent < b.m_exponent;
}

} // namespace dpdl
