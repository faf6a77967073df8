// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_SHUFFLE_SAMPLER_H
#define DPDL_DATA_SHUFFLE_SAMPLER_H

#include "sized-sampler.h"

namespace dpdl
{

/// Successive batches of a permutation for each epoch.
class ShuffleSampler : public SizedSampler
{
  public:
    using SizedSampler::SizedSampler;

    std::string AccountingName() const override;
    std::uint32_t Epoch(Round round, std::size_t localExamples) const override;
    void Draw(const std::vector<std::uint32_t>& local,
              NodeId node,
              Round round,
              std::vector<std::uint32_t>& batch) const override;
};

} // namespace dpdl

#endif // DPDL_DATA_SHUFFLE_SAMPLER_H
