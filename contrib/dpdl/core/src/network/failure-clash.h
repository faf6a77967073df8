// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_CLASH_H
#define DPDL_NETWORK_FAILURE_CLASH_H

#include "dpdl/network/failure-sentence.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Refuses a sentence that contradicts an earlier one.
 * @param sentence the new one
 * @param earlier those before it
 * @throws UsageError naming both
 */
void RefuseClash(const FailureSentence& sentence, const std::vector<FailureSentence>& earlier);

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_CLASH_H
