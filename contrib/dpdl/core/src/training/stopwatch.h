// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_STOPWATCH_H
#define DPDL_TRAINING_STOPWATCH_H

#include <chrono>

namespace dpdl
{

/// Adds the wall-clock time between its construction and its destruction to a number, in seconds.
class Stopwatch
{
  public:
    /// @param seconds number to which the destructor adds the time, in seconds; must outlive this
    ///        object
    explicit Stopwatch(double& seconds)
        : m_seconds(seconds)
    {
    }

    ~Stopwatch()
    {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_begin;
        m_seconds += elapsed.count();
    }

    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    double& m_seconds;                            ///< number to which the time is added, in seconds
    std::chrono::steady_clock::time_point m_begin{///< time of construction
                                                  std::chrono::steady_clock::now()};
};

} // namespace dpdl

#endif // DPDL_TRAINING_STOPWATCH_H
