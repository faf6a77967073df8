// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_STOPWATCH_H
#define DPDL_TRAINING_STOPWATCH_H

#include <chrono>

namespace dpdl
{

/// Adds the wall-clock time from its construction to its destruction to a number.
class Stopwatch
{
  public:
    /// @param seconds number to which the time is added, in seconds
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
    double& m_seconds;                            ///< receives the time, in seconds
    std::chrono::steady_clock::time_point m_begin{///< start of its lifetime
                                                  std::chrono::steady_clock::now()};
};

} // namespace dpdl

#endif // DPDL_TRAINING_STOPWATCH_H
