// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_LEARN_RUN_H
#define DPDL_BENCH_LEARN_RUN_H

#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

/// What rounds of a run took, in seconds of real time by part as its trace says, and altogether.
struct LearnFigures
{
    double rounds{0.0};         ///< real time of all parts, evaluations aside
    double steps{0.0};          ///< real time of the nodes' steps
    double mixing{0.0};         ///< real time of gossip's arithmetic
    double simulator{0.0};      ///< real time of the network simulation
    double privacy{0.0};        ///< real time of accounting
    double trace{0.0};          ///< real time of recording
    double processor{0.0};      ///< processor time of the process
    double wall{0.0};           ///< real time of the process, of the longer run alone
    double traceMebibytes{0.0}; ///< size of the trace, of the longer run alone
    double peakMebibytes{0.0};  ///< largest resident memory of the process
};

/// True if the scenario `learn` is built beside the benchmarks.
bool HasLearn();

/**
 * @brief Runs the scenario `learn` in a separate process, as a user does, but twice: with a few
 *        rounds and with more. Their difference is free of what a run does once.
 * @param arguments its options, without rounds and trace
 * @param rounds how many more
 * @return what these rounds took; memory is that of the longer run
 * @throws Error if it fails
 */
LearnFigures RunLearn(const std::vector<std::string>& arguments, std::size_t rounds);

/// The same, once: with all that a run does. @throws Error if it fails
LearnFigures RunLearnOnce(const std::vector<std::string>& arguments, std::size_t rounds);

} // namespace dpdl

#endif // DPDL_BENCH_LEARN_RUN_H
