// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_OBSERVED_EPSILON_H
#define DPDL_TRACE_OBSERVED_EPSILON_H

#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Writes what an audit has shown into a complete trace: the column `observed` of
 *        `guarantee_by_node`, `epsilon_observed` of the summary, and a setting that says how.
 *
 * Earlier values are replaced, all together or none.
 *
 * @param path the trace
 * @param observed lower bound on epsilon by node, at least 0; empty: not audited. One for each node
 * @param note how, and with which confidence; becomes the setting `observedBy`
 * @throws UsageError as TraceReader does, and if the trace is incomplete, has another number of
 *         nodes, or cannot be written, or a value is negative or NaN
 */
void StoreObserved(const std::string& path,
                   const std::vector<std::optional<double>>& observed,
                   const std::string& note);

} // namespace dpdl

#endif // DPDL_TRACE_OBSERVED_EPSILON_H
