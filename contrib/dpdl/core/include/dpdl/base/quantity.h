// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_QUANTITY_H
#define DPDL_BASE_QUANTITY_H

#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace dpdl
{

/// Pointer to the character of @p text from which std::from_chars should parse the number: the
/// second character after a leading plus sign, which std::from_chars rejects, otherwise the first.
/// A plus sign before a minus sign is not skipped. Valid until @p text changes.
const char* NumberBegin(const std::string& text);

/// The number that the whole of @p text is, with or without a plus sign; none if it is not a
/// number of this type.
template <typename Number>
std::optional<Number>
FindNumber(const std::string& text)
{
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(NumberBegin(text), end, number);
    return error == std::errc() && stop == end ? std::optional<Number>(number) : std::nullopt;
}

/**
 * @brief Parses an integer.
 * @param what name of the value in errors, for example `option 'nodes'`
 * @param text digits, with or without a plus sign before them
 * @param low smallest accepted value
 * @param high largest accepted value
 * @throws UsageError if the text is not an integer in [low, high]
 */
std::uint64_t ParseInteger(const std::string& what,
                           const std::string& text,
                           std::uint64_t low,
                           std::uint64_t high = std::numeric_limits<std::uint64_t>::max());

/**
 * @brief Parses a finite decimal number.
 * @param what name of the value in errors
 * @param text the text, such as `0.5` or `1e-4`
 * @param accepted description of the accepted values, in errors
 * @throws UsageError if the text is not a finite number
 */
double ParseNumber(const std::string& what, const std::string& text, const std::string& accepted);

/**
 * @brief Parses a finite decimal number for which @p fits returns true.
 * @throws UsageError if the text is not such a number
 */
double ParseNumber(const std::string& what,
                   const std::string& text,
                   const std::string& accepted,
                   const std::function<bool(double)>& fits);

/// Longest accepted time, in s. Up to this time, a double resolves the nanoseconds of ns-3's clock.
inline constexpr double LONGEST_TIME = 4e6;

/// Largest accepted absolute coordinate of a place, in m.
inline constexpr double FARTHEST_PLACE = 1e6;

/**
 * @brief Checks that ns-3's clock can represent a time.
 * @param what name of the time in errors, for example `option 'delay'`
 * @param text the time as given
 * @param seconds value of the time
 * @return @p seconds
 * @throws UsageError unless @p seconds is in [0, LONGEST_TIME]
 */
double RequireTime(const std::string& what, const std::string& text, double seconds);

/**
 * @brief Parses a time: a number and one of the units ns, us, ms, s, min, h. A zero needs no unit.
 * @param what name of the value in errors, for example `option 'delay'`
 * @param text the text, such as `5ms`
 * @return seconds, in [0, LONGEST_TIME]
 * @throws UsageError if the text is not such a time
 */
double ParseSeconds(const std::string& what, const std::string& text);

/**
 * @brief Parses a data rate in the syntax of ns-3: a number and bps, kbps, Mbps, Gbps (or b/s,
 *        kb/s, ...; a capital B for bytes).
 * @param what name of the value in errors
 * @param text the text, such as `10Mbps`
 * @return bits per second, in [1, 1e15]
 * @throws UsageError if the text is not such a data rate
 */
double ParseBitsPerSecond(const std::string& what, const std::string& text);

/// Parses a probability of loss in [0, 1).
/// @param what name of the value in errors
/// @throws UsageError if the text is not a number in this range
double ParseLossProbability(const std::string& what, const std::string& text);

/// A number with at most @p digits significant digits; `inf` or `-inf` for infinity.
std::string ShowRounded(double value, int digits);

/// The shortest text that parses to the same double; `inf` or `-inf` for infinity.
std::string ShowNumber(double value);

} // namespace dpdl

#endif // DPDL_BASE_QUANTITY_H
