// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_OBSERVE_COMMAND_H
#define DPDL_OBSERVATION_OBSERVE_COMMAND_H

#include <iosfwd>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Command `observe`: analyses the privacy of a complete run from its trace.
 *
 * `RUN.db [--node=N] [--accountant=NAME]` recomputes every node's guarantee from the ledger.
 * `RUN.db --observer=SPEC [--target=N] [--rounds=FIRST:LAST]` computes each node's certified
 * guarantee against an observer (CertifyFor()). It also computes an unproven bound on the
 * information that the observer could gain (NetworkObserver). Both forms accept `--delta=D` and
 * `--json`; see doc/observers.md.
 *
 * @param arguments command line without the program's name
 * @param[out] out receives the answer, as text or JSON
 * @throws UsageError naming the argument or the trace that is not accepted, before anything is
 *         written
 */
void Observe(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVE_COMMAND_H
