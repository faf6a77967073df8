// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_OBSERVE_OPTIONS_H
#define DPDL_OBSERVATION_OBSERVE_OPTIONS_H

#include "dpdl/base/types.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// The command line of `observe`. Numbers of nodes are checked when the trace has been read.
struct ObserveOptions
{
    std::string trace;                             ///< path
    std::optional<std::string> observer;           ///< `--observer`, as ParseObserver() reads it
    std::optional<std::string> node;               ///< `--node` or `--victim`
    std::optional<std::string> accountant;         ///< `--accountant`
    std::optional<double> delta;                   ///< `--delta`
    std::optional<std::pair<Round, Round>> rounds; ///< `--rounds`, first and last
    bool json{false};                              ///< `--json`
    bool help{false};                              ///< `--help`; nothing else counts then
};

/**
 * @brief Reads the command line.
 * @throws UsageError for an option that is unknown, given twice, without an acceptable value, or
 *         that does not go with the others
 */
ObserveOptions ParseObserveOptions(const std::vector<std::string>& arguments);

/// What `--help` prints.
std::string ObserveHelp();

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVE_OPTIONS_H
