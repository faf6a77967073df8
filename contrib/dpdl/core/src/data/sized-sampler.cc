// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "sized-sampler.h"

namespace dpdl
{

double
SizedSampler::Rate(std::size_t localExamples) const
{
    if (m_batchSize > localExamples)
    {
        throw UsageError("option 'batchSize'",
                         std::to_string(m_batchSize),
                         "1 to " + std::to_string(localExamples) +
                             ", the number of examples a node owns");
    }
    return static_cast<double>(m_batchSize) / static_cast<double>(localExamples);
}

} // namespace dpdl
