// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_PYTHON_PEERS_H
#define DPDL_BENCH_PYTHON_PEERS_H

#include "interleaved-benchmark.h"

#include <string>
#include <vector>

namespace dpdl
{

/// What one peer gave.
struct PeerResult
{
    std::string name;      ///< of the peer
    bool isPrivate{false}; ///< it clips each example and adds noise
    std::string value;     ///< what it computed, where that is of interest
    Measurement seconds;   ///< processor time by repetition; empty if it could not run
    std::string trouble;   ///< why it could not run; empty if it did
};

/// Runs the scripts of bench/peers in a separate process, one thread.
class PythonPeers
{
  public:
    /**
     * @param python a program; "": python3 of PATH, or else the system's; `off`: none
     * @throws UsageError if a program was named and does not run
     */
    explicit PythonPeers(const std::string& python);

    /**
     * @brief Runs a script and reads the lines that it prints.
     * @param script a file of bench/peers
     * @param arguments for it
     * @return one for each peer; none if there is no Python
     */
    std::vector<PeerResult> Run(const std::string& script,
                                const std::vector<std::string>& arguments) const;

    /// The program; empty if there is none.
    const std::string& Program() const;

  private:
    std::string m_program; ///< see Program()
};

} // namespace dpdl

#endif // DPDL_BENCH_PYTHON_PEERS_H
