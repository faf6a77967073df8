// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_MEASUREMENT_H
#define DPDL_BENCH_MEASUREMENT_H

#include <cstddef>
#include <vector>

namespace dpdl
{

/// What the repetitions of one measurement gave, in their order.
class Measurement
{
  public:
    Measurement() = default;

    /// @param values one of each repetition
    explicit Measurement(std::vector<double> values);

    /// Adds a repetition.
    void Add(double value);

    /// One value of each repetition, in their order.
    const std::vector<double>& Values() const;

    /// The value below which a share of the repetitions lies, interpolated; NaN without values.
    double Quantile(double share) const;

    /// The middle value; NaN without values.
    double Median() const;

    /// The smallest value; NaN without values.
    double Minimum() const;

  private:
    std::vector<double> m_values; ///< in the order of the repetitions
};

/**
 * @brief above / below, repetition by repetition: what slows the machine for a while hits both.
 *
 * Where one of them has fewer repetitions, each of these stands for as many of the other.
 */
Measurement Ratios(const Measurement& above, const Measurement& below);

/// above + below * factor, repetition by repetition as in Ratios().
Measurement Sum(const Measurement& above, const Measurement& below, double factor);

} // namespace dpdl

#endif // DPDL_BENCH_MEASUREMENT_H
