// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/quantity.h"

#include "dpdl/base/errors.h"

#include <cmath>
#include <cstdio>
#include <map>

// Parses integers, numbers, times and data rates with their units, and formats numbers.

namespace dpdl
{

namespace
{

constexpr double SLOWEST_RATE = 1.0;  // bit/s; ns-3 counts integers
constexpr double FASTEST_RATE = 1e15; // bit/s; fits into ns-3's 64 bits

/// Parses the number at the beginning of @p text. Returns false if there is none, or if it is
/// infinite, NaN or a subnormal double.
/// @param[out] rest text after the number
bool
ReadLeadingNumber(const std::string& text, double& value, std::string& rest)
{
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(NumberBegin(text), end, value);
    if (error != std::errc() || !(std::isnormal(value) || value == 0.0))
    {
        return false;
    }
    rest.assign(stop, end);
    return true;
}

double
ParseQuantity(const std::string& what,
              const std::string& text,
              const std::map<std::string, double>& units,
              const std::string& accepted)
{
    double value = 0.0;
    std::string unit;
    if (ReadLeadingNumber(text, value, unit))
    {
        const auto factor = units.find(unit);
        if (factor != units.end() && value >= 0.0 && std::isfinite(value * factor->second))
        {
            return value * factor->second;
        }
    }
    throw UsageError(what, text, accepted);
}

std::map<std::string, double>
RateUnits()
{
    std::map<std::string, double> units;
    const std::map<std::string, double> prefixes{{"", 1.0}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}};
    for (const auto& [prefix, factor] : prefixes)
    {
        units[prefix + "bps"] = factor;
        units[prefix + "b/s"] = factor;
        units[prefix + "Bps"] = 8.0 * factor;
        units[prefix + "B/s"] = 8.0 * factor;
    }
    return units;
}

} // namespace

const char*
NumberBegin(const std::string& text)
{
    const bool hasPlus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return text.data() + (hasPlus ? 1 : 0);
}

std::uint64_t
ParseInteger(const std::string& what,
             const std::string& text,
             std::uint64_t low,
             std::uint64_t high)
{
    const auto value = FindNumber<std::uint64_t>(text);
    if (!value || *value < low || *value > high)
    {
        const bool bounded = high != std::numeric_limits<std::uint64_t>::max();
        throw UsageError(what,
                         text,
                         bounded ? "a whole number from " + std::to_string(low) + " to " +
                                       std::to_string(high)
                                 : "a whole number >= " + std::to_string(low));
    }
    return *value;
}

double
ParseNumber(const std::string& what, const std::string& text, const std::string& accepted)
{
    double value = 0.0;
    std::string rest;
    DPDL_REFUSE_IF(!ReadLeadingNumber(text, value, rest) || !rest.empty(), what, text, accepted);
    return value;
}

double
ParseNumber(const std::string& what,
            const std::string& text,
            const std::string& accepted,
            const std::function<bool(double)>& fits)
{
    const double value = ParseNumber(what, text, accepted);
    DPDL_REFUSE_IF(!fits(value), what, text, accepted);
    return value;
}

double
RequireTime(const std::string& what, const std::string& text, double seconds)
{
    // The negated condition also rejects NaN.
    DPDL_REFUSE_IF(!(seconds >= 0.0 && seconds <= LONGEST_TIME),
                   what,
                   text,
                   "a time of 4000000s at most");
    return seconds;
}

double
ParseSeconds(const std::string& what, const std::string& text)
{
    static const std::map<std::string, double> units{{"ns", 1e-9},
                                                     {"us", 1e-6},
                                                     {"ms", 1e-3},
                                                     {"s", 1.0},
                                                     {"min", 60.0},
                                                     {"h", 3600.0}};
    if (text == "0")
    {
        return 0.0;
    }
    const std::string accepted = "a time >= 0 with a unit, such as 5ms or 2s";
    return RequireTime(what, text, ParseQuantity(what, text, units, accepted));
}

double
ParseBitsPerSecond(const std::string& what, const std::string& text)
{
    static const std::map<std::string, double> units = RateUnits();
    const std::string accepted = "a data rate > 0 with a unit, such as 10Mbps or 250kbps";
    const double rate = ParseQuantity(what, text, units, accepted);
    DPDL_REFUSE_IF(rate <= 0.0, what, text, accepted);
    DPDL_REFUSE_IF(rate < SLOWEST_RATE || rate > FASTEST_RATE,
                   what,
                   text,
                   "a data rate from 1bps to 1000000Gbps");
    return rate;
}

double
ParseLossProbability(const std::string& what, const std::string& text)
{
    return ParseNumber(what, text, "a probability in [0, 1)", [](double value) {
        return value >= 0.0 && value < 1.0;
    });
}

std::string
ShowRounded(double value, int digits)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    return text;
}

std::string
ShowNumber(double value)
{
    char text[32];
    const std::to_chars_result end = std::to_chars(text, text + sizeof(text), value);
    return {text, end.ptr};
}

} // namespace dpdl
