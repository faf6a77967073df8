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
 * @brief The command `observe`: analyses the privacy of a finished run from its trace alone.
 *
 * `RUN.db [--node=N] [--accountant=NAME]` recomputes every node's guarantee from the ledger.
 * `RUN.db --observer=SPEC [--target=N] [--rounds=FIRST:LAST]` computes each node's certified
 * guarantee against an observer (CertifyFor()), and apart from it an unproven bound on the
 * information that the observer could gain (NetworkObserver). Both take `--delta=D` and `--json`.
 * See doc/observers.md.
 *
 * @param arguments command line without the program's name
 * @param[out] out receives the answer
 * @throws UsageError for a mistake in the arguments or the trace, before anything is written
 */
void Observe(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVE_COMMAND_H
