// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MESH_LINES_H
#define DPDL_PRIVACY_MESH_LINES_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dpdl
{

/**
 * @brief Lines of a mesh over the values of one parameter, the smallest and the largest among them.
 *
 * They are equally far apart on a scale on which steps change about as much everywhere: a sampled
 * step counts by about rate^2 (exp(mu^2) - 1), and a rate near 1 by how far it is from there.
 */
class MeshLines
{
  public:
    /// @param low, @param high of the rates, @param distance of two lines on the scale
    static MeshLines OverRates(double low, double high, double distance);

    /// The same for mu.
    static MeshLines OverMus(double low, double high, double distance);

    /// Number of lines.
    std::size_t Size() const
    {
        return m_values.size();
    }

    /// The value of a line; the last one's beyond.
    double At(std::size_t line) const
    {
        return m_values[std::min(line, m_values.size() - 1)];
    }

    /// The line at or below a value; never the last one of several.
    std::size_t Below(double value) const
    {
        const auto above = std::upper_bound(m_values.begin(), m_values.end(), value);
        const auto line = static_cast<std::size_t>(above - m_values.begin());
        return std::min(line, std::max<std::size_t>(m_values.size() - 1, 1)) - 1;
    }

  private:
    /// @param scaleOf scale of a value, @param valueAt the inverse
    MeshLines(double low,
              double high,
              double distance,
              double (*scaleOf)(double),
              double (*valueAt)(double));

    std::vector<double> m_values;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MESH_LINES_H
