// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_QUANTITY_H
#define DPDL_BASE_QUANTITY_H

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace dpdl
{

/**
 * @brief Reads a whole number.
 * @param what the thing being read, for the error, for example `option 'nodes'`
 * @param text the text, digits only
 * @param low smallest accepted value
 * @param high largest accepted value
 * @throws UsageError if the text is no number or outside [low, high]
 */
std::uint64_t ParseInteger(const std::string& what,
                           const std::string& text,
                           std::uint64_t low,
                           std::uint64_t high = std::numeric_limits<std::uint64_t>::max());

/**
 * @brief Reads a finite decimal number.
 * @param what the thing being read, for the error
 * @param text the text, such as `0.5`, `1e-4`
 * @param accepted what the error says would be accepted
 * @throws UsageError if the text is not a finite number
 */
double ParseNumber(const std::string& what, const std::string& text, const std::string& accepted);

/**
 * @brief Reads a finite decimal number for which @p fits holds.
 * @throws UsageError if the text is not such a number
 */
double ParseNumber(const std::string& what,
                   const std::string& text,
                   const std::string& accepted,
                   const std::function<bool(double)>& fits);

/// Seconds that a time may last: up to here a double holds every nanosecond, the clock's unit.
inline constexpr double LONGEST_TIME = 4e6;

/**
 * @brief Whatever becomes a time of the simulator passes here: its clock would overflow silently.
 * @param what has that time, for the error, for example `option 'delay'`
 * @param text the time as it was given
 * @param seconds what it stands for
 * @return @p seconds
 * @throws UsageError unless it is in [0, LONGEST_TIME]
 */
double RequireTime(const std::string& what, const std::string& text, double seconds);

/**
 * @brief Reads a time: a number and one of the units ns, us, ms, s, min, h; a bare 0 needs none.
 * @return seconds, in [0, LONGEST_TIME]
 * @throws UsageError otherwise
 */
double ParseSeconds(const std::string& what, const std::string& text);

/**
 * @brief Reads a data rate as ns-3 writes it: a number and bps, kbps, Mbps, Gbps (or b/s, kb/s,
 * ...; a capital B for bytes).
 * @return bits per second, in [1, 1e15]
 * @throws UsageError otherwise
 */
double ParseBitsPerSecond(const std::string& what, const std::string& text);

/// Reads the probability that something is lost, in [0, 1). @throws UsageError otherwise
double ParseLossProbability(const std::string& what, const std::string& text);

/// A number with at most @p digits significant digits; `inf` for infinity.
std::string ShowRounded(double value, int digits);

/// The shortest text that reads back as the same double; `inf` for infinity.
std::string ShowNumber(double value);

} // namespace dpdl

#endif // DPDL_BASE_QUANTITY_H
